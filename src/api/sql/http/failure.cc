#include "api/sql/http/failure.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/public_message.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

// Rounded up by clients that think in whole milliseconds: at least one.
constexpr uint32_t kRetryAfterMsMin = 1;

constexpr std::string_view kTooManyRequests =
    "Request rate is large. More Request Units may be needed, so no changes were made. Please "
    "retry "
    "this request later. Learn more: http://aka.ms/cosmosdb-error-429";

}  // namespace

Failure FailureOf(const Error& error) {
  const auto plain = [&error](int status) {
    return Failure{.status = status, .message = PublicMessage(error)};
  };
  switch (error.code()) {
    case Code::kInvalidArgument:
    case Code::kUnsupported:
      return plain(400);
    case Code::kUnauthorized:
      return plain(401);
    case Code::kForbidden:
      return plain(403);
    case Code::kPartitionFull:
      return {.status = 403, .substatus = Substatus::kPartitionFull, .message = error.message()};
    case Code::kNotFound:
      return plain(404);
    case Code::kAlreadyExists:
      return plain(409);
    case Code::kPreconditionFailed:
      return plain(412);
    case Code::kTooLarge:
      return plain(413);
    case Code::kThrottled:
      return {.status = 429,
              .substatus = Substatus::kRequestRateTooLarge,
              .message = std::string(kTooManyRequests),
              .retry_after_ms = std::max(error.retry_after_ms(), kRetryAfterMsMin)};
    case Code::kMoved:
      return {.status = 410,
              .substatus = Substatus::kPartitionKeyRangeGone,
              .message = error.message()};
    case Code::kOverloaded:
    case Code::kUnavailable:
    case Code::kFenced:
    case Code::kCancelled:
    case Code::kResourceExhausted:
      return plain(503);
    case Code::kWouldBlock:  // handlers answer it themselves: seen by a client it is a bug
    case Code::kCorruption:
    case Code::kInternal:
      return plain(500);
  }
  return plain(500);
}

std::string_view CodeOf(int status) {
  switch (status) {
    case 400:
      return "BadRequest";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "NotFound";
    case 405:
      return "MethodNotAllowed";
    case 408:
      return "RequestTimeout";
    case 409:
      return "Conflict";
    case 410:
      return "Gone";
    case 412:
      return "PreconditionFailed";
    case 413:
      return "RequestEntityTooLarge";
    case 423:
      return "Locked";
    case 424:
      return "FailedDependency";
    case 429:
      return "TooManyRequests";
    case 449:
      return "RetryWith";
    case 501:
      return "NotImplemented";
    case 503:
      return "ServiceUnavailable";
    default:
      return "InternalServerError";
  }
}

std::string FailureBody(const Failure& failure, std::string_view activity_id) {
  std::string body = "{\"code\":";
  model::AppendJsonString(body, CodeOf(failure.status));
  body += ",\"message\":";
  model::AppendJsonString(body, fmt::format("{}\r\nActivityId: {}", failure.message, activity_id));
  if (!failure.plan.empty()) {
    body += ",\"additionalErrorInfo\":";
    model::AppendJsonString(body, failure.plan);
  }
  body += '}';
  return body;
}

net::HttpResponse ToResponse(const Failure& failure, std::string_view activity_id) {
  net::HttpResponse response =
      net::HttpResponse::Json(failure.status, FailureBody(failure, activity_id));
  response.headers.Add("x-ms-activity-id", activity_id);
  if (failure.substatus != Substatus::kNone) {
    response.headers.Add("x-ms-substatus", fmt::to_string(static_cast<int>(failure.substatus)));
  }
  if (failure.status == 429) {
    response.headers.Add("x-ms-retry-after-ms", fmt::to_string(failure.retry_after_ms));
  }
  return response;
}

}  // namespace orrery::sql
