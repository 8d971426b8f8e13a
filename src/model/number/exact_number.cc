#include "model/number/exact_number.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "base/bytes.h"
#include "model/number/big_number.h"

namespace orrery::model {
namespace {

using Sign = ExactNumber::Sign;

// The finite range of decimal128 in powers of two, rounded outward.
constexpr int32_t kExponentMin = -20520;
constexpr int32_t kExponentMax = 20420;

ExactNumber FromInteger(int64_t value) {
  ExactNumber result;
  if (value == 0) return result;
  result.sign = value < 0 ? Sign::kNegative : Sign::kPositive;
  const uint64_t magnitude =
      value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  const int shift = std::countl_zero(magnitude);
  result.exponent = 63 - shift;
  result.fraction_high = magnitude << shift << 1;
  return result;
}

ExactNumber FromDouble(double value) {
  ExactNumber result;
  if (std::isnan(value)) {
    result.sign = Sign::kNan;
  } else if (std::isinf(value)) {
    result.sign = value < 0 ? Sign::kNegativeInfinity : Sign::kPositiveInfinity;
  } else if (value != 0) {
    result.sign = value < 0 ? Sign::kNegative : Sign::kPositive;
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(value), &exponent);  // in [0.5, 1)
    result.exponent = exponent - 1;
    result.fraction_high = static_cast<uint64_t>(std::ldexp(fraction, 64)) << 1;
  }
  return result;
}

// Writes |coefficient * 10^exponent| into the binary fields. REQUIRES: not zero.
void SetMagnitude(ExactNumber& result, const BigDecimal& magnitude) {
  BigInt number = magnitude.coefficient;
  int32_t scale = 0;  // number * 2^-scale is what is wanted
  bool cut = false;
  if (magnitude.exponent >= 0) {
    number *= PowerOfTen(static_cast<uint32_t>(magnitude.exponent));
  } else {
    const BigInt divisor = PowerOfTen(static_cast<uint32_t>(-magnitude.exponent));
    const int32_t wanted =
        130 + static_cast<int32_t>(msb(divisor)) - static_cast<int32_t>(msb(number));
    scale = std::max(0, wanted);
    BigInt remainder;
    BigInt quotient;
    boost::multiprecision::divide_qr(BigInt(number << scale), divisor, quotient, remainder);
    number = quotient;
    cut = remainder != 0;
  }
  const auto top = static_cast<int32_t>(msb(number));
  result.exponent = top - scale;
  if (top > 127) {
    cut = cut || static_cast<int32_t>(lsb(number)) < top - 127;
    number >>= top - 127;
  } else {
    number <<= 127 - top;
  }
  number <<= 1;  // drops the leading one below, makes room for the cut bit
  result.fraction_low = static_cast<uint64_t>(number & UINT64_MAX) | (cut ? 1 : 0);
  result.fraction_high = static_cast<uint64_t>((number >> 64) & UINT64_MAX);
}

ExactNumber FromDecimal128(Decimal128Bits bits) {
  ExactNumber result;
  const UnpackedDecimal128 unpacked = UnpackDecimal128(bits);
  if (unpacked.form == Decimal128Form::kNan) {
    result.sign = Sign::kNan;
  } else if (unpacked.form == Decimal128Form::kInfinity) {
    result.sign = unpacked.negative ? Sign::kNegativeInfinity : Sign::kPositiveInfinity;
  } else if (unpacked.magnitude.coefficient != 0) {
    result.sign = unpacked.negative ? Sign::kNegative : Sign::kPositive;
    SetMagnitude(result, unpacked.magnitude);
  }
  return result;
}

// The 34-digit decimal just above a magnitude whose tail was cut: there is at most one so near.
BigDecimal NextDecimal(const BigInt& mantissa, int32_t scale) {
  BigInt numerator = mantissa;
  BigInt denominator = 1;
  if (scale >= 0) {
    numerator <<= scale;
  } else {
    denominator <<= -scale;
  }
  // log10(2) to enough digits for a guess that is at most one off.
  const auto digits = static_cast<int64_t>(
      std::floor((static_cast<double>(msb(mantissa)) + scale) * 0.30102999566398120));
  BigDecimal result;
  result.exponent = std::max<int64_t>(digits - kDecimal128Digits, kDecimal128ExponentMin);
  const BigInt power = PowerOfTen(static_cast<uint32_t>(std::abs(result.exponent)));
  if (result.exponent >= 0) {
    denominator *= power;
  } else {
    numerator *= power;
  }
  result.coefficient = (numerator + denominator - 1) / denominator;
  result.StripZeros();
  return result;
}

// False when the exponent is beyond what decimal128 reaches.
bool SetDecimal(const ExactNumber& number, BigDecimal& magnitude) {
  if (number.exponent < kExponentMin || number.exponent > kExponentMax) return false;
  BigInt mantissa =
      (BigInt(1) << 127) | (BigInt(number.fraction_high) << 63) | (number.fraction_low >> 1);
  int32_t scale = number.exponent - 127;
  if ((number.fraction_low & 1) != 0) {
    magnitude = NextDecimal(mantissa, scale);
    return true;
  }
  const auto zeros = static_cast<int32_t>(lsb(mantissa));
  mantissa >>= zeros;
  scale += zeros;
  if (scale >= 0) {
    magnitude.coefficient = mantissa << scale;
    return true;
  }
  // Each binary place below the point needs a decimal one.
  if (scale < kDecimal128ExponentMin) return false;
  magnitude.coefficient =
      mantissa * boost::multiprecision::pow(BigInt(5), static_cast<uint32_t>(-scale));
  magnitude.exponent = scale;
  return true;
}

}  // namespace

