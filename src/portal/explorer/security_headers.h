// The headers by which browsers are told how little a page of this server may do, and that nobody
// else may have its answers.
#pragma once

#include "net/http/http_message.h"
#include "net/http/http_responder.h"

namespace orrery::portal {

// Returns a responder that adds the headers which answers to this request's path have, and hands
// them to `responder`.
net::HttpResponder WithSecurityHeaders(const net::HttpRequest& request,
                                       net::HttpResponder responder);

}  // namespace orrery::portal
