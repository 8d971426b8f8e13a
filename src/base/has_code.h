// HasCode tells whether a call failed in one particular way.
#pragma once

#include <expected>

#include "base/status.h"

namespace orrery {

// Returns true if `result` (a Status or a Result) is an error with this code.
template <typename T>
bool HasCode(const std::expected<T, Error>& result, Code code) {
  return !result.has_value() && result.error().code() == code;
}

}  // namespace orrery
