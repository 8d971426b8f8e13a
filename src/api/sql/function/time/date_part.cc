#include "api/sql/function/time/date_part.h"

#include <algorithm>
#include <string>

#include "base/check.h"

namespace orrery::sql {
namespace {

struct PartName {
  std::string_view name;
  DatePart part;
};

constexpr PartName kNames[] = {
    {"year", DatePart::kYear},       {"yyyy", DatePart::kYear},
    {"yy", DatePart::kYear},         {"month", DatePart::kMonth},
    {"mm", DatePart::kMonth},        {"m", DatePart::kMonth},
    {"day", DatePart::kDay},         {"dd", DatePart::kDay},
    {"d", DatePart::kDay},           {"hour", DatePart::kHour},
    {"hh", DatePart::kHour},         {"minute", DatePart::kMinute},
    {"mi", DatePart::kMinute},       {"n", DatePart::kMinute},
    {"second", DatePart::kSecond},   {"ss", DatePart::kSecond},
    {"s", DatePart::kSecond},        {"millisecond", DatePart::kMillisecond},
    {"ms", DatePart::kMillisecond},  {"microsecond", DatePart::kMicrosecond},
    {"mcs", DatePart::kMicrosecond}, {"nanosecond", DatePart::kNanosecond},
    {"ns", DatePart::kNanosecond},
};

constexpr int64_t kNanosecondsPerTick = 100;

int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// Of the parts that always last as long; 0 of the others.
model::Ticks TicksOf(DatePart part) {
  switch (part) {
    case DatePart::kDay:
      return model::kTicksPerDay;
    case DatePart::kHour:
      return model::kTicksPerHour;
    case DatePart::kMinute:
      return model::kTicksPerMinute;
    case DatePart::kSecond:
      return model::kTicksPerSecond;
    case DatePart::kMillisecond:
      return model::kTicksPerMillisecond;
    case DatePart::kMicrosecond:
      return model::kTicksPerMicrosecond;
    default:
      return 0;
  }
}

// Since year 0, whichever the day.
int64_t MonthOf(model::Ticks ticks) {
  const model::DateTimeParts parts = model::SplitDateTime(ticks);
  return parts.year * 12 + parts.month - 1;
}

std::optional<model::Ticks> AddMonths(model::Ticks ticks, int64_t count) {
  constexpr int64_t kMonthsMax = 10'000 * 12;
  if (count < -kMonthsMax || count > kMonthsMax) return std::nullopt;
  model::DateTimeParts parts = model::SplitDateTime(ticks);
  const int64_t month = MonthOf(ticks) + count;
  parts.year = FloorDivide(month, 12);
  parts.month = month - parts.year * 12 + 1;
  if (parts.year < 1 || parts.year > 9999) return std::nullopt;
  parts.day = std::min(parts.day, model::DaysInMonth(parts.year, parts.month));
  return model::JoinDateTime(parts);
}

std::optional<model::Ticks> AddYears(model::Ticks ticks, int64_t count) {
  constexpr int64_t kYearsMax = 10'000;
  if (count < -kYearsMax || count > kYearsMax) return std::nullopt;
  return AddMonths(ticks, count * 12);
}

std::optional<model::Ticks> BinMonths(model::Ticks ticks, int64_t size, model::Ticks origin) {
  constexpr int64_t kMonthsMax = 10'000 * 12;
  if (size > kMonthsMax) size = kMonthsMax;
  int64_t bins = FloorDivide(MonthOf(ticks) - MonthOf(origin), size);
  auto start = AddMonths(origin, bins * size);
  // The same month, but the origin's day of it is still to come.
  if (start.has_value() && *start > ticks) start = AddMonths(origin, --bins * size);
  return start;
}

}  // namespace

std::optional<DatePart> ParseDatePart(std::string_view name) {
  std::string lower(name.substr(0, 16));
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  if (name.size() != lower.size()) return std::nullopt;
  const auto* found = std::ranges::find(kNames, std::string_view(lower), &PartName::name);
  if (found == std::end(kNames)) return std::nullopt;
  return found->part;
}

std::optional<model::Ticks> AddDatePart(model::Ticks ticks, DatePart part, int64_t count) {
  if (part == DatePart::kYear) return AddYears(ticks, count);
  if (part == DatePart::kMonth) return AddMonths(ticks, count);
  model::Ticks added = count / kNanosecondsPerTick;
  if (part != DatePart::kNanosecond && __builtin_mul_overflow(count, TicksOf(part), &added))
    return std::nullopt;
  model::Ticks sum = 0;
  if (__builtin_add_overflow(ticks, added, &sum) || !model::IsInCalendar(sum)) return std::nullopt;
  return sum;
}

double CountBoundaries(DatePart part, model::Ticks start, model::Ticks end) {
  switch (part) {
    case DatePart::kYear:
      return static_cast<double>(model::SplitDateTime(end).year - model::SplitDateTime(start).year);
    case DatePart::kMonth:
      return static_cast<double>(MonthOf(end) - MonthOf(start));
    case DatePart::kNanosecond:
      return static_cast<double>(end - start) * kNanosecondsPerTick;
    default:
      return static_cast<double>(FloorDivide(end, TicksOf(part)) -
                                 FloorDivide(start, TicksOf(part)));
  }
}

int64_t ReadDatePart(DatePart part, model::Ticks ticks) {
  const model::DateTimeParts parts = model::SplitDateTime(ticks);
  switch (part) {
    case DatePart::kYear:
      return parts.year;
    case DatePart::kMonth:
      return parts.month;
    case DatePart::kDay:
      return parts.day;
    case DatePart::kHour:
      return parts.hour;
    case DatePart::kMinute:
      return parts.minute;
    case DatePart::kSecond:
      return parts.second;
    case DatePart::kMillisecond:
      return parts.fraction / model::kTicksPerMillisecond;
    case DatePart::kMicrosecond:
      return parts.fraction / model::kTicksPerMicrosecond;
    case DatePart::kNanosecond:
      return parts.fraction * kNanosecondsPerTick;
  }
  return 0;
}

std::optional<model::Ticks> BinDatePart(model::Ticks ticks, DatePart part, int64_t size,
                                        model::Ticks origin) {
  ORRERY_CHECK(size > 0);
  if (part == DatePart::kYear)
    return BinMonths(ticks, std::min<int64_t>(size, 10'000) * 12, origin);
  if (part == DatePart::kMonth) return BinMonths(ticks, size, origin);
  model::Ticks width = std::max<model::Ticks>(size / kNanosecondsPerTick, 1);
  if (part != DatePart::kNanosecond && __builtin_mul_overflow(size, TicksOf(part), &width))
    width = model::kTicksEnd - model::kTicksMin;
  width = std::min(width, model::kTicksEnd - model::kTicksMin);
  const model::Ticks bin = FloorDivide(ticks - origin, width) * width + origin;
  if (!model::IsInCalendar(bin)) return std::nullopt;
  return bin;
}

}  // namespace orrery::sql
