#include "api/cassandra/types/native/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/bytes.h"
#include "model/number/big_number.h"
#include "query/lexer/character_class.h"

namespace orrery::cassandra {
namespace {

using model::BigInt;
using query::IsDigit;

bool AreDigits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsDigit);
}

bool TakeSign(std::string_view& text) {
  if (text.empty() || (text[0] != '-' && text[0] != '+')) return false;
  const bool negative = text[0] == '-';
  text.remove_prefix(1);
  return negative;
}

// REQUIRES: digits only. Leading zeros would make Boost read octal.
BigInt FromDigits(std::string_view digits, bool negative) {
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  BigInt number = digits.empty() ? BigInt(0) : BigInt(std::string(digits));
  if (negative) number = -number;
  return number;
}

std::unexpected<Error> TooLarge() {
  return Fail(Code::kInvalidArgument,
              fmt::format("numbers of more than {} digits are not supported", kBigNumberDigitsMax));
}

std::unexpected<Error> NoDecimal(std::string_view text) {
  return Fail(Code::kInvalidArgument, fmt::format("unable to make BigDecimal from '{}'", text));
}

int Sign(std::string_view bytes) {
  if ((static_cast<uint8_t>(bytes.empty() ? 0 : bytes[0]) & 0x80) != 0) return -1;
  return bytes.find_first_not_of('\0') == std::string_view::npos ? 0 : 1;
}

std::weak_ordering Reversed(std::weak_ordering order) { return 0 <=> order; }

// |a| against |b|, both of the same sign and not zero. Their sizes decide unless they are close;
// only then are they brought to one scale, which multiplies by no more than their own length.
std::weak_ordering CompareMagnitudes(const BigInt& a, int64_t a_scale, const BigInt& b,
                                     int64_t b_scale) {
  constexpr double kLog2 = 0.30102999566398120;
  const double a_high = (static_cast<double>(msb(a)) + 1) * kLog2 - static_cast<double>(a_scale);
  const double b_high = (static_cast<double>(msb(b)) + 1) * kLog2 - static_cast<double>(b_scale);
  if (std::abs(a_high - b_high) > 1)
    return a_high < b_high ? std::weak_ordering::less : std::weak_ordering::greater;
  if (a_scale < b_scale) {
    const BigInt scaled = a * model::PowerOfTen(static_cast<uint32_t>(b_scale - a_scale));
    return scaled.compare(b) <=> 0;
  }
  const BigInt scaled = b * model::PowerOfTen(static_cast<uint32_t>(a_scale - b_scale));
  return a.compare(scaled) <=> 0;
}

}  // namespace

Result<std::string> ParseVarint(std::string_view text) {
  std::string_view digits = text;
  const bool negative = TakeSign(digits);
  if (!AreDigits(digits))
    return Fail(Code::kInvalidArgument, fmt::format("unable to make int from '{}'", text));
  if (digits.size() > kBigNumberDigitsMax) return TooLarge();
  return model::BytesFromBigInt(FromDigits(digits, negative));
}

Result<std::string> ParseDecimal(std::string_view text) {
  std::string_view rest = text;
  const bool negative = TakeSign(rest);
  int64_t exponent = 0;
  if (const size_t e = rest.find_first_of("eE"); e != std::string_view::npos) {
    std::string_view digits = rest.substr(e + 1);
    rest = rest.substr(0, e);
    const bool below = TakeSign(digits);
    if (!AreDigits(digits)) return NoDecimal(text);
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (parsed.ec != std::errc() || exponent > std::numeric_limits<int32_t>::max())
      return NoDecimal(text);
    if (below) exponent = -exponent;
  }
  std::string digits;
  const size_t point = rest.find('.');
  digits = rest.substr(0, point);
  int64_t scale = -exponent;
  if (point != std::string_view::npos) {
    const std::string_view fraction = rest.substr(point + 1);
    digits += fraction;
    scale += static_cast<int64_t>(fraction.size());
  }
  if (!AreDigits(digits)) return NoDecimal(text);
  if (digits.size() > kBigNumberDigitsMax) return TooLarge();
  if (scale != static_cast<int32_t>(scale)) return NoDecimal(text);
  return EncodeDecimal(static_cast<int32_t>(scale),
                       model::BytesFromBigInt(FromDigits(digits, negative)));
}

