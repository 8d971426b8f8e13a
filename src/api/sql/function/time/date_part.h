// The parts of a date that date functions add, count, read and round by.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/time/date_time.h"

namespace orrery::sql {

enum class DatePart : uint8_t {
  kYear,
  kMonth,
  kDay,
  kHour,
  kMinute,
  kSecond,
  kMillisecond,
  kMicrosecond,
  kNanosecond,
};

// "year", "yyyy", "yy" and so on, in any case of letters.
std::optional<DatePart> ParseDatePart(std::string_view name);

// Months and years keep the day where the month has it, else take the month's last. A nanosecond
// is less than a tick: what is left of a hundred is dropped. Nothing when it leaves the calendar.
std::optional<model::Ticks> AddDatePart(model::Ticks ticks, DatePart part, int64_t count);

// Returns how many boundaries of the part lie between the two; negative when `end` is earlier. A
// double because ten thousand years of nanoseconds are more than int64 holds.
double CountBoundaries(DatePart part, model::Ticks start, model::Ticks end);

// The part's own number: of a fraction of a second, all that its unit can say of the fraction.
int64_t ReadDatePart(DatePart part, model::Ticks ticks);

// The latest of origin, origin + size, origin + 2 size ... (and those before) that is not after
// `ticks`. Nothing when it leaves the calendar. REQUIRES: size > 0.
std::optional<model::Ticks> BinDatePart(model::Ticks ticks, DatePart part, int64_t size,
                                        model::Ticks origin);

}  // namespace orrery::sql
