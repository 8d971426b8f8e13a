#include "api/sql/evaluate/number_literal.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <system_error>

#include "api/sql/function/argument.h"

namespace orrery::sql {
namespace {

// Nothing unless all of the text is one number of the type.
template <typename Number, typename... Form>
std::optional<Number> Read(std::string_view text, Form... form) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, form...);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

std::optional<double> ReadHexadecimal(std::string_view digits) {
  double number = 0;
  for (const char c : digits) {
    const auto digit = Read<uint32_t>(std::string_view(&c, 1), 16);
    if (!digit) return std::nullopt;
    number = number * 16 + *digit;
  }
  if (digits.empty() || !std::isfinite(number)) return std::nullopt;
  return number;
}

}  // namespace

std::optional<Value> ParseNumber(std::string_view text) {
  const bool is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const std::string_view digits = is_hexadecimal ? text.substr(2) : text;
  if (const auto whole = Read<int64_t>(digits, is_hexadecimal ? 16 : 10))
    return FromInteger(*whole);
  const auto number = is_hexadecimal ? ReadHexadecimal(digits) : Read<double>(digits);
  if (!number) return std::nullopt;
  return model::NumberFromDouble(*number);
}

}  // namespace orrery::sql
