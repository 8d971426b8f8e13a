// Points in time as query languages write and count them.
//
//   date_time := YYYY-MM-DD [("T" | " ") hh:mm:ss ["." fraction]] ["Z"]
//   fraction  := 1 to 7 digits
//
// All times are UTC, in the proleptic Gregorian calendar without leap seconds, from year 1 to 9999.
// They are counted in ticks of 100 ns since 1970.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orrery::model {

using Ticks = int64_t;

inline constexpr Ticks kTicksPerMicrosecond = 10;
inline constexpr Ticks kTicksPerMillisecond = 1000 * kTicksPerMicrosecond;
inline constexpr Ticks kTicksPerSecond = 1000 * kTicksPerMillisecond;
inline constexpr Ticks kTicksPerMinute = 60 * kTicksPerSecond;
inline constexpr Ticks kTicksPerHour = 60 * kTicksPerMinute;
inline constexpr Ticks kTicksPerDay = 24 * kTicksPerHour;

inline constexpr Ticks kTicksMin = -719'162 * kTicksPerDay;            // 0001-01-01
inline constexpr Ticks kTicksEnd = 2'932'897 * kTicksPerDay;           // 10000-01-01, no more
inline constexpr Ticks kWindowsEpochTicks = -116'444'736'000'000'000;  // 1601-01-01

inline bool IsInCalendar(Ticks ticks) { return ticks >= kTicksMin && ticks < kTicksEnd; }

struct DateTimeParts {
  int64_t year = 1;
  int64_t month = 1;
  int64_t day = 1;
  int64_t hour = 0;
  int64_t minute = 0;
  int64_t second = 0;
  int64_t fraction = 0;  // ticks
};

// REQUIRES: IsInCalendar(ticks).
DateTimeParts SplitDateTime(Ticks ticks);
// Nothing when there is no such day or time.
std::optional<Ticks> JoinDateTime(const DateTimeParts& parts);

int64_t DaysInMonth(int64_t year, int64_t month);

std::optional<Ticks> ParseTicks(std::string_view text);
// "2017-04-20T13:15:20.3456789Z". REQUIRES: IsInCalendar(ticks).
std::string FormatTicks(Ticks ticks);

}  // namespace orrery::model
