// Why a script did not give a result, with the place in its source.
//
// Differs from base's Error by what a script's author needs: line, column, stack. Callers that only
// forward use ToError().
#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "base/status.h"

namespace orrery::script {

enum class Reason : uint8_t {
  kSyntax,     // the source does not compile
  kThrown,     // the script threw and nobody caught it
  kHost,       // a host function failed and the script did not catch it; code() is the host's
  kTime,       // over Limits::time
  kMemory,     // over SandboxOptions::heap_bytes_max
  kStack,      // over SandboxOptions::stack_bytes_max
  kResult,     // the result is too large, too deep, or never came (a promise that stays pending)
  kCancelled,  // the sandbox was told to stop
  kInternal,   // a bug
};

struct Failure {
  Reason reason = Reason::kInternal;
  Code code = Code::kInternal;
  std::string message;  // "TypeError: x is not a function"
  uint32_t line = 0;    // from 1; 0 when the failure has no place
  uint32_t column = 0;  // from 1
  std::string stack;    // one frame a line, innermost first
  int32_t number = 0;   // the `number` of the Error that was thrown, when it is whole; else 0

  // The message with its place: "TypeError: x is not a function (line 3, column 7)".
  Error ToError() const;
};

template <typename T>
using Outcome = std::expected<T, Failure>;

// A failure without a place, with the code that belongs to `reason`: kInvalidArgument for what the
// author must mend, kResourceExhausted for a limit, kTooLarge for a result.
Failure MakeFailure(Reason reason, std::string message);

}  // namespace orrery::script
