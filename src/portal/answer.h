// Lets handlers answer at once on the event loop, or from the I/O pool when the work may block.
#pragma once

#include <utility>

#include "base/status.h"
#include "model/document/document.h"
#include "net/http/http_message.h"
#include "portal/router.h"

namespace orrery::portal {

using Outcome = Result<net::HttpResponse>;

// Sends the response, or the error in its JSON form. From a pool: net::AnswerFromPool.
void Answer(net::HttpResponder& responder, Outcome outcome);
inline void Answer(Call& call, Outcome outcome) { Answer(call.responder, std::move(outcome)); }

// The request's body as one JSON object; an empty body is an empty object.
Result<model::Document> JsonBody(const net::HttpRequest& request);

}  // namespace orrery::portal
