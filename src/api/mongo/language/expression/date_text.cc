#include "api/mongo/language/expression/date_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

#include "api/mongo/language/expression/date_time.h"

namespace orrery::mongo {
namespace {

constexpr std::array<std::string_view, 12> kMonthWords = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};
constexpr std::array<std::string_view, 7> kDayWords = {
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"};

// Zones that a text may name, with their hours.
constexpr std::pair<std::string_view, int> kZoneWords[] = {
    {"z", 0},    {"utc", 0},  {"gmt", 0},  {"wet", 0},  {"bst", 1},  {"cet", 1},  {"west", 1},
    {"cest", 2}, {"eet", 2},  {"eest", 3}, {"msk", 3},  {"jst", 9},  {"est", -5}, {"edt", -4},
    {"cst", -6}, {"cdt", -5}, {"mst", -7}, {"mdt", -6}, {"pst", -8}, {"pdt", -7}};

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool IsLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// TextParts are what a text says, so far.
struct TextParts {
  std::optional<int64_t> year, month, day;
  std::optional<int64_t> week;  // of ISO's year, instead of month and day
  int64_t week_day = 1;
  bool has_time = false;
  int64_t hour = 0, minute = 0, second = 0, millisecond = 0;
  std::optional<int64_t> offset_ms;
  std::string zone_word;           // "Z", "EST"; empty where the offset is a number
  std::optional<int64_t> unix_ms;  // "@1234567890"
};

class TextReader {
 public:
  explicit TextReader(std::string_view text) : text_(text) {}

  bool at_end() const { return text_.empty(); }
  char front() const { return text_.empty() ? '\0' : text_.front(); }
  char at(size_t index) const { return index < text_.size() ? text_[index] : '\0'; }
  void Skip(size_t count) { text_.remove_prefix(std::min(count, text_.size())); }
  bool Take(char c) {
    if (front() != c || text_.empty()) return false;
    Skip(1);
    return true;
  }
  size_t digits() const {
    return static_cast<size_t>(std::ranges::find_if_not(text_, IsDigit) - text_.begin());
  }
  // The number of the next digits, at most so many.
  std::optional<int64_t> Number(size_t digits_min, size_t digits_max) {
    const size_t size = std::min(digits(), digits_max);
    if (size < digits_min) return std::nullopt;
    int64_t number = 0;
    for (size_t i = 0; i < size; ++i) number = number * 10 + (text_[i] - '0');
    Skip(size);
    return number;
  }
  int64_t Fraction() {
    const size_t size = digits();
    int64_t ms = 0;
    for (size_t i = 0; i < 3; ++i) ms = ms * 10 + (i < size ? text_[i] - '0' : 0);
    Skip(size);
    return ms;
  }
  // The next letters, in lower case.
  std::string Word() const {
    std::string word;
    for (size_t i = 0; IsLetter(at(i)); ++i)
      word.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(text_[i]))));
    return word;
  }

 private:
  std::string_view text_;
};

// 1 for "jan" and "january".
std::optional<int64_t> MonthOf(const std::string& word) {
  for (size_t i = 0; i < kMonthWords.size(); ++i) {
    if (word == kMonthWords[i] || word == kMonthWords[i].substr(0, 3) ||
        (i == 8 && word == "sept")) {
      return static_cast<int64_t>(i) + 1;
    }
  }
  return std::nullopt;
}

bool IsDayWord(const std::string& word) {
  return std::ranges::any_of(
      kDayWords, [&](std::string_view day) { return word == day || word == day.substr(0, 3); });
}

// "+05:30", "-0800", "+05".
bool ReadOffset(TextReader& reader, TextParts& parts) {
  const bool is_negative = reader.front() == '-';
  if (!is_negative && reader.front() != '+') return false;
  reader.Skip(1);
  const std::optional<int64_t> hours = reader.Number(1, 2);
  if (!hours.has_value()) return false;
  reader.Take(':');
  const int64_t minutes = reader.Number(2, 2).value_or(0);
  const int64_t offset = (*hours * 60 + minutes) * 60'000;
  parts.offset_ms = is_negative ? -offset : offset;
  return true;
}

int64_t WholeYear(int64_t year, size_t digits) {
  if (digits > 2) return year;
  return year < 70 ? year + 2000 : year + 1900;
}

