// duration values: months, days and nanoseconds, which no calendar-free arithmetic can turn into
// each other. All three have the same sign.
//
//   duration := months:vint days:vint nanoseconds:vint
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::cassandra {

struct Duration {
  int32_t months = 0;
  int32_t days = 0;
  int64_t nanoseconds = 0;
  friend bool operator==(const Duration&, const Duration&) = default;
};

std::string EncodeDuration(const Duration& duration);
// kInvalidArgument when the bytes are none that EncodeDuration writes for a duration of one sign.
Result<Duration> DecodeDuration(std::string_view bytes);

// 1y2mo3w4d5h6m7s8ms9us10ns (units in this order, each at most once, any of them), P1Y2M3DT4H5M6S,
// P2W and P0001-02-03T04:05:06; each may have a minus before it.
Result<Duration> ParseDuration(std::string_view text);

// 1y2mo4d5h6m7s8ms9us10ns, without the parts that are zero; "0ns" when all are.
std::string DurationText(const Duration& duration);

// The moment so much later: months first, keeping within the month's end, then days, then time.
// kInvalidArgument when it is beyond int64.
Result<int64_t> AddDuration(int64_t unix_ms, const Duration& duration);
// REQUIRES: as DecodeDuration gives them.
Result<int64_t> SubtractDuration(int64_t unix_ms, const Duration& duration);

}  // namespace orrery::cassandra
