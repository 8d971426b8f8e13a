#include "base/status.h"

namespace orrery {

std::string_view CodeName(Code code) {
  switch (code) {
    case Code::kInvalidArgument:
      return "invalid_argument";
    case Code::kNotFound:
      return "not_found";
    case Code::kAlreadyExists:
      return "already_exists";
    case Code::kPreconditionFailed:
      return "precondition_failed";
    case Code::kTooLarge:
      return "too_large";
    case Code::kPartitionFull:
      return "partition_full";
    case Code::kThrottled:
      return "throttled";
    case Code::kOverloaded:
      return "overloaded";
    case Code::kWouldBlock:
      return "would_block";
    case Code::kMoved:
      return "moved";
    case Code::kUnauthorized:
      return "unauthorized";
    case Code::kForbidden:
      return "forbidden";
    case Code::kUnavailable:
      return "unavailable";
    case Code::kCorruption:
      return "corruption";
    case Code::kResourceExhausted:
      return "resource_exhausted";
    case Code::kFenced:
      return "fenced";
    case Code::kUnsupported:
      return "unsupported";
    case Code::kCancelled:
      return "cancelled";
    case Code::kInternal:
      return "internal";
  }
  return "unknown";
}

std::string Error::ToString() const {
  std::string text(CodeName(code_));
  text.append(": ").append(message_);
  return text;
}

Error Error::Annotate(std::string_view context) && {
  message_.insert(0, ": ").insert(0, context);
  return std::move(*this);
}

}  // namespace orrery