// Numbers of a date with one sign between them: year first, American with slashes, else day first.
bool ReadNumericDate(TextReader& reader, TextParts& parts) {
  const size_t first_digits = reader.digits();
  const int64_t first = reader.Number(1, 4).value_or(0);
  const char sign = reader.front();
  reader.Skip(1);
  if (IsLetter(reader.front())) {
    const std::string word = reader.Word();
    parts.month = MonthOf(word);
    reader.Skip(word.size());
    if (!parts.month.has_value() || !reader.Take(sign)) return false;
    const size_t last_digits = reader.digits();
    const std::optional<int64_t> last = reader.Number(1, 4);
    if (!last.has_value()) return false;
    parts.year = first_digits == 4 ? first : WholeYear(*last, last_digits);
    parts.day = first_digits == 4 ? *last : first;
    return true;
  }
  const std::optional<int64_t> second = reader.Number(1, 2);
  if (!second.has_value()) return false;
  if (reader.front() != sign || !IsDigit(reader.at(1))) {
    // "2017-02" has no day.
    if (first_digits != 4 || sign == '.' || IsDigit(reader.front())) return false;
    parts.year = first;
    parts.month = *second;
    parts.day = 1;
    return true;
  }
  reader.Skip(1);
  const size_t last_digits = reader.digits();
  const std::optional<int64_t> last = reader.Number(1, 4);
  if (!last.has_value() || IsDigit(reader.front())) return false;
  if (first_digits == 4) {
    if (sign == '.') return false;
    parts.year = first;
    parts.month = *second;
    parts.day = *last;
    return last_digits <= 2;
  }
  parts.year = WholeYear(*last, last_digits);
  parts.month = sign == '/' ? first : *second;
  parts.day = sign == '/' ? *second : first;
  return true;
}

bool ReadTime(TextReader& reader, TextParts& parts) {
  const size_t digits = reader.digits();
  if (parts.has_time || digits == 0) return false;
  parts.has_time = true;
  if (digits == 6 || digits == 4) {
    parts.hour = *reader.Number(2, 2);
    parts.minute = *reader.Number(2, 2);
    if (digits == 6) parts.second = *reader.Number(2, 2);
    if (reader.Take('.')) parts.millisecond = reader.Fraction();
    return true;
  }
  if (digits > 2) return false;
  parts.hour = *reader.Number(1, 2);
  if (reader.Take(':')) {
    const std::optional<int64_t> minute = reader.Number(1, 2);
    if (!minute.has_value()) return false;
    parts.minute = *minute;
    if (reader.Take(':')) {
      const std::optional<int64_t> second = reader.Number(1, 2);
      if (!second.has_value()) return false;
      parts.second = *second;
      if (reader.Take('.')) parts.millisecond = reader.Fraction();
    }
  }
  const size_t space = reader.front() == ' ' ? 1 : 0;
  TextReader after = reader;
  after.Skip(space);
  const std::string word = after.Word();
  if (word == "am" || word == "pm") {
    if (parts.hour < 1 || parts.hour > 12) return false;
    parts.hour = parts.hour % 12 + (word == "pm" ? 12 : 0);
    reader.Skip(space + 2);
  }
  return true;
}

