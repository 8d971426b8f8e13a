#include "query/lexer/number_scanner.h"

#include "query/lexer/character_class.h"

namespace orrery::query {
namespace {

// The length of an exponent at the start of `text`, 0 when there is none.
size_t ScanExponent(std::string_view text) {
  if (text.empty() || ToLower(text[0]) != 'e') return 0;
  const size_t sign = text.size() > 1 && (text[1] == '+' || text[1] == '-') ? 1 : 0;
  const size_t digits = CountDigits(text.substr(1 + sign));
  return digits == 0 ? 0 : 1 + sign + digits;
}

}  // namespace

size_t CountDigits(std::string_view text) {
  size_t count = 0;
  while (count < text.size() && IsDigit(text[count])) ++count;
  return count;
}

size_t CountHexDigits(std::string_view text) {
  size_t count = 0;
  while (count < text.size() && IsHexDigit(text[count])) ++count;
  return count;
}

NumberShape ScanNumber(std::string_view text) {
  NumberShape shape{.length = CountDigits(text)};
  if (shape.length == 0) return shape;

  const std::string_view rest = text.substr(shape.length);
  const bool starts_range = rest.starts_with("..") && !rest.starts_with("...");
  if (rest.starts_with('.') && !starts_range) {
    shape.is_integer = false;
    shape.length += 1 + CountDigits(rest.substr(1));
  }
  if (const size_t exponent = ScanExponent(text.substr(shape.length)); exponent > 0) {
    shape.is_integer = false;
    shape.length += exponent;
  }
  return shape;
}

}  // namespace orrery::query
