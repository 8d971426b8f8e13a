#include "api/cassandra/parser/token/literal_shape.h"

#include "query/lexer/character_class.h"
#include "query/lexer/number_scanner.h"

namespace orrery::cassandra {
namespace {

// Returns whether `text` starts with `pattern`, in which '0' stands for a digit, 'x' for a
// hexadecimal digit and everything else for itself.
bool StartsWithPattern(std::string_view text, std::string_view pattern) {
  if (text.size() < pattern.size()) return false;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char c = text[i];
    const bool fits = pattern[i] == '0'   ? query::IsDigit(c)
                      : pattern[i] == 'x' ? query::IsHexDigit(c)
                                          : c == pattern[i];
    if (!fits) return false;
  }
  return true;
}

size_t UnitLength(std::string_view text) {
  if (text.starts_with("\u00b5s") || text.starts_with("\u00b5S")) return 3;
  const char first = text.empty() ? '\0' : query::ToLower(text[0]);
  const char second = text.size() < 2 ? '\0' : query::ToLower(text[1]);
  switch (first) {
    case 'y':
    case 'w':
    case 'd':
    case 'h':
    case 's':
      return 1;
    case 'm':
      return second == 'o' || second == 's' ? 2 : 1;
    case 'u':
    case 'n':
      return second == 's' ? 2 : 0;
    default:
      return 0;
  }
}

size_t ScanUnits(std::string_view text) {
  size_t length = 0;
  while (true) {
    const size_t digits = query::CountDigits(text.substr(length));
    const size_t unit = digits == 0 ? 0 : UnitLength(text.substr(length + digits));
    if (unit == 0) return length;
    length += digits + unit;
  }
}

// The length of as many of `designators` as follow each other in this order, each after digits.
size_t ScanDesignators(std::string_view text, std::string_view designators) {
  size_t length = 0;
  for (const char designator : designators) {
    const size_t digits = query::CountDigits(text.substr(length));
    if (digits > 0 && text.substr(length + digits).starts_with(designator)) length += digits + 1;
  }
  return length;
}

size_t ScanIso(std::string_view text) {
  constexpr std::string_view kAlternative = "P0000-00-00T00:00:00";
  if (StartsWithPattern(text, kAlternative)) return kAlternative.size();
  const std::string_view rest = text.substr(1);
  if (const size_t weeks = ScanDesignators(rest, "W"); weeks > 0) return 1 + weeks;

  const size_t period = ScanDesignators(rest, "YMD");
  size_t time = 0;
  if (rest.substr(period).starts_with('T')) {
    time = ScanDesignators(rest.substr(period + 1), "HMS");
    if (time > 0) ++time;
  }
  return period + time == 0 ? 0 : 1 + period + time;
}

}  // namespace

bool StartsWithUuid(std::string_view text) {
  // Most words and numbers end before the first hyphen would come: ask for it first.
  return text.size() >= kUuidLength && text[8] == '-' &&
         StartsWithPattern(text, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx");
}

size_t ScanDuration(std::string_view text) {
  return text.starts_with('P') ? ScanIso(text) : ScanUnits(text);
}

}  // namespace orrery::cassandra
