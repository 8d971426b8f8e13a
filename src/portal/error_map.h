// Maps error codes to HTTP status codes for the admin interface, in one place.
#pragma once

#include "base/status.h"
#include "net/http/http_message.h"

namespace orrery::portal {

int HttpStatus(Code code);

// {"code":"not_found","message":"..."} with the fitting status. A throttled request also gets
// Retry-After-Ms and x-ms-retry-after-ms in milliseconds and Retry-After in whole seconds.
net::HttpResponse ErrorResponse(const Error& error);

}  // namespace orrery::portal
