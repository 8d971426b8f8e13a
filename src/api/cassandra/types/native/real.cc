#include "api/cassandra/types/native/real.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace orrery::cassandra {
namespace {

template <typename Real>
std::string RealText(Real value) {
  if (std::isnan(value)) return "NaN";
  const std::string sign = std::signbit(value) ? "-" : "";
  if (std::isinf(value)) return sign + "Infinity";
  if (value == 0) return sign + "0.0";
  char buffer[64];
  const auto made = std::to_chars(buffer, buffer + sizeof(buffer), std::abs(value),
                                  std::chars_format::scientific);
  const std::string_view text(buffer, static_cast<size_t>(made.ptr - buffer));
  const size_t e = text.find('e');
  std::string digits(text.substr(0, 1));
  if (e > 1) digits += text.substr(2, e - 2);
  const int exponent = std::atoi(std::string(text.substr(e + 1)).c_str());
  constexpr int kPlainMin = -3;
  constexpr int kPlainMax = 6;
  if (exponent < kPlainMin || exponent > kPlainMax) {
    const std::string rest = digits.size() > 1 ? digits.substr(1) : "0";
    return fmt::format("{}{}.{}E{}", sign, digits[0], rest, exponent);
  }
  if (exponent < 0) return fmt::format("{}0.{}{}", sign, std::string(-exponent - 1, '0'), digits);
  const auto whole = static_cast<size_t>(exponent) + 1;
  if (digits.size() <= whole) digits.append(whole + 1 - digits.size(), '0');
  return sign + digits.insert(whole, 1, '.');
}

bool IsPlainNumber(std::string_view text) {
  size_t at = 0;
  size_t digits = 0;
  const auto skip_digits = [&] {
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) ++digits;
  };
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  skip_digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    skip_digits();
  }
  if (digits == 0) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    digits = 0;
    skip_digits();
    if (digits == 0) return false;
  }
  return at == text.size();
}

template <typename Real>
Result<Real> ParseReal(std::string_view text, std::string_view type_name,
                       Real (*parse)(const char*, char**)) {
  std::string_view name = text;
  const bool negative = name.starts_with('-');
  if (negative || name.starts_with('+')) name.remove_prefix(1);
  if (name == "NaN") return std::numeric_limits<Real>::quiet_NaN();
  if (name == "Infinity") {
    constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
    return negative ? -kInfinity : kInfinity;
  }
  if (!IsPlainNumber(text)) {
    return Fail(Code::kInvalidArgument,
                fmt::format("Unable to make {} from '{}'", type_name, text));
  }
  // Unlike std::from_chars, strtod says what is beyond the range.
  return parse(std::string(text).c_str(), nullptr);
}

}  // namespace

std::string DoubleText(double value) { return RealText(value); }
std::string FloatText(float value) { return RealText(value); }

Result<double> ParseDouble(std::string_view text) {
  return ParseReal<double>(text, "double", std::strtod);
}
Result<float> ParseFloat(std::string_view text) {
  return ParseReal<float>(text, "float", std::strtof);
}

}  // namespace orrery::cassandra
