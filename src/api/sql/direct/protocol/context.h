// The first exchange of a connection: the client says what it speaks and who it is, and the server
// says the same. Frames of resource 0 and operation 0, with tokens of their own (ContextToken).
//
// Pure functions of foreign bytes.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/sql/direct/protocol/frame.h"
#include "base/status.h"

namespace orrery::sql::direct {

inline constexpr uint32_t kProtocolVersion = 1;

struct ContextRequest {
  uint32_t protocol_version = 0;
  std::string client_version;  // the date of the interface: "2020-07-15"
  std::string agent;
};

struct ServerIdentity {
  std::string agent;
  std::string version;
  std::chrono::seconds idle_timeout{0};             // 0: none
  std::chrono::seconds unauthenticated_timeout{0};  // 0: none
};

// kInvalidArgument when a token is missing, or the protocol's version is another.
Result<ContextRequest> ReadContextRequest(const RequestFrame& frame);

void AppendContextAnswer(std::string& out, const Guid& activity, const ContextRequest& request,
                         const ServerIdentity& server);
// `error` is JSON. Clients read the server's names in every answer.
void AppendContextError(std::string& out, const Guid& activity, uint32_t status,
                        const ServerIdentity& server, std::string_view error);

}  // namespace orrery::sql::direct
