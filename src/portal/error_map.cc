#include "portal/error_map.h"

#include <string>

namespace orrery::portal {

int HttpStatus(Code code) {
  switch (code) {
    case Code::kInvalidArgument:
      return 400;
    case Code::kUnauthorized:
      return 401;
    case Code::kForbidden:
    case Code::kPartitionFull:
      return 403;
    case Code::kNotFound:
      return 404;
    case Code::kAlreadyExists:
      return 409;
    case Code::kPreconditionFailed:
      return 412;
    case Code::kTooLarge:
      return 413;
    case Code::kThrottled:
      return 429;
    case Code::kUnsupported:
      return 501;
    case Code::kOverloaded:
    case Code::kMoved:
    case Code::kUnavailable:
    case Code::kFenced:
    case Code::kCancelled:
      return 503;
    case Code::kResourceExhausted:
      return 507;
    case Code::kWouldBlock:  // handlers answer it themselves: seen by a client it is a bug
    case Code::kCorruption:
    case Code::kInternal:
      return 500;
  }
  return 500;
}

net::HttpResponse ErrorResponse(const Error& error) {
  net::HttpResponse response = net::HttpResponse::JsonError(
      HttpStatus(error.code()), CodeName(error.code()), error.message());
  if (error.code() == Code::kThrottled) {
    const std::string milliseconds = std::to_string(error.retry_after_ms());
    response.headers.Add("Retry-After-Ms", milliseconds);
    response.headers.Add("x-ms-retry-after-ms", milliseconds);
    response.headers.Add("Retry-After", std::to_string((error.retry_after_ms() + 999) / 1000));
  }
  if (error.code() == Code::kUnauthorized) response.headers.Add("WWW-Authenticate", "Bearer");
  return response;
}

}  // namespace orrery::portal
