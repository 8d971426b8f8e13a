// Errors of the core in the words of the Table service.
#include <algorithm>

#include "api/table/protocol/error_response.h"
#include "base/public_message.h"

namespace orrery::table {
namespace {

ErrorCode CodeOf(Code code) {
  switch (code) {
    case Code::kInvalidArgument:
    case Code::kUnsupported:
      return ErrorCode::kInvalidInput;
    case Code::kUnauthorized:
      return ErrorCode::kAuthenticationFailed;
    case Code::kForbidden:
      return ErrorCode::kAuthorizationFailure;
    case Code::kPartitionFull:
      return ErrorCode::kPartitionFull;
    case Code::kNotFound:
      return ErrorCode::kResourceNotFound;
    case Code::kAlreadyExists:
      return ErrorCode::kEntityAlreadyExists;
    case Code::kPreconditionFailed:
      return ErrorCode::kUpdateConditionNotSatisfied;
    case Code::kTooLarge:
      return ErrorCode::kEntityTooLarge;
    case Code::kThrottled:
      return ErrorCode::kTooManyRequests;
    case Code::kCancelled:
      return ErrorCode::kOperationTimedOut;
    case Code::kMoved:
    case Code::kOverloaded:
    case Code::kUnavailable:
    case Code::kFenced:
    case Code::kResourceExhausted:
      return ErrorCode::kServerBusy;
    case Code::kWouldBlock:  // executors answer it themselves: seen by a client it is a bug
    case Code::kCorruption:
    case Code::kInternal:
      break;
  }
  return ErrorCode::kInternalError;
}

// Returns whether the core's message says more than the code's own sentence.
bool HasOwnMessage(ErrorCode code) {
  switch (code) {
    case ErrorCode::kResourceNotFound:
    case ErrorCode::kEntityAlreadyExists:
    case ErrorCode::kUpdateConditionNotSatisfied:
    case ErrorCode::kTooManyRequests:
      return false;
    default:
      return true;
  }
}

}  // namespace

ErrorResponse::ErrorResponse(const Error& error)
    : ErrorResponse(CodeOf(error.code()),
                    HasOwnMessage(CodeOf(error.code())) ? PublicMessage(error) : std::string()) {
  if (error.code() == Code::kThrottled) retry_after_ms = std::max(error.retry_after_ms(), 1u);
}

}  // namespace orrery::table