// Digits: a date, a time, a day or a year, by what follows them.
bool ReadDigits(TextReader& reader, TextParts& parts) {
  const size_t digits = reader.digits();
  const char next = reader.at(digits);
  const bool has_date = parts.year.has_value() && parts.month.has_value() && parts.day.has_value();
  const bool is_week =
      digits == 4 &&
      (next == 'W' || next == 'w' || (next == '-' && (reader.at(5) == 'W' || reader.at(5) == 'w')));
  if (is_week) {
    parts.year = reader.Number(4, 4);
    reader.Take('-');
    reader.Skip(1);
    parts.week = reader.Number(2, 2);
    if (!parts.week.has_value()) return false;
    if (IsDigit(reader.front()) || (reader.front() == '-' && IsDigit(reader.at(1)))) {
      reader.Take('-');
      parts.week_day = reader.Number(1, 1).value_or(0);
    }
    return true;
  }
  if (has_date || parts.week.has_value()) return ReadTime(reader, parts);
  if (next == ':') return ReadTime(reader, parts);
  const bool is_date = (next == '-' || next == '/' || next == '.') &&
                       (IsDigit(reader.at(digits + 1)) || IsLetter(reader.at(digits + 1)));
  if (is_date && (digits <= 2 || digits == 4)) return ReadNumericDate(reader, parts);
  if (digits == 8 || digits == 14) {
    parts.year = reader.Number(4, 4);
    parts.month = reader.Number(2, 2);
    parts.day = reader.Number(2, 2);
    return digits == 8 || ReadTime(reader, parts);
  }
  if (digits == 4) {
    if (parts.year.has_value()) return false;
    parts.year = reader.Number(4, 4);
    return true;
  }
  if (digits > 2 || parts.day.has_value()) return false;
  parts.day = reader.Number(1, 2);
  const std::string suffix = reader.Word();
  if (suffix == "st" || suffix == "nd" || suffix == "rd" || suffix == "th") reader.Skip(2);
  return true;
}

bool ReadWord(TextReader& reader, TextParts& parts) {
  const std::string word = reader.Word();
  if (word == "t" && IsDigit(reader.at(1))) {
    reader.Skip(1);
    return ReadTime(reader, parts);
  }
  if (const std::optional<int64_t> month = MonthOf(word)) {
    if (parts.month.has_value()) return false;
    parts.month = month;
    reader.Skip(word.size());
    return true;
  }
  if (IsDayWord(word)) {
    reader.Skip(word.size());
    return true;
  }
  for (const auto& [name, hours] : kZoneWords) {
    if (word != name || parts.offset_ms.has_value()) continue;
    reader.Skip(word.size());
    parts.offset_ms = int64_t{hours} * 3'600'000;
    parts.zone_word = word;
    std::ranges::transform(parts.zone_word, parts.zone_word.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return true;
  }
  return false;
}

bool ReadFreely(std::string_view text, TextParts& parts) {
  if (text.empty()) return false;
  TextReader reader(text);
  while (!reader.at_end()) {
    const char c = reader.front();
    if (c == ' ' || c == '\t' || c == ',') {
      reader.Skip(1);
    } else if (c == '@' && IsDigit(reader.at(1))) {
      reader.Skip(1);
      parts.unix_ms = reader.Number(1, 15).value_or(0) * 1000;
    } else if (IsDigit(c)) {
      if (!ReadDigits(reader, parts)) return false;
    } else if (IsLetter(c)) {
      if (!ReadWord(reader, parts)) return false;
    } else if ((c == '+' || c == '-') && parts.has_time && !parts.offset_ms.has_value()) {
      if (!ReadOffset(reader, parts)) return false;
    } else {
      return false;
    }
  }
  // "Jan 2020" has no day, and means the first.
  if (parts.year.has_value() && parts.month.has_value() && !parts.day.has_value()) parts.day = 1;
  return true;
}

// One part of a format, and what it says. False if the text is not of the form.
bool ReadPart(char part, TextReader& reader, TextParts& parts) {
  const auto number = [&](std::optional<int64_t>& into, size_t digits_min, size_t digits_max) {
    into = reader.Number(digits_min, digits_max);
    return into.has_value();
  };
  std::optional<int64_t> read;
  switch (part) {
    case '%':
      return reader.Take('%');
    case 'Y':
    case 'G':
      return number(parts.year, 4, 4);
    case 'm':
      return number(parts.month, 1, 2);
    case 'd':
      return number(parts.day, 1, 2);
    case 'V':
      return number(parts.week, 1, 2);
    case 'u':
      if (!number(read, 1, 1)) return false;
      parts.week_day = *read;
      return true;
    case 'H':
      if (!number(read, 1, 2)) return false;
      parts.hour = *read;
      return true;
    case 'M':
      if (!number(read, 1, 2)) return false;
      parts.minute = *read;
      return true;
    case 'S':
      if (!number(read, 1, 2)) return false;
      parts.second = *read;
      return true;
    case 'L':
      parts.millisecond = reader.Fraction();
      return true;
    case 'b':
    case 'B': {
      const std::string word = reader.Word();
      parts.month = MonthOf(word);
      reader.Skip(word.size());
      return parts.month.has_value();
    }
    case 'z':
      if (reader.front() == 'Z' || reader.front() == 'z') {
        reader.Skip(1);
        parts.offset_ms = 0;
        parts.zone_word = "Z";
        return true;
      }
      return ReadOffset(reader, parts);
    default: {  // 'Z': minutes with a sign
      const bool is_negative = reader.front() == '-';
      if (!is_negative && reader.front() != '+') return false;
      reader.Skip(1);
      if (!number(read, 1, 4)) return false;
      parts.offset_ms = (is_negative ? -*read : *read) * 60'000;
      return true;
    }
  }
}

Outcome CheckFormat(std::string_view format) {
  constexpr std::string_view kKnown = "%YGmdVuHMSLbBzZ";
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    if (++i == format.size()) return Refuse(18535, "Unmatched '%' at end of format string");
    if (kKnown.find(format[i]) == std::string_view::npos) {
      return Refuse(18536,
                    fmt::format("Invalid format character '%{}' in format string", format[i]));
    }
  }
  return {};
}

