#include "api/cassandra/types/native/date_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "api/cassandra/types/native/civil.h"
#include "api/cassandra/types/native/time_zone.h"
#include "query/lexer/character_class.h"

namespace orrery::cassandra {
namespace {

using query::IsDigit;

// An optional minus and digits: the value itself rather than a date.
bool IsWholeNumber(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), IsDigit);
}

std::optional<int64_t> WholeNumber(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Takes pieces off the front of a text; each says false, and the text is spoilt, when it is not
// there.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  std::string_view rest() const { return rest_; }
  bool empty() const { return rest_.empty(); }

  bool Take(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // Between `least` and `most` digits.
  bool Digits(size_t least, size_t most, int64_t& number) {
    size_t count = 0;
    number = 0;
    while (count < rest_.size() && count < most && IsDigit(rest_[count]))
      number = number * 10 + (rest_[count++] - '0');
    rest_.remove_prefix(count);
    return count >= least && (rest_.empty() || !IsDigit(rest_[0]));
  }

 private:
  std::string_view rest_;
};

constexpr size_t kYearDigitsMax = 9;

// ISO: four digits, or a sign and more; two for month and day.
bool ScanIsoDate(Scanner& scanner, CivilDate& date) {
  const bool negative = scanner.Take('-');
  const bool positive = !negative && scanner.Take('+');
  int64_t month = 0;
  int64_t day = 0;
  const size_t before = scanner.rest().size();
  if (!scanner.Digits(4, kYearDigitsMax, date.year)) return false;
  const size_t digits = before - scanner.rest().size();
  if (positive ? digits <= 4 : !negative && digits > 4) return false;
  if (negative) date.year = -date.year;
  if (!scanner.Take('-') || !scanner.Digits(2, 2, month)) return false;
  if (!scanner.Take('-') || !scanner.Digits(2, 2, day)) return false;
  if (month < 1 || month > 12 || day < 1 || day > 31) return false;
  date.month = static_cast<int>(month);
  date.day = static_cast<int>(day);
  return true;
}

// One digit is enough for each part; a sign, as TimestampText may write, is taken.
bool ScanLooseDate(Scanner& scanner, CivilDate& date) {
  int64_t month = 0;
  int64_t day = 0;
  const bool negative = scanner.Take('-');
  if (!negative) static_cast<void>(scanner.Take('+'));
  if (!scanner.Digits(1, kYearDigitsMax, date.year)) return false;
  if (negative) date.year = -date.year;
  if (!scanner.Take('-') || !scanner.Digits(1, 2, month)) return false;
  if (!scanner.Take('-') || !scanner.Digits(1, 2, day)) return false;
  if (month < 1 || month > 12 || day < 1 || day > 31) return false;
  date.month = static_cast<int>(month);
  date.day = static_cast<int>(day);
  return true;
}

// The digits of a second's fraction that make milliseconds; the others are cut.
bool ScanFraction(Scanner& scanner, int64_t& milliseconds) {
  const size_t before = scanner.rest().size();
  int64_t number = 0;
  if (!scanner.Digits(0, 9, number)) return false;
  size_t digits = before - scanner.rest().size();
  for (; digits < 3; ++digits) number *= 10;
  for (; digits > 3; --digits) number /= 10;
  milliseconds = number;
  return true;
}

// H:m[:s[.fraction]]; 24:00 is the next day's midnight.
bool ScanTimeOfDay(Scanner& scanner, int64_t& milliseconds) {
  int64_t hour = 0;
  int64_t minute = 0;
  int64_t second = 0;
  int64_t fraction = 0;
  if (!scanner.Digits(1, 2, hour)) return false;
  if (!scanner.Take(':') || !scanner.Digits(1, 2, minute)) return false;
  if (scanner.Take(':')) {
    if (!scanner.Digits(1, 2, second)) return false;
    if (scanner.Take('.') && !ScanFraction(scanner, fraction)) return false;
  }
  const bool midnight = hour == 24 && minute == 0 && second == 0 && fraction == 0;
  if ((hour > 23 && !midnight) || minute > 59 || second > 59) return false;
  milliseconds = ((hour * 60 + minute) * 60 + second) * 1'000 + fraction;
  return true;
}

// Scans what follows date and time: nothing, an offset, or a blank and a zone.
bool ScanZone(Scanner& scanner, int32_t& offset) {
  if (scanner.empty()) return true;
  const bool blank = scanner.Take(' ');
  const auto found = blank ? ParseTimeZone(scanner.rest()) : ParseUtcOffset(scanner.rest());
  offset = found.value_or(0);
  return found.has_value();
}

std::optional<int64_t> Combine(CivilDate date, int64_t time_of_day, int32_t offset) {
  date.day = std::min(date.day, DaysInMonth(date.year, date.month));
  int64_t days = DaysFromCivil(date);
  int64_t rest = time_of_day - int64_t{offset} * 1'000;
  // The first day that a timestamp reaches begins before the first timestamp.
  if (days < 0) {
    ++days;
    rest -= kMillisPerDay;
  }
  int64_t milliseconds = 0;
  if (__builtin_mul_overflow(days, kMillisPerDay, &milliseconds) ||
      __builtin_add_overflow(milliseconds, rest, &milliseconds))
    return std::nullopt;
  return milliseconds;
}

std::optional<int64_t> ScanTimestamp(std::string_view text) {
  CivilDate date;
  int64_t time_of_day = 0;
  int32_t offset = 0;
  Scanner with_time(text);
  if (ScanLooseDate(with_time, date) && (with_time.Take('T') || with_time.Take(' ')) &&
      ScanTimeOfDay(with_time, time_of_day) && ScanZone(with_time, offset))
    return Combine(date, time_of_day, offset);
  Scanner day_only(text);
  if (ScanIsoDate(day_only, date) && ScanZone(day_only, offset)) return Combine(date, 0, offset);
  return std::nullopt;
}

bool IsNow(std::string_view text) {
  return text.size() == 3 && (text[0] | 0x20) == 'n' && (text[1] | 0x20) == 'o' &&
         (text[2] | 0x20) == 'w';
}

std::string YearText(int64_t year) {
  if (year > 9'999) return fmt::format("+{}", year);
  return year < 0 ? fmt::format("-{:04}", -year) : fmt::format("{:04}", year);
}

std::unexpected<Error> NoTime(std::string_view text) {
  return Fail(Code::kInvalidArgument,
              fmt::format("(TimeType) Unable to coerce '{}' to a formatted time (long)", text));
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && static_cast<uint8_t>(text.front()) <= ' ') text.remove_prefix(1);
  while (!text.empty() && static_cast<uint8_t>(text.back()) <= ' ') text.remove_suffix(1);
  return text;
}

struct SplitDay {
  int64_t days;
  int64_t rest_ms;  // not negative
};

SplitDay Split(int64_t unix_ms) {
  SplitDay split{unix_ms / kMillisPerDay, unix_ms % kMillisPerDay};
  if (split.rest_ms < 0) {
    split.rest_ms += kMillisPerDay;
    --split.days;
  }
  return split;
}

}  // namespace

