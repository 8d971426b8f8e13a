#include "api/mongo/language/expression/date_time.h"

#include <fmt/core.h>

#include <array>
#include <cctype>
#include <chrono>

namespace orrery::mongo {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

int64_t DaysFromCivil(int64_t year, int64_t month, int64_t day) {
  using namespace std::chrono;
  const int64_t months = year * 12 + month - 1;
  const int64_t whole_year = FloorDiv(months, 12);
  // The calendar repeats after 400 years, which keeps the year within what chrono holds.
  const int64_t cycle = FloorDiv(whole_year, 400);
  const auto date = std::chrono::year(static_cast<int>(whole_year - cycle * 400)) /
                    std::chrono::month(static_cast<unsigned>(months - whole_year * 12 + 1)) / 1;
  return sys_days(date).time_since_epoch().count() + cycle * 146'097 + day - 1;
}

// Reads digits of a text, one number after the other.
class DateReader {
 public:
  explicit DateReader(std::string_view text) : text_(text) {}
  bool Take(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  std::optional<int64_t> Number(size_t digits_min, size_t digits_max) {
    size_t size = 0;
    int64_t number = 0;
    while (size < digits_max && size < text_.size() &&
           std::isdigit(static_cast<unsigned char>(text_[size])) != 0) {
      number = number * 10 + (text_[size++] - '0');
    }
    if (size < digits_min) return std::nullopt;
    text_.remove_prefix(size);
    return number;
  }
  bool at_end() const { return text_.empty(); }

 private:
  std::string_view text_;
};

// "Z", "+05:30", "-0800", "+05".
std::optional<int64_t> ReadOffset(DateReader& reader) {
  if (reader.Take('Z') || reader.Take('z')) return 0;
  const bool is_negative = reader.Take('-');
  if (!is_negative && !reader.Take('+')) return std::nullopt;
  const std::optional<int64_t> hours = reader.Number(2, 2);
  if (!hours.has_value()) return std::nullopt;
  reader.Take(':');
  const int64_t minutes = reader.Number(2, 2).value_or(0);
  const int64_t offset = (*hours * 60 + minutes) * 60'000;
  return is_negative ? -offset : offset;
}

}  // namespace

int64_t FloorDiv(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0);
}

