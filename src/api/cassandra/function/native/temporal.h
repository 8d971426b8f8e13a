// The moment that a timeuuid, timestamp or date stands for, and values of that moment.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/cassandra/types/type.h"
#include "base/status.h"

namespace orrery::cassandra {

// In milliseconds since 1970. REQUIRES: a value of that kind, not empty.
int64_t MillisOf(TypeKind kind, std::string_view value);

// As a timestamp, date or bigint. kInvalidArgument when a date cannot hold the moment.
Result<std::string> ValueOfMillis(TypeKind kind, int64_t unix_ms);

}  // namespace orrery::cassandra
