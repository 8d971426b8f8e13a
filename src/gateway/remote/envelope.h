// The envelope of every request to another gateway, and of every answer.
//
//   request := version:uint8 (2) container:number container_version:number body
//   answer  := version:uint8 (2) (00 body | 01 error)
//   error   := code:number retry_after_ms:number message:bytes
//
// The head names the container as the caller knows it. The body is the method's (the codecs of this
// room). An answer that is an error says that nothing was done; what a method has to tell of work
// that failed half way, its charge for one, is in its body.
//
// Codes are numbers of the protocol between nodes, as PeerMethods are.
#pragma once

#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/status.h"
#include "gateway/remote/message.h"

namespace orrery::gateway {

struct RequestHead {
  ContainerId container;
  uint64_t version = 0;
  friend bool operator==(const RequestHead&, const RequestHead&) = default;
};
struct OpenedRequest {
  RequestHead head;
  std::string_view body;  // of the request that was opened
};

std::string WrapRequest(const RequestHead& head, std::string_view body);
// kUnsupported for another version, kInvalidArgument when it is damaged.
Result<OpenedRequest> OpenRequest(std::string_view request);

std::string WrapAnswer(const Result<std::string>& body);
// The callee's error, or those of OpenRequest.
Result<std::string> OpenAnswer(std::string_view answer);

// An error within a body; `status` may be good.
void AppendStatus(MessageWriter& out, const Status& status);
Status ReadStatus(MessageReader& in);

}  // namespace orrery::gateway
