#include "script/failure.h"

#include <fmt/format.h>

#include <utility>

namespace orrery::script {
namespace {

Code CodeOf(Reason reason) {
  switch (reason) {
    case Reason::kSyntax:
    case Reason::kThrown:
      return Code::kInvalidArgument;
    case Reason::kTime:
    case Reason::kMemory:
    case Reason::kStack:
      return Code::kResourceExhausted;
    case Reason::kResult:
      return Code::kTooLarge;
    case Reason::kCancelled:
      return Code::kCancelled;
    case Reason::kHost:
    case Reason::kInternal:
      break;
  }
  return Code::kInternal;
}

}  // namespace

Error Failure::ToError() const {
  if (line == 0) return Error(code, message);
  return Error(code, fmt::format("{} (line {}, column {})", message, line, column));
}

Failure MakeFailure(Reason reason, std::string message) {
  Failure failure;
  failure.reason = reason;
  failure.code = CodeOf(reason);
  failure.message = std::move(message);
  return failure;
}

}  // namespace orrery::script
