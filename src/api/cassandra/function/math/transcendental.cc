#include "api/cassandra/function/math/transcendental.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "api/cassandra/types/native/decimal.h"
#include "model/number/big_number.h"

namespace orrery::cassandra {
namespace {

using model::BigInt;
using model::PowerOfTen;

// More than any rounding error of the series, so that all digits of a result are right.
constexpr int64_t kGuardDigits = 25;
constexpr double kBitsPerDigit = 3.3219281;
// Above 10^10, e^x has an exponent that no decimal has.
constexpr int64_t kExpWholeDigitsMax = 10;

std::unexpected<Error> Failed(const char* message) { return Fail(Code::kInvalidArgument, message); }

// The number is unscaled / 10^scale.
struct Decimal {
  BigInt unscaled;
  int64_t scale = 0;
  int64_t digits = 0;

  // Returns the number of digits before the point; negative when zeros follow it.
  int64_t whole_digits() const { return digits - scale; }
};

int64_t DigitCount(const BigInt& number) {
  return static_cast<int64_t>(BigInt(abs(number)).str().size());
}

Result<Decimal> Load(std::string_view bytes) {
  constexpr auto kBytesMax = static_cast<size_t>(kMathDigitsMax * kBitsPerDigit / 8) + 8;
  const std::string_view unscaled = DecimalUnscaled(bytes);
  if (unscaled.size() > kBytesMax) return Failed("the number has too many digits");
  Decimal decimal{model::BigIntFromBytes(unscaled), DecimalScale(bytes), 0};
  decimal.digits = DigitCount(decimal.unscaled);
  if (decimal.digits > kMathDigitsMax) return Failed("the number has too many digits");
  return decimal;
}

Result<std::string> Store(const BigInt& unscaled, int64_t scale) {
  if (scale != static_cast<int32_t>(scale)) return Failed(scale > 0 ? "Underflow" : "Overflow");
  return EncodeDecimal(static_cast<int32_t>(scale), model::BytesFromBigInt(unscaled));
}

int64_t ResultDigits(const Decimal& argument) {
  return std::clamp(argument.digits, kMathDigitsMin, kMathResultDigitsMax);
}

// Fixed point from here on: the number times 2^bits.
uint32_t BitsFor(int64_t digits) {
  return static_cast<uint32_t>(
      std::ceil(static_cast<double>(digits + kGuardDigits) * kBitsPerDigit));
}

// artanh(1/n) = 1/n + 1/3n^3 + 1/5n^5 ...
BigInt InverseArtanh(uint32_t n, uint32_t bits) {
  BigInt power = (BigInt(1) << bits) / n;
  BigInt sum = power;
  for (uint32_t k = 3; power != 0; k += 2) {
    power /= n * n;
    sum += power / k;
  }
  return sum;
}

BigInt Ln10(uint32_t bits) {
  return 46 * InverseArtanh(31, bits) + 34 * InverseArtanh(49, bits) +
         20 * InverseArtanh(161, bits);
}

// e^x by its series, x first halved until it is small. REQUIRES: 0 <= x < 4.
BigInt Exp(const BigInt& x, uint32_t bits) {
  const auto halvings = static_cast<uint32_t>(8 + std::sqrt(bits) / 2);
  const uint32_t work_bits = bits + halvings + 32;  // squaring doubles the error each time
  const BigInt part = (x << (work_bits - bits)) >> halvings;
  BigInt term = BigInt(1) << work_bits;
  BigInt sum = term;
  for (uint32_t n = 1; term != 0; ++n) {
    term = ((term * part) >> work_bits) / n;
    sum += term;
  }
  for (uint32_t i = 0; i < halvings; ++i) sum = (sum * sum) >> work_bits;
  return sum >> (work_bits - bits);
}

// ln m = 2 artanh((m - 1) / (m + 1)). REQUIRES: m > 0, best near 1.
BigInt Ln(const BigInt& m, uint32_t bits) {
  const BigInt one = BigInt(1) << bits;
  const BigInt z = (BigInt(abs(m - one)) << bits) / (m + one);
  const BigInt square = (z * z) >> bits;
  BigInt power = z;
  BigInt sum = z;
  for (uint32_t k = 3; power != 0; k += 2) {
    power = (power * square) >> bits;
    sum += power / k;
  }
  return m < one ? BigInt(-2 * sum) : BigInt(2 * sum);
}

// The fixed-point number times 10^exponent, as a decimal of so many digits. REQUIRES: not zero.
Result<std::string> Rounded(const BigInt& fixed, uint32_t bits, int64_t exponent, int64_t digits) {
  const BigInt magnitude = abs(fixed);
  // Enough to see the first digit even of a very small number.
  const auto all = static_cast<uint32_t>(bits / kBitsPerDigit) + 2;
  const int64_t seen = DigitCount((magnitude * PowerOfTen(all)) >> bits);
  int64_t scale = digits + static_cast<int64_t>(all) - seen;
  const BigInt half = BigInt(1) << (bits - 1);
  BigInt unscaled =
      scale >= 0 ? (magnitude * PowerOfTen(static_cast<uint32_t>(scale)) + half) >> bits
                 : BigInt((magnitude / PowerOfTen(static_cast<uint32_t>(-scale)) + half) >> bits);
  if (DigitCount(unscaled) > digits) {  // 99...9 became 100...0
    unscaled /= 10;
    --scale;
  }
  return Store(fixed < 0 ? BigInt(-unscaled) : unscaled, scale - exponent);
}

// The natural logarithm in fixed point. REQUIRES: a positive number.
BigInt LnOf(const Decimal& number, int64_t digits, uint32_t& bits) {
  // number = m * 10^exponent with m between 1/sqrt(10) and sqrt(10).
  int64_t exponent = number.whole_digits() - 1;
  auto divisor_digits = static_cast<uint32_t>(number.digits - 1);
  if (number.unscaled * number.unscaled > PowerOfTen(2 * divisor_digits + 1)) {
    ++exponent;
    ++divisor_digits;
  }
  // Near one the logarithm begins with as many zeros as the number agrees with it.
  bits = BitsFor(exponent == 0 ? digits + number.digits : digits);
  const BigInt m = (number.unscaled << bits) / PowerOfTen(divisor_digits);
  return Ln(m, bits) + exponent * Ln10(bits);
}

bool IsPowerOfTen(const Decimal& number) {
  return number.unscaled == PowerOfTen(static_cast<uint32_t>(number.digits - 1));
}

}  // namespace

Result<std::string> ExpDecimal(std::string_view decimal) {
  ORRERY_ASSIGN(const Decimal x, Load(decimal));
  if (x.unscaled == 0) return Store(1, 0);
  const int64_t digits = ResultDigits(x);
  const bool negative = x.unscaled < 0;
  if (x.whole_digits() > kExpWholeDigitsMax) return Failed(negative ? "Underflow" : "Overflow");
  // So near zero that nothing but the one is seen.
  if (-x.whole_digits() > digits + kGuardDigits)
    return Store(PowerOfTen(static_cast<uint32_t>(digits - 1)), digits - 1);

  // e^x = 10^k * e^(x - k ln 10), with k such that the rest is between 0 and ln 10.
  const uint32_t bits = BitsFor(digits + kExpWholeDigitsMax);
  BigInt magnitude = BigInt(abs(x.unscaled)) << bits;
  if (x.scale >= 0) {
    magnitude /= PowerOfTen(static_cast<uint32_t>(x.scale));
  } else {
    magnitude *= PowerOfTen(static_cast<uint32_t>(-x.scale));
  }
  const BigInt ln10 = Ln10(bits);
  BigInt quotient;
  BigInt rest;
  boost::multiprecision::divide_qr(magnitude, ln10, quotient, rest);
  auto k = static_cast<int64_t>(quotient);
  if (negative) {
    k = -k - 1;
    rest = ln10 - rest;
  }
  return Rounded(Exp(rest, bits), bits, k, digits);
}

Result<std::string> LogDecimal(std::string_view decimal) {
  ORRERY_ASSIGN(const Decimal x, Load(decimal));
  if (x.unscaled <= 0) return Failed("Natural log of number zero or less");
  if (IsPowerOfTen(x) && x.whole_digits() == 1) return Store(0, 0);
  uint32_t bits = 0;
  const BigInt logarithm = LnOf(x, ResultDigits(x), bits);
  return Rounded(logarithm, bits, 0, ResultDigits(x));
}

Result<std::string> Log10Decimal(std::string_view decimal) {
  ORRERY_ASSIGN(const Decimal x, Load(decimal));
  if (x.unscaled <= 0) return Failed("Log10 of number zero or less");
  if (IsPowerOfTen(x)) return Store(BigInt(x.whole_digits() - 1), 0);
  uint32_t bits = 0;
  const BigInt logarithm = LnOf(x, ResultDigits(x), bits);
  return Rounded((logarithm << bits) / Ln10(bits), bits, 0, ResultDigits(x));
}

}  // namespace orrery::cassandra
