// A DirectRequest is a frame of Direct mode as the SQL API's handlers understand it: the same path,
// headers and action that a request over HTTP has.
//
// Operations on a container's documents name the physical partition, by the address that the client
// was told; what has no partition key is about that partition alone.
//
// Pure functions of foreign bytes.
#pragma once

#include <optional>
#include <string_view>

#include "api/sql/direct/message/request_tokens.h"
#include "api/sql/direct/protocol/frame.h"
#include "api/sql/http/error_response.h"
#include "api/sql/request/action.h"
#include "api/sql/request/request_headers.h"
#include "api/sql/resource/resource_path.h"
#include "base/ids.h"

namespace orrery::sql::direct {

struct DirectRequest {
  ResourcePath path{};
  RequestHeaders headers{};
  Action action = Action::kRead;
  std::string_view verb{};  // that the request is signed with
  bool wants_body = true;   // HEAD has none
  // That the client takes to have what it asks for; none for what is in no container.
  std::optional<PartitionId> partition{};
};

// `client_version`: of the connection, for requests that name none. 400 says what is wrong, 405
// that there is no such operation.
SqlResult<DirectRequest> ReadDirectRequest(const RequestFrame& frame, const RequestTokens& tokens,
                                           std::string_view client_version);

}  // namespace orrery::sql::direct
