// Dates as the aggregation language takes them apart, writes and reads them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/mongo/error/mongo_error.h"
#include "model/time/time_zone.h"

namespace orrery::mongo {

struct DateParts {
  int64_t year = 1970;
  int64_t month = 1;
  int64_t day = 1;
  int64_t hour = 0;
  int64_t minute = 0;
  int64_t second = 0;
  int64_t millisecond = 0;
};

// Of a local time in milliseconds.
DateParts PartsOf(int64_t local_ms);
// Parts out of their range carry over: month 14 is February of the next year.
int64_t MillisecondsOf(const DateParts& parts);

int64_t DayOfYear(int64_t local_ms);
int64_t DayOfWeek(int64_t local_ms);     // Sunday is 1
int64_t IsoDayOfWeek(int64_t local_ms);  // Monday is 1
int64_t WeekOfYear(int64_t local_ms);    // 0 before the first Sunday
int64_t IsoWeek(int64_t local_ms);
int64_t IsoWeekYear(int64_t local_ms);
inline constexpr int64_t kDayMs = 86'400'000;
int64_t FloorDiv(int64_t a, int64_t b);

// Milliseconds of units that have the same length always; 0 for the others.
int64_t UnitMs(std::string_view unit);
// 1 for a month, 3 for a quarter, 12 for a year; 0 for the others.
int64_t UnitMonths(std::string_view unit);
// The date so many units later: days keep the local time, months the day as far as they have it.
// Nullopt if it overflows. REQUIRES: a known unit.
std::optional<int64_t> MoveDate(int64_t unix_ms, std::string_view unit, int64_t amount,
                                const model::TimeZone& zone);

// "UTC", "+05:30", "Europe/Berlin"; 40485 for an unknown name.
Answer<model::TimeZone> ParseTimeZone(const std::string& name);

// 18535 and 18536 for a bad format.
Answer<std::string> FormatDate(int64_t unix_ms, const model::TimeZone& zone,
                               std::string_view format);

}  // namespace orrery::mongo
