// A Call is one request on its way through the API: what it asks for, already read and allowed, and
// its one chance to be answered.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "api/sql/handler/reply.h"
#include "api/sql/http/error_response.h"
#include "api/sql/request/action.h"
#include "api/sql/request/request_headers.h"
#include "api/sql/resource/resource_path.h"
#include "base/clock.h"
#include "base/request_context.h"
#include "base/request_meter.h"
#include "base/visit_tally.h"
#include "model/document/document.h"
#include "net/http/dispatch/http_call.h"

namespace orrery::sql {

// The facts of the request that an answer reports besides the reply.
struct AnswerFacts {
  const net::HttpRequest& request;
  std::string_view activity_id;
  bool old_session_tokens = false;   // RequestHeaders
  std::optional<Micros> duration{};  // that the request took, if a clock was there to tell
};

// A CallResponder writes the answer in the protocol that the call came by, and is called once at
// most. Destroyed without a call, it tells the client that its request was dropped.
using CallResponder = std::move_only_function<void(SqlResult<Reply>, const AnswerFacts&)>;

struct Call {
  // Direct mode fills in body and context alone, and headers for scripts to see.
  net::HttpRequest request{};
  ResourcePath path{};
  RequestHeaders headers{};
  Action action = Action::kRead;
  CallResponder respond{};
  const Clock* clock = nullptr;   // must outlive the call; null: nobody says how long it took
  Micros received{0};             // by its monotonic time
  RequestMeter* meter = nullptr;  // where it is counted; must outlive the call
  std::shared_ptr<VisitTally> visits{};  // of a query, which partitions it has read

  // The context that says when to stop working on it.
  const RequestContext& context() const { return request.context; }
};
using Handler = net::CallHandler<Call>;

// Returns the address at which the client reached the server, as it wrote it:
// "https://localhost:8081".
std::string EndpointOf(const net::HttpRequest& request);

// Answers with an HTTP response.
CallResponder RespondOverHttp(net::HttpResponder responder);

// A resource that the client has already (If-None-Match) is not sent again: 304. A request that was
// given up because its deadline had passed: 408. A session token of several partitions is cut to
// one when the request was for one range. From a pool: net::AnswerFromPool.
void Answer(Call& call, SqlResult<Reply> answer);

// 412 when the request is for another version (If-Match) than the resource, as clients see it, has.
SqlResult<void> CheckIfMatch(const Call& call, const model::Value& seen);

// The body as one JSON object. 400 says where it is malformed.
Result<model::Document> BodyOf(const Call& call);

}  // namespace orrery::sql
