// Answers browsers that ask whether a page of another origin may use the service, by the CORS rules
// in its properties. The first rule that fits counts.
#pragma once

#include "api/table/executor/reply.h"
#include "api/table/executor/tables.h"
#include "api/table/protocol/error_response.h"
#include "net/http/http_message.h"

namespace orrery::table {

// The answer to OPTIONS. CorsPreflightFailure if no rule fits.
Outcome<Reply> Preflight(const Tables& tables, const net::HttpRequest& request);

// Adds what a browser needs to see of an answer, if the request names an origin that a rule allows.
void AddCorsHeaders(const Tables& tables, const net::HttpRequest& request,
                    net::HttpHeaders& headers);

}  // namespace orrery::table