Result<std::string> VarintText(std::string_view bytes) {
  if (bytes.size() > kBigNumberBytesMax) return TooLarge();
  return model::BigIntFromBytes(bytes).str();
}

Result<std::string> DecimalText(std::string_view bytes) {
  ORRERY_ASSIGN(std::string digits, VarintText(DecimalUnscaled(bytes)));
  const int64_t scale = DecimalScale(bytes);
  if (scale == 0) return digits;
  const std::string sign = digits[0] == '-' ? "-" : "";
  digits.erase(0, sign.size());
  const auto count = static_cast<int64_t>(digits.size());
  const int64_t exponent = count - 1 - scale;  // of the first digit
  constexpr int64_t kPlainExponentMin = -6;
  if (scale > 0 && exponent >= kPlainExponentMin) {
    if (count <= scale) digits.insert(0, static_cast<size_t>(scale - count + 1), '0');
    digits.insert(digits.size() - static_cast<size_t>(scale), 1, '.');
    return sign + digits;
  }
  if (count > 1) digits.insert(1, 1, '.');
  return exponent == 0 ? sign + digits : fmt::format("{}{}E{:+}", sign, digits, exponent);
}

std::string_view ShortestVarint(std::string_view bytes) {
  while (bytes.size() > 1) {
    const bool next_negative = (static_cast<uint8_t>(bytes[1]) & 0x80) != 0;
    if (bytes[0] != (next_negative ? '\xff' : '\0')) break;
    bytes.remove_prefix(1);
  }
  return bytes;
}

std::weak_ordering CompareVarints(std::string_view a, std::string_view b) {
  a = ShortestVarint(a);
  b = ShortestVarint(b);
  const bool a_negative = Sign(a) < 0;
  if (a_negative != (Sign(b) < 0))
    return a_negative ? std::weak_ordering::less : std::weak_ordering::greater;
  if (a.size() != b.size()) return a_negative ? b.size() <=> a.size() : a.size() <=> b.size();
  return a.compare(b) <=> 0;
}

std::weak_ordering CompareDecimals(std::string_view a, std::string_view b) {
  if (a.size() < 4 || b.size() < 4) return a.compare(b) <=> 0;
  const std::string_view x = DecimalUnscaled(a);
  const std::string_view y = DecimalUnscaled(b);
  if (Sign(x) != Sign(y)) return Sign(x) <=> Sign(y);
  if (Sign(x) == 0) return std::weak_ordering::equivalent;
  if (DecimalScale(a) == DecimalScale(b)) return CompareVarints(x, y);
  const BigInt left = abs(model::BigIntFromBytes(x));
  const BigInt right = abs(model::BigIntFromBytes(y));
  const std::weak_ordering order = CompareMagnitudes(left, DecimalScale(a), right, DecimalScale(b));
  return Sign(x) < 0 ? Reversed(order) : order;
}

std::string EncodeVarint(int64_t value) {
  std::string bytes;
  AppendBigEndian(bytes, value);
  return std::string(ShortestVarint(bytes));
}

std::string EncodeDecimal(int32_t scale, std::string_view unscaled) {
  std::string bytes;
  AppendBigEndian(bytes, scale);
  bytes.append(unscaled);
  return bytes;
}

int32_t DecimalScale(std::string_view bytes) { return LoadBigEndian<int32_t>(bytes.data()); }

std::string_view DecimalUnscaled(std::string_view bytes) { return bytes.substr(4); }

}  // namespace orrery::cassandra
