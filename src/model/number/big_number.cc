#include "model/number/big_number.h"

#include <iterator>
#include <limits>
#include <vector>

namespace orrery::model {
namespace {

constexpr int64_t kDecimalPaddingMax = 4096;
constexpr int kExponentBias = 6176;
constexpr uint64_t kCoefficientHighMask = (uint64_t{1} << 49) - 1;

const BigInt& CoefficientMax() {
  static const BigInt max = PowerOfTen(kDecimal128Digits) - 1;
  return max;
}

}  // namespace

BigInt PowerOfTen(uint32_t exponent) { return boost::multiprecision::pow(BigInt(10), exponent); }

void BigDecimal::StripZeros() {
  if (coefficient == 0) {
    exponent = 0;
    return;
  }
  // Large steps first: the numbers may have thousands of digits.
  for (const uint32_t step : {1024U, 64U, 8U, 1U}) {
    const BigInt divisor = PowerOfTen(step);
    BigInt quotient;
    BigInt remainder;
    while (true) {
      boost::multiprecision::divide_qr(coefficient, divisor, quotient, remainder);
      if (remainder != 0) break;
      coefficient = quotient;
      exponent += step;
    }
  }
}

BigInt BigIntFromBytes(std::string_view bytes) {
  BigInt number;
  if (bytes.empty()) return number;
  const auto* first = reinterpret_cast<const uint8_t*>(bytes.data());
  boost::multiprecision::import_bits(number, first, first + bytes.size());
  if ((first[0] & 0x80) != 0) number -= BigInt(1) << (8 * bytes.size());
  return number;
}

std::string BytesFromBigInt(const BigInt& number) {
  BigInt magnitude = number;
  if (number < 0) {
    // One byte more than needed leaves room for the sign; Value cuts it again.
    const size_t bits = 8 * (msb(-number) / 8 + 2);
    magnitude = (BigInt(1) << bits) + number;
  }
  std::vector<uint8_t> bytes;
  boost::multiprecision::export_bits(magnitude, std::back_inserter(bytes), 8);
  if (number >= 0) bytes.insert(bytes.begin(), 0);
  size_t skip = 0;
  while (skip + 1 < bytes.size() && bytes[skip] == ((bytes[skip + 1] & 0x80) != 0 ? 0xff : 0x00)) {
    ++skip;
  }
  return std::string(bytes.begin() + static_cast<std::ptrdiff_t>(skip), bytes.end());
}

ScientificDecimal ToScientific(const DecimalView& decimal) {
  ScientificDecimal result;
  const BigInt unscaled = BigIntFromBytes(decimal.unscaled);
  if (unscaled == 0) return result;
  result.sign = unscaled < 0 ? -1 : 1;
  result.digits = BigInt(abs(unscaled)).str();
  result.exponent = static_cast<int64_t>(result.digits.size()) - decimal.scale;
  result.digits.erase(result.digits.find_last_not_of('0') + 1);
  return result;
}

bool FromScientific(const ScientificDecimal& number, Value& decimal) {
  if (number.sign == 0) {
    decimal = Value::Decimal(0, std::string_view());
    return true;
  }
  std::string digits = number.digits;
  const auto size = static_cast<int64_t>(digits.size());
  int64_t scale = 0;
  if (__builtin_sub_overflow(size, number.exponent, &scale)) return false;
  constexpr int64_t kScaleMin = std::numeric_limits<int32_t>::min();
  // Zeros that ToScientific stripped may have to come back for the scale to fit.
  if (scale < kScaleMin && scale >= kScaleMin - kDecimalPaddingMax) {
    digits.append(static_cast<size_t>(kScaleMin - scale), '0');
    scale = kScaleMin;
  }
  if (scale != static_cast<int32_t>(scale)) return false;
  BigInt unscaled(digits);
  if (number.sign < 0) unscaled = -unscaled;
  decimal = Value::Decimal(static_cast<int32_t>(scale), BytesFromBigInt(unscaled));
  return true;
}

UnpackedDecimal128 UnpackDecimal128(Decimal128Bits bits) {
  UnpackedDecimal128 result;
  result.negative = (bits.high & kDecimal128SignBit) != 0;
  const uint64_t combination = (bits.high >> 58) & 0x1f;
  if (combination == 0x1f) {
    result.form = Decimal128Form::kNan;
    return result;
  }
  if (combination == 0x1e) {
    result.form = Decimal128Form::kInfinity;
    return result;
  }
  // Coefficients too large for 34 digits are legal bytes that mean zero.
  if (combination >= 0x18) return result;
  result.magnitude.exponent = static_cast<int64_t>((bits.high >> 49) & 0x3fff) - kExponentBias;
  result.magnitude.coefficient = (BigInt(bits.high & kCoefficientHighMask) << 64) | bits.low;
  if (result.magnitude.coefficient > CoefficientMax()) result.magnitude.coefficient = 0;
  return result;
}

bool PackDecimal128(bool negative, BigDecimal magnitude, Decimal128Bits& bits) {
  if (magnitude.coefficient > CoefficientMax() || magnitude.exponent < kDecimal128ExponentMin) {
    magnitude.StripZeros();
    if (magnitude.coefficient > CoefficientMax()) return false;
  }
  if (magnitude.exponent < kDecimal128ExponentMin) return false;
  if (magnitude.exponent > kDecimal128ExponentMax) {
    const int64_t padding = magnitude.exponent - kDecimal128ExponentMax;
    if (padding >= kDecimal128Digits) return false;
    magnitude.coefficient *= PowerOfTen(static_cast<uint32_t>(padding));
    magnitude.exponent = kDecimal128ExponentMax;
    if (magnitude.coefficient > CoefficientMax()) return false;
  }
  const BigInt high = magnitude.coefficient >> 64;
  bits.high = static_cast<uint64_t>(high) |
              static_cast<uint64_t>(magnitude.exponent + kExponentBias) << 49 |
              (negative ? kDecimal128SignBit : 0);
  bits.low = static_cast<uint64_t>(magnitude.coefficient & UINT64_MAX);
  return true;
}

}  // namespace orrery::model