DateParts PartsOf(int64_t local_ms) {
  using namespace std::chrono;
  const int64_t days_count = FloorDiv(local_ms, kDayMs);
  const int64_t in_day = local_ms - days_count * kDayMs;
  const int64_t cycle = FloorDiv(days_count, 146'097);
  const year_month_day date{
      sys_days(std::chrono::days(static_cast<int>(days_count - cycle * 146'097)))};
  return {.year = int{date.year()} + cycle * 400,
          .month = static_cast<int64_t>(static_cast<unsigned>(date.month())),
          .day = static_cast<int64_t>(static_cast<unsigned>(date.day())),
          .hour = in_day / 3'600'000,
          .minute = in_day / 60'000 % 60,
          .second = in_day / 1000 % 60,
          .millisecond = in_day % 1000};
}

int64_t MillisecondsOf(const DateParts& parts) {
  return DaysFromCivil(parts.year, parts.month, parts.day) * kDayMs + parts.hour * 3'600'000 +
         parts.minute * 60'000 + parts.second * 1000 + parts.millisecond;
}

int64_t DayOfYear(int64_t local_ms) {
  return FloorDiv(local_ms, kDayMs) - DaysFromCivil(PartsOf(local_ms).year, 1, 1) + 1;
}

int64_t IsoDayOfWeek(int64_t local_ms) {
  const int64_t day = FloorDiv(local_ms, kDayMs) + 3;  // 1970-01-01 was a Thursday
  return day - FloorDiv(day, 7) * 7 + 1;
}

int64_t DayOfWeek(int64_t local_ms) { return IsoDayOfWeek(local_ms) % 7 + 1; }

int64_t WeekOfYear(int64_t local_ms) { return (DayOfYear(local_ms) + 7 - DayOfWeek(local_ms)) / 7; }

int64_t IsoWeekYear(int64_t local_ms) {
  // The year of the week's Thursday.
  return PartsOf(local_ms + (4 - IsoDayOfWeek(local_ms)) * kDayMs).year;
}

int64_t IsoWeek(int64_t local_ms) {
  return (DayOfYear(local_ms + (4 - IsoDayOfWeek(local_ms)) * kDayMs) - 1) / 7 + 1;
}

int64_t UnitMs(std::string_view unit) {
  if (unit == "millisecond") return 1;
  if (unit == "second") return 1000;
  if (unit == "minute") return 60'000;
  if (unit == "hour") return 3'600'000;
  if (unit == "day") return kDayMs;
  if (unit == "week") return 7 * kDayMs;
  return 0;
}

int64_t UnitMonths(std::string_view unit) {
  return unit == "month" ? 1 : unit == "quarter" ? 3 : unit == "year" ? 12 : 0;
}

namespace {

int64_t AddMonths(int64_t local, int64_t months) {
  DateParts parts = PartsOf(local);
  const int64_t day = parts.day;
  parts.month += months;
  parts.day = 1;
  const int64_t first = MillisecondsOf(parts);
  DateParts next = PartsOf(first);
  next.month += 1;
  const int64_t days = (MillisecondsOf(next) - first) / kDayMs;
  return first + (std::min(day, days) - 1) * kDayMs;
}

constexpr int64_t kMovedMonthsMax = 1'200'000;

}  // namespace

std::optional<int64_t> MoveDate(int64_t unix_ms, std::string_view unit, int64_t amount,
                                const model::TimeZone& zone) {
  if (const int64_t months = UnitMonths(unit)) {
    int64_t total = 0;
    if (__builtin_mul_overflow(months, amount, &total) || total > kMovedMonthsMax ||
        total < -kMovedMonthsMax) {
      return std::nullopt;
    }
    return zone.ToUtc(AddMonths(unix_ms + zone.OffsetAt(unix_ms), total));
  }
  int64_t ms = 0;
  int64_t moved = 0;
  // Days and weeks keep the local time of day.
  const bool is_local = UnitMs(unit) >= kDayMs;
  const int64_t from = is_local ? unix_ms + zone.OffsetAt(unix_ms) : unix_ms;
  if (__builtin_mul_overflow(UnitMs(unit), amount, &ms) ||
      __builtin_add_overflow(from, ms, &moved)) {
    return std::nullopt;
  }
  return is_local ? zone.ToUtc(moved) : moved;
}

Answer<model::TimeZone> ParseTimeZone(const std::string& name) {
  if (name == "UTC" || name == "GMT" || name == "Z") return model::TimeZone::Utc();
  if (name.starts_with('+') || name.starts_with('-')) {
    DateReader reader(name);
    const std::optional<int64_t> offset = ReadOffset(reader);
    if (offset.has_value() && reader.at_end()) return model::TimeZone::Fixed(*offset);
  } else if (const std::optional<model::TimeZone> zone = model::TimeZone::Named(name)) {
    return *zone;
  }
  return Refuse(40485, fmt::format("unrecognized time zone identifier: \"{}\"", name));
}

Answer<std::string> FormatDate(int64_t unix_ms, const model::TimeZone& zone,
                               std::string_view format) {
  const int64_t offset = zone.OffsetAt(unix_ms);
  const int64_t local = unix_ms + offset;
  const DateParts parts = PartsOf(local);
  std::string out;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out.push_back(format[i]);
      continue;
    }
    if (++i == format.size()) return Refuse(18535, "Unmatched '%' at end of format string");
    switch (format[i]) {
      case '%':
        out.push_back('%');
        break;
      case 'Y':
      case 'G': {
        const int64_t year = format[i] == 'Y' ? parts.year : IsoWeekYear(local);
        if (year < 0 || year > 9999) {
          return Refuse(18537, fmt::format("Could not convert date to string: date component was "
                                           "outside the supported range of 0-9999: {}",
                                           year));
        }
        out += fmt::format("{:04}", year);
        break;
      }
      case 'm':
        out += fmt::format("{:02}", parts.month);
        break;
      case 'b':
        out += kMonths[static_cast<size_t>(parts.month - 1)].substr(0, 3);
        break;
      case 'B':
        out += kMonths[static_cast<size_t>(parts.month - 1)];
        break;
      case 'd':
        out += fmt::format("{:02}", parts.day);
        break;
      case 'H':
        out += fmt::format("{:02}", parts.hour);
        break;
      case 'M':
        out += fmt::format("{:02}", parts.minute);
        break;
      case 'S':
        out += fmt::format("{:02}", parts.second);
        break;
      case 'L':
        out += fmt::format("{:03}", parts.millisecond);
        break;
      case 'j':
        out += fmt::format("{:03}", DayOfYear(local));
        break;
      case 'w':
        out += std::to_string(DayOfWeek(local));
        break;
      case 'u':
        out += std::to_string(IsoDayOfWeek(local));
        break;
      case 'U':
        out += fmt::format("{:02}", WeekOfYear(local));
        break;
      case 'V':
        out += fmt::format("{:02}", IsoWeek(local));
        break;
      case 'z': {
        const int64_t minutes = std::abs(offset) / 60'000;
        out += fmt::format("{}{:02}{:02}", offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
        break;
      }
      case 'Z':
        out += std::to_string(offset / 60'000);
        break;
      default:
        return Refuse(18536,
                      fmt::format("Invalid format character '%{}' in format string", format[i]));
    }
  }
  return out;
}

}  // namespace orrery::mongo
