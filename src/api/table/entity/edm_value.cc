#include "api/table/entity/edm_value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace orrery::table {
namespace {

constexpr size_t kGuidDigits = 32;

bool IsHexDigit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// Compares exactly, also where an integer has more digits than a double.
std::partial_ordering CompareNumbers(int64_t a, double b) {
  if (std::isnan(b)) return std::partial_ordering::unordered;
  constexpr double kEnd = 9223372036854775808.0;  // 2^63
  if (b >= kEnd) return std::partial_ordering::less;
  if (b < -kEnd) return std::partial_ordering::greater;
  const auto whole = static_cast<int64_t>(b);
  if (a != whole) return a <=> whole;
  return 0.0 <=> b - static_cast<double>(whole);
}

// The position of each byte of a guid, most significant first, in its text without hyphens: groups
// compare from the last to the first, as Windows and Azure order them.
constexpr size_t kGuidOrder[] = {20, 22, 24, 26, 28, 30, 16, 18, 12, 14, 8, 10, 0, 2, 4, 6};

std::string GuidKey(std::string_view canonical) {
  std::string digits(canonical);
  std::erase(digits, '-');
  std::string key;
  for (const size_t at : kGuidOrder) key.append(digits, at, 2);
  return key;
}

// Cuts an offset such as "+01:00" off and returns it in ticks.
std::optional<model::Ticks> TakeOffset(std::string_view& text) {
  const size_t time = text.find('T');
  const size_t sign = time == std::string_view::npos ? time : text.find_first_of("+-", time);
  if (sign == std::string_view::npos) return 0;
  const std::string_view offset = text.substr(sign);
  const auto digit = [&](size_t at) { return offset[at] >= '0' && offset[at] <= '9'; };
  if (offset.size() != 6 || offset[3] != ':' || !digit(1) || !digit(2) || !digit(4) || !digit(5))
    return std::nullopt;
  const int64_t hours = (offset[1] - '0') * 10 + (offset[2] - '0');
  const int64_t minutes = (offset[4] - '0') * 10 + (offset[5] - '0');
  if (hours > 14 || minutes > 59) return std::nullopt;
  text = text.substr(0, sign);
  const model::Ticks ticks = hours * model::kTicksPerHour + minutes * model::kTicksPerMinute;
  return offset[0] == '-' ? -ticks : ticks;
}

}  // namespace

std::partial_ordering Compare(const EdmValue& a, const EdmValue& b) {
  if (a.is_number() && b.is_number()) {
    const bool a_is_double = a.type() == EdmType::kDouble;
    const bool b_is_double = b.type() == EdmType::kDouble;
    if (a_is_double && b_is_double) return a.AsDouble() <=> b.AsDouble();
    if (b_is_double) return CompareNumbers(a.AsInteger(), b.AsDouble());
    if (a_is_double) return 0 <=> CompareNumbers(b.AsInteger(), a.AsDouble());
    return a.AsInteger() <=> b.AsInteger();
  }
  if (a.type() != b.type()) return std::partial_ordering::unordered;
  if (a.type() == EdmType::kGuid) return GuidKey(a.AsString()) <=> GuidKey(b.AsString());
  return a.value_ <=> b.value_;
}

std::optional<std::string> ParseGuid(std::string_view text) {
  if (text.size() > 2 && text.front() == '{' && text.back() == '}')
    text = text.substr(1, text.size() - 2);
  const bool has_hyphens = text.size() == kGuidDigits + 4;
  if (!has_hyphens && text.size() != kGuidDigits) return std::nullopt;
  std::string guid;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_hyphen = has_hyphens && (i == 8 || i == 13 || i == 18 || i == 23);
    if (is_hyphen ? text[i] != '-' : !IsHexDigit(text[i])) return std::nullopt;
    if (!has_hyphens && (i == 8 || i == 12 || i == 16 || i == 20)) guid += '-';
    guid += text[i] >= 'A' && text[i] <= 'F' ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
  }
  return guid;
}

std::optional<model::Ticks> ParseEdmDateTime(std::string_view text) {
  const bool is_utc = text.ends_with('Z');
  if (is_utc) text.remove_suffix(1);
  model::Ticks offset = 0;
  if (!is_utc) {
    const auto taken = TakeOffset(text);
    if (!taken.has_value()) return std::nullopt;
    offset = *taken;
  }
  constexpr size_t kWithMinutes = 16;  // 2026-01-02T03:04
  std::string whole(text);
  if (whole.size() == kWithMinutes) whole += ":00";
  if (whole.find(' ') != std::string::npos) return std::nullopt;
  const auto ticks = model::ParseTicks(whole);
  if (!ticks.has_value() || !model::IsInCalendar(*ticks - offset)) return std::nullopt;
  return *ticks - offset;
}

std::optional<double> ParseEdmDouble(std::string_view text) {
  std::string_view word = text;
  const bool is_negative = word.starts_with('-');
  if (is_negative) word.remove_prefix(1);
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (word == "Infinity" || word == "INF")
    return (is_negative ? -1 : 1) * std::numeric_limits<double>::infinity();
  if (word.empty() || ((word.front() < '0' || word.front() > '9') && word.front() != '.'))
    return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<int64_t> ParseEdmInteger(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string_view NonFiniteText(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  return {};
}

}  // namespace orrery::table
