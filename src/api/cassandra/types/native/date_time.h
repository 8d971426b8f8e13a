// timestamp, date and time values: the texts that Cassandra 4.1 reads, and those it shows.
//
//   timestamp := milliseconds since 1970, int64      date := days, 2^31 is 1970-01-01, uint32
//   time      := nanoseconds since midnight, int64
//
// A timestamp without a zone is in UTC. Zones: Z, +01, +0130, +01:30, UTC, GMT+2, and the usual
// abbreviations and English names (CET, "Pacific Daylight Time"), each a fixed offset. Unlike Java,
// no region names (Europe/Paris).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::cassandra {

inline constexpr int64_t kMillisPerDay = 86'400'000;
inline constexpr int64_t kNanosPerDay = 86'400'000'000'000;
inline constexpr int64_t kDateEpoch = int64_t{1} << 31;  // the date value of 1970-01-01

// "now", milliseconds, 2011-02-03, 2011-02-03+0000, 2011-2-3 4:05, 2011-02-03T04:05:06.789Z, with a
// zone as above. `now_ms` is what "now" stands for. Days beyond a month's end are its last day, as
// Java has it.
Result<int64_t> ParseTimestamp(std::string_view text, int64_t now_ms);
// 2011-02-03, or the value itself in digits.
Result<uint32_t> ParseDate(std::string_view text);
// 04:05:06, 04:05:06.789123456, or the value itself in digits.
Result<int64_t> ParseTime(std::string_view text);

// 2011-02-03T04:05:06.789Z; JSON has a blank in place of the T.
std::string TimestampText(int64_t unix_ms, char separator = 'T');
std::string DateText(uint32_t date);
// 04:05:06.789123456
std::string TimeText(int64_t nanoseconds);

// The day that a moment is on. nullopt when a date cannot hold it.
std::optional<uint32_t> DateOfTimestamp(int64_t unix_ms);
int64_t TimestampOfDate(uint32_t date);

}  // namespace orrery::cassandra
