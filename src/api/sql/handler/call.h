// A Call is one request on its way through the API: what it asks for, already read and allowed, and
// its one chance to be answered.
#pragma once

#include <functional>
#include <string>

#include "api/sql/handler/reply.h"
#include "api/sql/http/refusal.h"
#include "api/sql/request/action.h"
#include "api/sql/request/request_headers.h"
#include "api/sql/resource/resource_path.h"
#include "base/clock.h"
#include "base/thread_pool.h"
#include "model/document/document.h"
#include "net/http/http_message.h"
#include "net/http/http_responder.h"

namespace orrery::sql {

struct Call {
  net::HttpRequest request;
  ResourcePath path;
  RequestHeaders headers;
  Action action = Action::kRead;
  std::string activity_id;
  net::HttpResponder responder;
  const Clock* clock = nullptr;  // must outlive the call; null: nobody says how long it took
  Micros received{0};            // by its monotonic time
};

// Takes a call on an event loop and answers it, at once or later: it must not block.
using Handler = std::function<void(Call)>;

// A resource that the client has already (If-None-Match) is not sent again: 304.
void Answer(Call& call, Answered<Reply> answer);

// Runs `work`, which may block, on the pool and answers with what it returns. A full pool answers
// 503 at once, and nothing was done.
void AnswerFromPool(ThreadPool& pool, Call call, std::function<Answered<Reply>(Call&)> work);

// 412 when the request is for another version (If-Match) than the resource, as clients see it, has.
Answered<void> CheckIfMatch(const Call& call, const model::Value& seen);

// The body as one JSON object. 400 says where it is malformed.
Result<model::Document> BodyOf(const Call& call);

}  // namespace orrery::sql