// REQUIRES: CheckFormat(format).
bool ReadByFormat(std::string_view text, std::string_view format, TextParts& parts) {
  TextReader reader(text);
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      if (!reader.Take(format[i])) return false;
    } else if (!ReadPart(format[++i], reader, parts)) {
      return false;
    }
  }
  return reader.at_end();
}

// The local time; nullopt if there is no such day or hour.
std::optional<int64_t> LocalOf(const TextParts& parts) {
  if (parts.hour > 23 || parts.minute > 59 || parts.second > 59) return std::nullopt;
  const int64_t time =
      ((parts.hour * 60 + parts.minute) * 60 + parts.second) * 1000 + parts.millisecond;
  if (parts.week.has_value()) {
    if (*parts.week < 1 || *parts.week > 53 || parts.week_day < 1 || parts.week_day > 7)
      return std::nullopt;
    const int64_t fourth = MillisecondsOf({.year = *parts.year, .month = 1, .day = 4});
    const int64_t monday = fourth - (IsoDayOfWeek(fourth) - 1) * kDayMs;
    return monday + ((*parts.week - 1) * 7 + parts.week_day - 1) * kDayMs + time;
  }
  const DateParts date{.year = *parts.year, .month = *parts.month, .day = *parts.day};
  const int64_t local = MillisecondsOf(date);
  const DateParts made = PartsOf(local);
  if (made.month != date.month || made.day != date.day) return std::nullopt;
  return local + time;
}

}  // namespace

Answer<int64_t> DateOfText(std::string_view text, std::optional<std::string_view> format,
                           const std::optional<model::TimeZone>& zone, bool zone_is_offset) {
  TextParts parts;
  if (format.has_value()) MONGO_TRY(CheckFormat(*format));
  const bool is_read =
      format.has_value() ? ReadByFormat(text, *format, parts) : ReadFreely(text, parts);
  const auto fail = [](std::string message) {
    return Refuse(ErrorCode::kConversionFailure, std::move(message));
  };
  if (!is_read) return fail(fmt::format("Error parsing date string '{}'", text));
  if (parts.unix_ms.has_value()) return *parts.unix_ms;
  const bool has_day = parts.week.has_value() || (parts.month.has_value() && parts.day.has_value());
  if (!parts.year.has_value() || !has_day) {
    return fail(fmt::format(
        "an incomplete date/time string has been found, with elements missing: \"{}\"", text));
  }
  const std::optional<int64_t> local = LocalOf(parts);
  if (!local.has_value()) return fail(fmt::format("Error parsing date string '{}'", text));
  if (!parts.offset_ms.has_value()) return zone.has_value() ? zone->ToUtc(*local) : *local;
  if (zone.has_value() && !(zone_is_offset && zone->OffsetAt(0) == 0)) {
    return fail(parts.zone_word.empty()
                    ? "you cannot pass in a date/time string with GMT offset together with a "
                      "timezone argument"
                    : fmt::format("you cannot pass in a date/time string with time zone "
                                  "information ('{}') together with a timezone argument",
                                  parts.zone_word));
  }
  return *local - *parts.offset_ms;
}

}  // namespace orrery::mongo
