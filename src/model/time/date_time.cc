#include "model/time/date_time.h"

#include <chrono>

namespace orrery::model {
namespace {

// Reads `count` digits at the front of `text` and takes them off.
bool TakeDigits(std::string_view& text, size_t count, int64_t& number) {
  if (text.size() < count) return false;
  number = 0;
  for (const char c : text.substr(0, count)) {
    if (c < '0' || c > '9') return false;
    number = number * 10 + (c - '0');
  }
  text.remove_prefix(count);
  return true;
}

bool Take(std::string_view& text, char expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(1);
  return true;
}

bool TakeFraction(std::string_view& text, int64_t& ticks) {
  constexpr size_t kDigitsMax = 7;
  size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  if (digits == 0 || digits > kDigitsMax) return false;
  if (!TakeDigits(text, digits, ticks)) return false;
  for (; digits < kDigitsMax; ++digits) ticks *= 10;
  return true;
}

}  // namespace

int64_t DaysInMonth(int64_t year, int64_t month) {
  using namespace std::chrono;
  const year_month_day_last last{std::chrono::year(static_cast<int>(year)),
                                 month_day_last(std::chrono::month(static_cast<unsigned>(month)))};
  return static_cast<unsigned>(last.day());
}

DateTimeParts SplitDateTime(Ticks ticks) {
  int64_t days = ticks / kTicksPerDay;
  int64_t rest = ticks % kTicksPerDay;
  if (rest < 0) {
    --days;
    rest += kTicksPerDay;
  }
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<int>(days)))};
  return {.year = static_cast<int>(date.year()),
          .month = static_cast<unsigned>(date.month()),
          .day = static_cast<unsigned>(date.day()),
          .hour = rest / kTicksPerHour,
          .minute = rest / kTicksPerMinute % 60,
          .second = rest / kTicksPerSecond % 60,
          .fraction = rest % kTicksPerSecond};
}

std::optional<Ticks> JoinDateTime(const DateTimeParts& parts) {
  const auto within = [](int64_t value, int64_t low, int64_t high) {
    return value >= low && value <= high;
  };
  if (!within(parts.year, 1, 9999) || !within(parts.month, 1, 12) ||
      !within(parts.day, 1, DaysInMonth(parts.year, parts.month)) || !within(parts.hour, 0, 23) ||
      !within(parts.minute, 0, 59) || !within(parts.second, 0, 59) ||
      !within(parts.fraction, 0, kTicksPerSecond - 1)) {
    return std::nullopt;
  }
  const std::chrono::sys_days days = std::chrono::year(static_cast<int>(parts.year)) /
                                     std::chrono::month(static_cast<unsigned>(parts.month)) /
                                     std::chrono::day(static_cast<unsigned>(parts.day));
  return days.time_since_epoch().count() * kTicksPerDay + parts.hour * kTicksPerHour +
         parts.minute * kTicksPerMinute + parts.second * kTicksPerSecond + parts.fraction;
}

std::optional<Ticks> ParseTicks(std::string_view text) {
  DateTimeParts parts;
  if (!TakeDigits(text, 4, parts.year) || !Take(text, '-') || !TakeDigits(text, 2, parts.month) ||
      !Take(text, '-') || !TakeDigits(text, 2, parts.day)) {
    return std::nullopt;
  }
  if (Take(text, 'T') || Take(text, ' ')) {
    if (!TakeDigits(text, 2, parts.hour) || !Take(text, ':') ||
        !TakeDigits(text, 2, parts.minute) || !Take(text, ':') ||
        !TakeDigits(text, 2, parts.second)) {
      return std::nullopt;
    }
    if (Take(text, '.') && !TakeFraction(text, parts.fraction)) return std::nullopt;
  }
  Take(text, 'Z');
  if (!text.empty()) return std::nullopt;
  return JoinDateTime(parts);
}

std::string FormatTicks(Ticks ticks) {
  const DateTimeParts parts = SplitDateTime(ticks);
  std::string text = "0000-00-00T00:00:00.0000000Z";
  const auto put = [&](size_t at, size_t digits, int64_t number) {
    for (size_t i = at + digits; i-- > at; number /= 10)
      text[i] = static_cast<char>('0' + number % 10);
  };
  put(0, 4, parts.year);
  put(5, 2, parts.month);
  put(8, 2, parts.day);
  put(11, 2, parts.hour);
  put(14, 2, parts.minute);
  put(17, 2, parts.second);
  put(20, 7, parts.fraction);
  return text;
}

}  // namespace orrery::model
