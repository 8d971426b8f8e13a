// InvalidValue makes the error for a value, or its text, that is not one of its type.
#pragma once

#include <expected>
#include <string>
#include <utility>

#include "base/status.h"

namespace orrery::cassandra {

inline std::unexpected<Error> InvalidValue(std::string message) {
  return Fail(Code::kInvalidArgument, std::move(message));
}

}  // namespace orrery::cassandra
