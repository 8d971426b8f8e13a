#include "api/sql/script/run/script_failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "api/sql/script/host/prelude.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

constexpr std::string_view kTimedOut =
    "The requested operation exceeded maximum alloted time. Learn more: "
    "https://aka.ms/cosmosdb-tsg-service-request-timeout";

// The form in which the service hands on errors of its script engine.
std::string InMessage(std::string_view text) {
  std::string message = R"(Message: {"Errors":[)";
  model::AppendJsonString(message, text);
  message += "]}";
  return message;
}

std::string Thrown(std::string_view exception, std::string_view frames) {
  return InMessage(
      fmt::format("Encountered exception while executing Javascript. Exception = {0}\r\nStack "
                  "trace: {0}{1}",
                  exception, frames));
}

// An error's number has 16 bits; others are not told.
Substatus SubstatusOf(int32_t number) {
  if (number < 0 || number > UINT16_MAX) return Substatus::kNone;
  return static_cast<Substatus>(number);
}

// "f@name.js:3:7" of the engine, as "\n   at f (name.js:3:7)".
std::string FramesOf(std::string_view stack) {
  std::string frames;
  while (!stack.empty()) {
    const size_t end = std::min(stack.find('\n'), stack.size());
    const std::string_view line = stack.substr(0, end);
    stack.remove_prefix(std::min(end + 1, stack.size()));
    const size_t at = line.find('@');
    if (at == std::string_view::npos) continue;
    const std::string_view place = line.substr(at + 1);
    if (place.starts_with(kPreludeName)) continue;
    const std::string_view function = line.substr(0, at);
    frames += fmt::format("\n   at {} ({})", function.empty() ? "anonymous" : function, place);
  }
  return frames;
}

}  // namespace

Failure FailureOfScript(const script::Failure& failure) {
  switch (failure.reason) {
    case script::Reason::kTime:
      return {.status = 408, .message = InMessage(kTimedOut)};
    case script::Reason::kCancelled:
      return {.status = 503, .message = failure.message};
    case script::Reason::kInternal:
      return {.status = 500, .message = failure.message};
    case script::Reason::kSyntax:
      return {.status = 400, .message = Thrown(failure.ToError().message(), "")};
    default:
      return {.status = 400,
              .substatus = SubstatusOf(failure.number),
              .message = Thrown(failure.message, FramesOf(failure.stack))};
  }
}

Failure FailureOfRun(const Error& error, int32_t number) {
  if (error.code() == Code::kInvalidArgument) {
    return {
        .status = 400, .substatus = SubstatusOf(number), .message = Thrown(error.message(), "")};
  }
  return FailureOf(error);
}

Failure TooManyConflicts() {
  return {
      .status = 449,
      .message = "Conflicting request to resource has been attempted. Retry to avoid conflicts."};
}

}  // namespace orrery::sql
