// How handlers answer: at once on the event loop, or from the I/O pool when the work may block.
#pragma once

#include <functional>

#include "base/status.h"
#include "base/thread_pool.h"
#include "model/document/document.h"
#include "net/http/http_message.h"
#include "portal/router.h"

namespace orrery::portal {

using Outcome = Result<net::HttpResponse>;

// Sends the response, or the error in its JSON form.
void Answer(net::HttpResponder& responder, Outcome outcome);

// Runs `work` on the pool and answers with what it returns. A full pool answers 503 at once, and
// nothing was done. `work` must be callable after the caller has returned.
void AnswerFromPool(ThreadPool& pool, Call call, std::function<Outcome(const Call&)> work);

// The request's body as one JSON object; an empty body is an empty object.
Result<model::Document> JsonBody(const net::HttpRequest& request);

}  // namespace orrery::portal