Result<int64_t> ParseTimestamp(std::string_view text, int64_t now_ms) {
  if (IsNow(text)) return now_ms;
  if (IsWholeNumber(text)) {
    if (const auto number = WholeNumber(text)) return *number;
    return Fail(Code::kInvalidArgument,
                fmt::format("Unable to make long (for date) from: '{}'", text));
  }
  if (const auto scanned = ScanTimestamp(text)) return *scanned;
  return Fail(Code::kInvalidArgument, fmt::format("Unable to parse a date/time from '{}'", text));
}

Result<uint32_t> ParseDate(std::string_view text) {
  if (IsWholeNumber(text)) {
    const auto number = WholeNumber(text);
    if (!number.has_value() || *number < 0 || *number > std::numeric_limits<uint32_t>::max()) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("Unable to make unsigned int (for date) from: '{}'", text));
    }
    return static_cast<uint32_t>(*number);
  }
  Scanner scanner(text);
  CivilDate date;
  if (!ScanIsoDate(scanner, date) || !scanner.empty() ||
      date.day > DaysInMonth(date.year, date.month)) {
    return Fail(Code::kInvalidArgument,
                fmt::format("Unable to coerce '{}' to a formatted date (long)", text));
  }
  const int64_t value = DaysFromCivil(date) + kDateEpoch;
  if (value < 0) {
    return Fail(Code::kInvalidArgument,
                fmt::format("Input date {} is less than min supported date {}", text, DateText(0)));
  }
  if (value > std::numeric_limits<uint32_t>::max()) {
    return Fail(Code::kInvalidArgument,
                fmt::format("Input date {} is greater than max supported date {}", text,
                            DateText(std::numeric_limits<uint32_t>::max())));
  }
  return static_cast<uint32_t>(value);
}