std::strong_ordering operator<=>(const ExactNumber& a, const ExactNumber& b) {
  if (const auto by_sign = a.sign <=> b.sign; by_sign != 0) return by_sign;
  const ExactNumber& x = a.sign == Sign::kNegative ? b : a;
  const ExactNumber& y = a.sign == Sign::kNegative ? a : b;
  if (const auto c = x.exponent <=> y.exponent; c != 0) return c;
  if (const auto c = x.fraction_high <=> y.fraction_high; c != 0) return c;
  return x.fraction_low <=> y.fraction_low;
}

ExactNumber ToExactNumber(const Value& number) {
  switch (number.kind()) {
    case Kind::kInt8:
    case Kind::kInt16:
    case Kind::kInt32:
    case Kind::kInt64:
      return FromInteger(number.AsInteger());
    case Kind::kFloat:
    case Kind::kDouble:
      return FromDouble(number.AsDouble());
    default:
      return FromDecimal128(number.AsDecimal128());
  }
}

Result<Value> FromExactNumber(const ExactNumber& number) {
  switch (number.sign) {
    case Sign::kNan:
      return Value::Double(std::numeric_limits<double>::quiet_NaN());
    case Sign::kNegativeInfinity:
      return Value::Double(-std::numeric_limits<double>::infinity());
    case Sign::kPositiveInfinity:
      return Value::Double(std::numeric_limits<double>::infinity());
    case Sign::kZero:
      return Value::Int32(0);
    default:
      break;
  }
  const bool negative = number.sign == Sign::kNegative;
  if (number.fraction_low == 0 && number.exponent >= 0 && number.exponent <= 63) {
    const uint64_t mantissa = uint64_t{1} << 63 | number.fraction_high >> 1;
    const int drop = 63 - number.exponent;
    const bool whole = (number.fraction_high & 1) == 0 && (mantissa >> drop << drop) == mantissa;
    const uint64_t magnitude = mantissa >> drop;
    const uint64_t limit = (uint64_t{1} << 63) - (negative ? 0 : 1);
    if (whole && magnitude <= limit) {
      const auto value = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
      if (value == static_cast<int32_t>(value)) return Value::Int32(static_cast<int32_t>(value));
      return Value::Int64(value);
    }
  }
  if (number.fraction_low == 0 && (number.fraction_high & 0xfff) == 0 && number.exponent >= -1074 &&
      number.exponent <= 1023) {
    const double mantissa = 1 + std::ldexp(static_cast<double>(number.fraction_high >> 12), -52);
    const double magnitude = std::ldexp(mantissa, number.exponent);
    const double value = negative ? -magnitude : magnitude;
    // A subnormal has fewer bits than were asked for here.
    if (FromDouble(value) == number) return Value::Double(value);
  }
  return Decimal128FromExactNumber(number);
}

Result<Value> Decimal128FromExactNumber(const ExactNumber& number) {
  switch (number.sign) {
    case Sign::kNan:
      return Value::Decimal128({kDecimal128Nan, 0});
    case Sign::kNegativeInfinity:
      return Value::Decimal128({kDecimal128Infinity | kDecimal128SignBit, 0});
    case Sign::kPositiveInfinity:
      return Value::Decimal128({kDecimal128Infinity, 0});
    default:
      break;
  }
  BigDecimal magnitude;
  const bool negative = number.sign == Sign::kNegative;
  if (number.sign != Sign::kZero && !SetDecimal(number, magnitude)) {
    return Fail(Code::kCorruption, "a number in a key is out of range");
  }
  Decimal128Bits bits;
  if (!PackDecimal128(negative, std::move(magnitude), bits) || FromDecimal128(bits) != number) {
    return Fail(Code::kCorruption, "a number in a key is no number that can be stored");
  }
  return Value::Decimal128(bits);
}

void AppendExactNumber(std::string& out, const ExactNumber& number) {
  out.push_back(static_cast<char>(number.sign));
  if (number.sign != Sign::kNegative && number.sign != Sign::kPositive) return;
  const size_t start = out.size();
  AppendBigEndian(out, static_cast<uint16_t>(number.exponent + 32768));
  uint64_t high = number.fraction_high;
  uint64_t low = number.fraction_low;
  do {
    const auto group = static_cast<uint8_t>(high >> 57);
    high = high << 7 | low >> 57;
    low <<= 7;
    out.push_back(static_cast<char>(group << 1 | ((high | low) != 0 ? 1 : 0)));
  } while ((high | low) != 0);
  if (number.sign == Sign::kNegative) {
    for (size_t i = start; i < out.size(); ++i) out[i] = static_cast<char>(~out[i]);
  }
}

}  // namespace orrery::model
