#include "model/number/decimal128.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string>

#include "model/number/big_number.h"

namespace orrery::model {
namespace {

constexpr Decimal128Bits kQuietNan{kDecimal128Nan, 0};

Decimal128Bits InfinityBits(bool negative) {
  return {kDecimal128Infinity | (negative ? kDecimal128SignBit : 0), 0};
}

int64_t DigitsOf(const BigInt& number) {
  return number == 0 ? 1 : static_cast<int64_t>(number.str().size());
}

// Divides by 10^places. `is_inexact` says that something nonzero was already cut below.
void DropDigits(BigInt& number, int64_t places, DecimalRounding rounding, bool negative,
                bool is_inexact) {
  if (places <= 0) return;
  if (places > 40'000) places = 40'000;
  const BigInt divisor = PowerOfTen(static_cast<uint32_t>(places));
  BigInt quotient;
  BigInt remainder;
  boost::multiprecision::divide_qr(number, divisor, quotient, remainder);
  number = quotient;
  bool up = false;
  const bool has_rest = remainder != 0 || is_inexact;
  switch (rounding) {
    case DecimalRounding::kHalfEven: {
      const BigInt twice = remainder * 2;
      up = twice > divisor || (twice == divisor && (is_inexact || (quotient & 1) != 0));
      break;
    }
    case DecimalRounding::kTowardZero:
      break;
    case DecimalRounding::kFloor:
      up = negative && has_rest;
      break;
    case DecimalRounding::kCeiling:
      up = !negative && has_rest;
      break;
  }
  if (up) ++number;
}

// coefficient * 10^exponent as decimal128, rounded.
Decimal128Bits PackRounded(bool negative, BigInt coefficient, int64_t exponent,
                           bool is_inexact = false) {
  int64_t excess = DigitsOf(coefficient) - kDecimal128Digits;
  if (exponent + excess < kDecimal128ExponentMin) excess = kDecimal128ExponentMin - exponent;
  if (excess > 0) {
    DropDigits(coefficient, excess, DecimalRounding::kHalfEven, negative, is_inexact);
    exponent += excess;
    if (DigitsOf(coefficient) > kDecimal128Digits) {
      coefficient /= 10;
      ++exponent;
    }
  }
  if (coefficient == 0) {
    exponent = std::clamp<int64_t>(exponent, kDecimal128ExponentMin, kDecimal128ExponentMax);
  }
  Decimal128Bits bits;
  if (!PackDecimal128(negative, {std::move(coefficient), exponent}, bits)) {
    return InfinityBits(negative);
  }
  return bits;
}

// Brings both to the smaller exponent.
int64_t Align(BigDecimal& a, BigDecimal& b) {
  BigDecimal& high = a.exponent > b.exponent ? a : b;
  const int64_t low = std::min(a.exponent, b.exponent);
  high.coefficient *= PowerOfTen(static_cast<uint32_t>(high.exponent - low));
  high.exponent = low;
  return low;
}

// Removes zeros at the end until the exponent is the preferred one.
void Prefer(BigInt& coefficient, int64_t& exponent, int64_t preferred) {
  while (exponent < preferred && coefficient != 0 && coefficient % 10 == 0) {
    coefficient /= 10;
    ++exponent;
  }
}

}  // namespace

bool IsNan(Decimal128Bits number) { return (number.high >> 58 & 0x1f) == 0x1f; }
bool IsInfinite(Decimal128Bits number) { return (number.high >> 58 & 0x1f) == 0x1e; }
bool IsNegative(Decimal128Bits number) { return (number.high & kDecimal128SignBit) != 0; }
bool IsZero(Decimal128Bits number) {
  const UnpackedDecimal128 unpacked = UnpackDecimal128(number);
  return unpacked.form == Decimal128Form::kFinite && unpacked.magnitude.coefficient == 0;
}

Decimal128Bits Negate(Decimal128Bits number) {
  return {number.high ^ kDecimal128SignBit, number.low};
}

Decimal128Bits Decimal128FromInt(int64_t number) {
  const bool negative = number < 0;
  BigInt magnitude = number;
  if (negative) magnitude = -magnitude;
  return PackRounded(negative, std::move(magnitude), 0);
}

Decimal128Bits Decimal128FromDouble(double number, int digits) {
  if (std::isnan(number)) return kQuietNan;
  const bool negative = std::signbit(number);
  if (std::isinf(number)) return InfinityBits(negative);
  if (number == 0) return PackRounded(negative, 0, 0);
  int binary_exponent = 0;
  const double fraction = std::frexp(std::fabs(number), &binary_exponent);
  BigInt coefficient = static_cast<uint64_t>(std::ldexp(fraction, 53));
  binary_exponent -= 53;
  int64_t exponent = 0;
  if (binary_exponent >= 0) {
    coefficient <<= binary_exponent;
  } else {
    coefficient *= boost::multiprecision::pow(BigInt(5), static_cast<uint32_t>(-binary_exponent));
    exponent = binary_exponent;
  }
  const int64_t excess = DigitsOf(coefficient) - digits;
  if (excess > 0) {
    DropDigits(coefficient, excess, DecimalRounding::kHalfEven, negative, false);
    exponent += excess;
  } else if (digits < kDecimal128Digits) {
    coefficient *= PowerOfTen(static_cast<uint32_t>(-excess));
    exponent += excess;
  }
  if (digits >= kDecimal128Digits) Prefer(coefficient, exponent, 0);
  return PackRounded(negative, std::move(coefficient), exponent);
}

std::optional<Decimal128Bits> Decimal128FromText(std::string_view text) {
  bool negative = false;
  size_t at = 0;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) negative = text[at++] == '-';
  std::string word(text.substr(at));
  std::ranges::transform(word, word.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (word == "nan") return kQuietNan;
  if (word == "inf" || word == "infinity") return InfinityBits(negative);
  std::string digits;
  int64_t exponent = 0;
  bool has_point = false;
  for (; at < text.size() && (std::isdigit(static_cast<unsigned char>(text[at])) != 0 ||
                              (text[at] == '.' && !has_point));
       ++at) {
    if (text[at] == '.') {
      has_point = true;
      continue;
    }
    digits.push_back(text[at]);
    if (has_point) --exponent;
  }
  if (digits.empty() || digits.size() > 10'000) return std::nullopt;
  if (at < text.size()) {
    if (text[at] != 'e' && text[at] != 'E') return std::nullopt;
    ++at;
    bool minus = false;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) minus = text[at++] == '-';
    if (at == text.size() || text.size() - at > 10) return std::nullopt;
    int64_t power = 0;
    for (; at < text.size(); ++at) {
      if (std::isdigit(static_cast<unsigned char>(text[at])) == 0) return std::nullopt;
      power = power * 10 + (text[at] - '0');
    }
    exponent += minus ? -power : power;
  }
  const size_t first = digits.find_first_not_of('0');
  BigInt coefficient = first == std::string::npos ? BigInt(0) : BigInt(digits.substr(first));
  return PackRounded(negative, std::move(coefficient), exponent);
}

Decimal128Bits Add(Decimal128Bits a, Decimal128Bits b) {
  if (IsNan(a) || IsNan(b)) return kQuietNan;
  if (IsInfinite(a)) return IsInfinite(b) && IsNegative(a) != IsNegative(b) ? kQuietNan : a;
  if (IsInfinite(b)) return b;
  UnpackedDecimal128 x = UnpackDecimal128(a);
  UnpackedDecimal128 y = UnpackDecimal128(b);
  const int64_t exponent = Align(x.magnitude, y.magnitude);
  BigInt sum = (x.negative ? BigInt(-x.magnitude.coefficient) : x.magnitude.coefficient) +
               (y.negative ? BigInt(-y.magnitude.coefficient) : y.magnitude.coefficient);
  const bool negative = sum == 0 ? x.negative && y.negative : sum < 0;
  return PackRounded(negative, abs(sum), exponent);
}

Decimal128Bits Multiply(Decimal128Bits a, Decimal128Bits b) {
  if (IsNan(a) || IsNan(b)) return kQuietNan;
  const bool negative = IsNegative(a) != IsNegative(b);
  if (IsInfinite(a) || IsInfinite(b)) {
    return IsZero(a) || IsZero(b) ? kQuietNan : InfinityBits(negative);
  }
  const BigDecimal x = UnpackDecimal128(a).magnitude;
  const BigDecimal y = UnpackDecimal128(b).magnitude;
  return PackRounded(negative, x.coefficient * y.coefficient, x.exponent + y.exponent);
}

Decimal128Bits Divide(Decimal128Bits a, Decimal128Bits b) {
  if (IsNan(a) || IsNan(b)) return kQuietNan;
  const bool negative = IsNegative(a) != IsNegative(b);
  if (IsInfinite(a)) return IsInfinite(b) ? kQuietNan : InfinityBits(negative);
  const BigDecimal x = UnpackDecimal128(a).magnitude;
  const int64_t preferred = x.exponent;
  if (IsInfinite(b)) return PackRounded(negative, 0, kDecimal128ExponentMin);
  const BigDecimal y = UnpackDecimal128(b).magnitude;
  if (y.coefficient == 0) {
    return x.coefficient == 0 ? kQuietNan : InfinityBits(negative);
  }
  const int64_t shift = std::max<int64_t>(
      0, kDecimal128Digits + 4 + DigitsOf(y.coefficient) - DigitsOf(x.coefficient));
  BigInt quotient;
  BigInt remainder;
  boost::multiprecision::divide_qr(BigInt(x.coefficient * PowerOfTen(static_cast<uint32_t>(shift))),
                                   y.coefficient, quotient, remainder);
  int64_t exponent = x.exponent - y.exponent - shift;
  if (remainder == 0) Prefer(quotient, exponent, preferred - y.exponent);
  return PackRounded(negative, std::move(quotient), exponent, remainder != 0);
}

Decimal128Bits Modulo(Decimal128Bits a, Decimal128Bits b) {
  if (IsNan(a) || IsNan(b) || IsInfinite(a) || IsZero(b)) return kQuietNan;
  if (IsInfinite(b)) return a;
  UnpackedDecimal128 x = UnpackDecimal128(a);
  UnpackedDecimal128 y = UnpackDecimal128(b);
  const int64_t exponent = Align(x.magnitude, y.magnitude);
  return PackRounded(x.negative, x.magnitude.coefficient % y.magnitude.coefficient, exponent);
}

Decimal128Bits RoundTo(Decimal128Bits number, int32_t exponent, DecimalRounding rounding) {
  if (IsNan(number) || IsInfinite(number)) return number;
  UnpackedDecimal128 x = UnpackDecimal128(number);
  if (x.magnitude.exponent >= exponent) {
    // Zeros are added as far as 34 digits allow.
    const int64_t zeros = std::min<int64_t>(x.magnitude.exponent - exponent,
                                            kDecimal128Digits - DigitsOf(x.magnitude.coefficient));
    x.magnitude.coefficient *= PowerOfTen(static_cast<uint32_t>(std::max<int64_t>(0, zeros)));
    return PackRounded(x.negative, x.magnitude.coefficient,
                       x.magnitude.exponent - std::max<int64_t>(0, zeros));
  }
  DropDigits(x.magnitude.coefficient, exponent - x.magnitude.exponent, rounding, x.negative, false);
  return PackRounded(x.negative, x.magnitude.coefficient, exponent);
}

std::optional<int64_t> TruncateToInt(Decimal128Bits number) {
  if (IsNan(number) || IsInfinite(number)) return std::nullopt;
  UnpackedDecimal128 x = UnpackDecimal128(number);
  BigInt& magnitude = x.magnitude.coefficient;
  if (x.magnitude.exponent > 0) {
    if (magnitude != 0 && x.magnitude.exponent > 19) return std::nullopt;
    magnitude *= PowerOfTen(static_cast<uint32_t>(x.magnitude.exponent));
  } else {
    DropDigits(magnitude, -x.magnitude.exponent, DecimalRounding::kTowardZero, x.negative, false);
  }
  if (x.negative) magnitude = -magnitude;
  if (magnitude > INT64_MAX || magnitude < INT64_MIN) return std::nullopt;
  return static_cast<int64_t>(magnitude);
}

}  // namespace orrery::model