Result<int64_t> ParseTime(std::string_view text) {
  if (IsWholeNumber(text)) {
    const auto number = WholeNumber(text);
    if (!number.has_value() || *number < 0 || *number >= kNanosPerDay) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("Unable to make long (for time) from: '{}'", text));
    }
    return *number;
  }
  constexpr size_t kIntDigitsMax = 9;
  Scanner scanner(Trim(text));
  int64_t hour = 0;
  int64_t minute = 0;
  int64_t second = 0;
  int64_t nanoseconds = 0;
  if (!scanner.Digits(1, kIntDigitsMax, hour) || !scanner.Take(':') ||
      !scanner.Digits(1, kIntDigitsMax, minute) || !scanner.Take(':') ||
      !scanner.Digits(1, kIntDigitsMax, second))
    return NoTime(text);
  if (scanner.Take('.')) {
    size_t digits = scanner.rest().size();
    if (!scanner.Digits(1, 9, nanoseconds)) return NoTime(text);
    for (; digits < 9; ++digits) nanoseconds *= 10;
  }
  if (!scanner.empty() || hour > 23 || minute > 59 || second > 59) return NoTime(text);
  return ((hour * 60 + minute) * 60 + second) * 1'000'000'000 + nanoseconds;
}

std::string TimestampText(int64_t unix_ms, char separator) {
  const SplitDay split = Split(unix_ms);
  const CivilDate date = CivilFromDays(split.days);
  const int64_t seconds = split.rest_ms / 1'000;
  return fmt::format("{}-{:02}-{:02}{}{:02}:{:02}:{:02}.{:03}Z", YearText(date.year), date.month,
                     date.day, separator, seconds / 3'600, seconds / 60 % 60, seconds % 60,
                     split.rest_ms % 1'000);
}

std::string DateText(uint32_t date) {
  const CivilDate civil = CivilFromDays(int64_t{date} - kDateEpoch);
  return fmt::format("{}-{:02}-{:02}", YearText(civil.year), civil.month, civil.day);
}

std::string TimeText(int64_t nanoseconds) {
  const int64_t seconds = nanoseconds / 1'000'000'000;
  return fmt::format("{:02}:{:02}:{:02}.{:09}", seconds / 3'600, seconds / 60 % 60, seconds % 60,
                     nanoseconds % 1'000'000'000);
}

std::optional<uint32_t> DateOfTimestamp(int64_t unix_ms) {
  const int64_t date = Split(unix_ms).days + kDateEpoch;
  if (date < 0 || date > std::numeric_limits<uint32_t>::max()) return std::nullopt;
  return static_cast<uint32_t>(date);
}

int64_t TimestampOfDate(uint32_t date) { return (int64_t{date} - kDateEpoch) * kMillisPerDay; }

}  // namespace orrery::cassandra
