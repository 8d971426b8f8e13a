// Answers of the SQL API's handlers as frames of Direct mode: what HTTP has as headers are tokens
// here, and errors have the same JSON body.
//
// Pure.
#pragma once

#include <cstdint>
#include <string>

#include "api/sql/direct/protocol/guid.h"
#include "api/sql/handler/reply.h"
#include "api/sql/http/error_response.h"
#include "base/clock.h"

namespace orrery::sql::direct {

// The facts of a request that are needed to answer it.
struct AnswerContext {
  uint32_t transport_request_id = 0;
  Guid activity{};
  bool wants_body = true;
  bool old_session_tokens = false;  // RequestHeaders
  // The position that the client has seen, "3:-1#12"; empty when it has seen none. Refusals that
  // examined nothing tell it again, because clients take an answer without one for one of a
  // replica that is behind.
  std::string session{};
};

// Appends the whole frame to `out`. `duration`: how long the request took.
void AppendAnswer(std::string& out, const AnswerContext& context, const SqlResult<Reply>& answer,
                  Micros duration);

}  // namespace orrery::sql::direct
