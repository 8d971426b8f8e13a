#include "api/sql/function/time/date_format.h"

#include <fmt/format.h>

namespace orrery::sql {
namespace {

constexpr std::string_view kMonths[] = {"January",   "February", "March",    "April",
                                        "May",       "June",     "July",     "August",
                                        "September", "October",  "November", "December"};
constexpr std::string_view kDays[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                      "Thursday", "Friday", "Saturday"};
constexpr std::string_view kLetters = "yMdHhmsftF";

constexpr size_t kShortName = 3;
constexpr size_t kLongName = 4;
constexpr size_t kFractionDigits = 7;

std::string_view DayName(model::Ticks ticks) {
  // The calendar begins on a Monday.
  return kDays[((ticks - model::kTicksMin) / model::kTicksPerDay + 1) % 7];
}

void AppendNumber(std::string& out, int64_t number, size_t digits) {
  fmt::format_to(std::back_inserter(out), "{:0{}}", number, digits);
}

// A number with one or two letters, a name with three or four.
bool AppendNamed(std::string& out, int64_t number, std::string_view name, size_t count) {
  if (count > kLongName) return false;
  if (count < kShortName) {
    AppendNumber(out, number, count);
  } else {
    out += count == kShortName ? name.substr(0, kShortName) : name;
  }
  return true;
}

bool AppendTwoDigits(std::string& out, int64_t number, size_t count) {
  if (count > 2) return false;
  AppendNumber(out, number, count);
  return true;
}

bool AppendFraction(std::string& out, int64_t ticks, size_t count, bool zeros) {
  if (count > kFractionDigits) return false;
  std::string digits = fmt::format("{:07}", ticks).substr(0, count);
  if (!zeros) digits.erase(digits.find_last_not_of('0') + 1);
  out += digits;
  return true;
}

bool AppendField(std::string& out, model::Ticks ticks, const model::DateTimeParts& parts,
                 char letter, size_t count) {
  switch (letter) {
    case 'y':
      if (count > 4) return false;
      AppendNumber(out, count <= 2 ? parts.year % 100 : parts.year, count);
      return true;
    case 'M':
      return AppendNamed(out, parts.month, kMonths[parts.month - 1], count);
    case 'd':
      return AppendNamed(out, parts.day, DayName(ticks), count);
    case 'H':
      return AppendTwoDigits(out, parts.hour, count);
    case 'h':
      return AppendTwoDigits(out, (parts.hour + 11) % 12 + 1, count);
    case 'm':
      return AppendTwoDigits(out, parts.minute, count);
    case 's':
      return AppendTwoDigits(out, parts.second, count);
    case 't':
      if (count > 2) return false;
      out += std::string_view(parts.hour < 12 ? "AM" : "PM").substr(0, count);
      return true;
    default:
      return AppendFraction(out, parts.fraction, count, letter == 'f');
  }
}

}  // namespace

std::optional<std::string> FormatDateTimeAs(model::Ticks ticks, std::string_view format) {
  const model::DateTimeParts parts = model::SplitDateTime(ticks);
  std::string text;
  for (size_t i = 0; i < format.size();) {
    const char letter = format[i];
    if (letter == '\\') {
      if (i + 1 == format.size()) return std::nullopt;
      text.push_back(format[i + 1]);
      i += 2;
    } else if (kLetters.find(letter) == std::string_view::npos) {
      text.push_back(letter);
      ++i;
    } else {
      const size_t end = std::min(format.find_first_not_of(letter, i), format.size());
      if (!AppendField(text, ticks, parts, letter, end - i)) return std::nullopt;
      i = end;
    }
  }
  return text;
}

}  // namespace orrery::sql
