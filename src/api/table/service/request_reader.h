// Reads what a request asks for: the resource that its path names, the operation, and the options
// in its headers. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "api/table/executor/call.h"
#include "api/table/protocol/error_response.h"
#include "net/http/http_message.h"

namespace orrery::table {

// Returns the operation that a method means for a resource. UnsupportedHttpVerb, or InvalidUri for
// a service's parameters that name nothing.
Outcome<Operation> OperationOf(std::string_view method, const Address& address,
                               const net::HttpRequest& request, bool has_condition);

// Fills in address, operation, options and base_url. REQUIRES: the call has its request.
Outcome<void> ReadRequest(Call& call, std::span<const std::string> accounts);

}  // namespace orrery::table
