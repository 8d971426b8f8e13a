// Rounding moments down to a multiple of a duration: what floor() is made of.
//
// Multiples are counted from a start. With months in the duration they are calendar months, each
// counted from the start's own day and kept within its month's end. (Cassandra lets a result of
// months alone come out after the moment, when the start lies later in its month; here it never
// does.)
#pragma once

#include <cstdint>

#include "api/cassandra/types/native/duration.h"
#include "base/status.h"

namespace orrery::cassandra {

// The latest start + n * duration, n a whole number, that is not after `unix_ms`. Nothing below a
// millisecond counts. kInvalidArgument for a start after the moment and for a negative duration.
Result<int64_t> FloorMillis(int64_t unix_ms, const Duration& duration, int64_t start_ms);

// The same within a day. kInvalidArgument for a negative duration and for one above a day.
Result<int64_t> FloorTimeOfDay(int64_t nanoseconds, const Duration& duration);

}  // namespace orrery::cassandra
