#include "api/mongo/error/error_map.h"

#include <fmt/format.h>

#include "base/public_message.h"

namespace orrery::mongo {
namespace {

ErrorCode MongoCodeOf(Code code) {
  switch (code) {
    case Code::kInvalidArgument:
      return ErrorCode::kBadValue;
    case Code::kNotFound:
      return ErrorCode::kNamespaceNotFound;
    case Code::kAlreadyExists:
      return ErrorCode::kDuplicateKey;
    case Code::kPreconditionFailed:
      return ErrorCode::kWriteConflict;
    case Code::kTooLarge:
      return ErrorCode::kBsonObjectTooLarge;
    case Code::kThrottled:
      return ErrorCode::kTooManyRequests;
    case Code::kOverloaded:
      return ErrorCode::kTooManyRequests;
    case Code::kPartitionFull:
    case Code::kResourceExhausted:
      return ErrorCode::kOutOfDiskSpace;
    case Code::kUnauthorized:
    case Code::kForbidden:
      return ErrorCode::kUnauthorized;
    // Drivers try again, reads and retryable writes by themselves.
    case Code::kWouldBlock:
    case Code::kMoved:
    case Code::kFenced:
      return ErrorCode::kPrimarySteppedDown;
    case Code::kUnavailable:
      return ErrorCode::kHostUnreachable;
    case Code::kUnsupported:
      return ErrorCode::kCommandNotSupported;
    case Code::kCancelled:
      return ErrorCode::kInterrupted;
    case Code::kCorruption:
    case Code::kInternal:
      return ErrorCode::kInternalError;
  }
  return ErrorCode::kInternalError;
}

}  // namespace

std::string ThrottledText(uint32_t retry_after_ms) {
  return fmt::format(
      "Error=16500, RetryAfterMs={}, Details='Response status code does not indicate success: "
      "TooManyRequests (429); Substatus: 3200; Reason: ({{ \"Errors\": [\"Request rate is large. "
      "More Request Units may be needed, so no changes were made. Please retry this request later. "
      "Learn more: http://aka.ms/cosmosdb-error-429\"] }});'",
      retry_after_ms);
}

MongoError ToMongoError(const Error& error) {
  MongoError mapped{static_cast<int32_t>(MongoCodeOf(error.code())), PublicMessage(error)};
  switch (error.code()) {
    case Code::kThrottled:
      mapped.message = ThrottledText(error.retry_after_ms());
      mapped.labels = {"SystemOverloadedError", "RetryableError"};
      break;
    case Code::kOverloaded:
      mapped.message = fmt::format("Error=16500, RetryAfterMs=1, Details='{}'", error.message());
      mapped.labels = {"SystemOverloadedError", "RetryableError"};
      break;
    default:
      break;
  }
  return mapped;
}

}  // namespace orrery::mongo
