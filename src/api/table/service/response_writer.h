// Writes outcomes as HTTP responses, with the headers that every answer of the service has. Pure.
#pragma once

#include <string>
#include <string_view>

#include "api/table/executor/call.h"
#include "base/clock.h"
#include "net/http/http_message.h"

namespace orrery::table {

// {"odata.error":..}, or XML. `request_id` and `now` are part of the message.
std::string ErrorBody(const ErrorResponse& error, bool is_xml, std::string_view request_id,
                      Micros now);

net::HttpResponse ToResponse(Outcome<Reply> outcome, const net::HttpRequest& request,
                             const RequestOptions& options, Micros now);

}  // namespace orrery::table
