// Gremlin over HTTP, as Gremlin Server has it: POST of {"gremlin": "...", "bindings": {...}}, or
// GET with ?gremlin=. The answer is one message, in the form that Accept names; JSON otherwise.
//
// Also decides which pages and names may open a WebSocket.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/gremlin/server/gremlin_session.h"
#include "net/http/http_message.h"
#include "net/http/http_responder.h"

namespace orrery::gremlin {

// Returns the answer to a request that is refused whatever its body says.
std::optional<net::HttpResponse> HttpRefusal(const SessionContext& context,
                                             const net::HttpRequest& head);

// Answers from the pool. `context` must outlive the work. REQUIRES: HttpRefusal() has none.
void HandleHttp(const SessionContext& context, net::HttpRequest request,
                net::HttpResponder responder);

}  // namespace orrery::gremlin
