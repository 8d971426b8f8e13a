#include "api/gremlin/value/big.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

namespace orrery::gremlin {
namespace {

// Two's complement, big-endian, of a sign and decimal digits.
std::optional<std::string> BytesOfDigits(bool negative, std::string_view digits) {
  if (digits.empty() || digits.size() > kBigDigitsMax) return std::nullopt;
  std::vector<uint8_t> bytes(1, 0);  // little-endian magnitude
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return std::nullopt;
    unsigned carry = static_cast<unsigned>(digit - '0');
    for (uint8_t& byte : bytes) {
      carry += byte * 10U;
      byte = static_cast<uint8_t>(carry);
      carry >>= 8;
    }
    if (carry != 0) bytes.push_back(static_cast<uint8_t>(carry));
  }
  bytes.push_back(0);  // room for the sign
  if (negative) {
    unsigned carry = 1;
    for (uint8_t& byte : bytes) {
      carry += static_cast<uint8_t>(~byte);
      byte = static_cast<uint8_t>(carry);
      carry >>= 8;
    }
  }
  return std::string(bytes.rbegin(), bytes.rend());
}

bool TakeSign(std::string_view& digits) {
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  return negative;
}

}  // namespace

std::optional<Value> ParseBigInteger(std::string_view digits) {
  const bool negative = TakeSign(digits);
  const auto bytes = BytesOfDigits(negative, digits);
  if (!bytes.has_value()) return std::nullopt;
  return Value::BigInteger(model::Value::Varint(*bytes));
}

std::optional<Value> ParseBigDecimal(std::string_view digits) {
  const bool negative = TakeSign(digits);
  int exponent = 0;
  if (const size_t mark = digits.find_first_of("eE"); mark != std::string_view::npos) {
    std::string_view power = digits.substr(mark + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (error != std::errc() || end != power.data() + power.size() || std::abs(exponent) > 9'999)
      return std::nullopt;
    digits = digits.substr(0, mark);
  }
  std::string whole(digits);
  int scale = -exponent;
  if (const size_t point = whole.find('.'); point != std::string::npos) {
    scale += static_cast<int>(whole.size() - point - 1);
    whole.erase(point, 1);
  }
  const auto bytes = BytesOfDigits(negative, whole);
  if (!bytes.has_value()) return std::nullopt;
  return Value::BigDecimal(model::Value::Decimal(scale, *bytes));
}

}  // namespace orrery::gremlin
