#include "api/cassandra/types/native/big_arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "api/cassandra/types/invalid_value.h"
#include "api/cassandra/types/native/decimal.h"
#include "api/cassandra/types/native/real.h"
#include "base/bytes.h"
#include "model/number/big_number.h"

namespace orrery::cassandra {
namespace {

using model::BigInt;
using model::PowerOfTen;

constexpr int64_t kPrecisionMax = 10'000;  // of sums and products
constexpr int64_t kQuotientScaleMin = 32;
constexpr int64_t kQuotientScaleMax = 1'000;
// Bringing two decimals to one scale may not need more digits than this.
constexpr int64_t kAlignmentMax = static_cast<int64_t>(kBigNumberDigitsMax);

Status CheckSizes(std::string_view a, std::string_view b) {
  if (a.size() <= kBigNumberBytesMax && b.size() <= kBigNumberBytesMax) return {};
  return InvalidValue("the number is too large");
}

struct Decimal {
  BigInt unscaled;
  int64_t scale = 0;
};

int64_t Digits(const BigInt& number) {
  return number == 0 ? 1 : static_cast<int64_t>(BigInt(abs(number)).str().size());
}

Decimal Load(std::string_view bytes) {
  return {model::BigIntFromBytes(DecimalUnscaled(bytes)), DecimalScale(bytes)};
}

Result<std::string> Store(const Decimal& decimal) {
  if (decimal.scale != static_cast<int32_t>(decimal.scale))
    return InvalidValue(decimal.scale > 0 ? "Underflow" : "Overflow");
  return EncodeDecimal(static_cast<int32_t>(decimal.scale),
                       model::BytesFromBigInt(decimal.unscaled));
}

// Half up. REQUIRES: divisor > 0.
BigInt DivideRounded(const BigInt& dividend, const BigInt& divisor) {
  BigInt quotient;
  BigInt remainder;
  boost::multiprecision::divide_qr(BigInt(abs(dividend)), divisor, quotient, remainder);
  if (2 * remainder >= divisor) ++quotient;
  return dividend < 0 ? BigInt(-quotient) : quotient;
}

void Round(Decimal& decimal) {
  // Twice, because rounding 99...9 up makes one digit more.
  for (int64_t excess = Digits(decimal.unscaled) - kPrecisionMax; excess > 0;
       excess = Digits(decimal.unscaled) - kPrecisionMax) {
    decimal.unscaled = DivideRounded(decimal.unscaled, PowerOfTen(static_cast<uint32_t>(excess)));
    decimal.scale -= excess;
  }
}

// Gives both the larger scale of the two.
Status Align(Decimal& a, Decimal& b) {
  Decimal& coarse = a.scale < b.scale ? a : b;
  const int64_t scale = std::max(a.scale, b.scale);
  if (coarse.unscaled != 0) {
    if (scale - coarse.scale > kAlignmentMax) return InvalidValue("the scales are too far apart");
    coarse.unscaled *= PowerOfTen(static_cast<uint32_t>(scale - coarse.scale));
  }
  coarse.scale = scale;
  return {};
}

// Returns how far right of the first digit of `large` the first digit of `small` stands.
int64_t Distance(const Decimal& large, const Decimal& small) {
  return (Digits(large.unscaled) - large.scale) - (Digits(small.unscaled) - small.scale);
}

Result<Decimal> Add(Decimal a, Decimal b) {
  if (a.unscaled != 0 && b.unscaled != 0) {
    // Beyond the precision only the sign of the smaller one can matter, in the last rounding.
    Decimal& large = Distance(a, b) >= 0 ? a : b;
    Decimal& small = Distance(a, b) >= 0 ? b : a;
    const int64_t lowest =
        std::max(large.scale, large.scale + kPrecisionMax - Digits(large.unscaled)) + 3;
    if (small.scale > lowest && small.scale - Digits(small.unscaled) > lowest) {
      small.unscaled = small.unscaled < 0 ? -1 : 1;
      small.scale = lowest;
    }
  }
  ORRERY_TRY(Align(a, b));
  a.unscaled += b.unscaled;
  Round(a);
  return a;
}

Result<Decimal> Divide(const Decimal& a, const Decimal& b) {
  if (b.unscaled == 0) return InvalidValue("BigInteger divide by zero");
  const int64_t first = Distance(a, b);
  const int64_t scale =
      std::min(std::max({kQuotientScaleMin - first, a.scale, b.scale, kQuotientScaleMin}),
               kQuotientScaleMax);
  // a / b at `scale`: both sides multiplied so that the division is of whole numbers.
  const int64_t shift = scale + b.scale - a.scale;
  if (std::abs(shift) > kAlignmentMax) return InvalidValue("the scales are too far apart");
  BigInt dividend = a.unscaled;
  BigInt divisor = b.unscaled;
  if (divisor < 0) {
    dividend = -dividend;
    divisor = -divisor;
  }
  (shift > 0 ? dividend : divisor) *= PowerOfTen(static_cast<uint32_t>(std::abs(shift)));
  model::BigDecimal stripped{DivideRounded(dividend, divisor), -scale};
  stripped.StripZeros();
  return Decimal{std::move(stripped.coefficient), -stripped.exponent};
}

Result<Decimal> Modulo(Decimal a, Decimal b) {
  if (b.unscaled == 0)
    return InvalidValue(a.unscaled == 0 ? "Division undefined" : "Division by zero");
  const int64_t scale = a.scale;
  const bool is_finer = b.scale > a.scale;
  ORRERY_TRY(Align(a, b));
  BigInt quotient;
  BigInt remainder;  // has the sign of the dividend, as Java's
  boost::multiprecision::divide_qr(a.unscaled, b.unscaled, quotient, remainder);
  a.unscaled = std::move(remainder);
  // As BigDecimal has it, the divisor's scale counts as far as the quotient does not end in zeros.
  for (; is_finer && a.scale > scale && quotient % 10 == 0; --a.scale) {
    a.unscaled /= 10;
    quotient /= 10;
  }
  return a;
}

Result<Decimal> Compute(Operator op, Decimal a, Decimal b) {
  switch (op) {
    case Operator::kAdd:
      return Add(std::move(a), std::move(b));
    case Operator::kSubtract:
      b.unscaled = -b.unscaled;
      return Add(std::move(a), std::move(b));
    case Operator::kMultiply:
      a.unscaled *= b.unscaled;
      a.scale += b.scale;
      Round(a);
      return a;
    case Operator::kDivide:
      return Divide(a, b);
    case Operator::kModulo:
      return Modulo(std::move(a), std::move(b));
  }
  return InvalidValue("unknown operator");
}

}  // namespace

Result<std::string> ComputeVarint(Operator op, std::string_view a, std::string_view b) {
  ORRERY_TRY(CheckSizes(a, b));
  const BigInt x = model::BigIntFromBytes(a);
  const BigInt y = model::BigIntFromBytes(b);
  switch (op) {
    case Operator::kAdd:
      return model::BytesFromBigInt(x + y);
    case Operator::kSubtract:
      return model::BytesFromBigInt(x - y);
    case Operator::kMultiply:
      return model::BytesFromBigInt(x * y);
    case Operator::kDivide:
    case Operator::kModulo:
      if (y == 0) return InvalidValue("BigInteger divide by zero");
      return model::BytesFromBigInt(op == Operator::kDivide ? BigInt(x / y) : BigInt(x % y));
  }
  return InvalidValue("unknown operator");
}

Result<std::string> ComputeDecimal(Operator op, std::string_view a, std::string_view b) {
  ORRERY_TRY(CheckSizes(a, b));
  ORRERY_ASSIGN(const Decimal result, Compute(op, Load(a), Load(b)));
  return Store(result);
}

Result<std::string> NegateVarint(std::string_view bytes) {
  ORRERY_TRY(CheckSizes(bytes, bytes));
  return model::BytesFromBigInt(-model::BigIntFromBytes(bytes));
}

Result<std::string> NegateDecimal(std::string_view bytes) {
  ORRERY_ASSIGN(const std::string unscaled, NegateVarint(DecimalUnscaled(bytes)));
  return EncodeDecimal(DecimalScale(bytes), unscaled);
}

int64_t VarintLow64(std::string_view bytes) {
  const bool negative = (static_cast<uint8_t>(bytes[0]) & 0x80) != 0;
  uint64_t low = negative ? UINT64_MAX : 0;
  for (const char c : bytes.substr(bytes.size() - std::min<size_t>(bytes.size(), 8)))
    low = low << 8 | static_cast<uint8_t>(c);
  return static_cast<int64_t>(low);
}

Result<int64_t> DecimalLow64(std::string_view bytes) {
  ORRERY_TRY(CheckSizes(bytes, bytes));
  Decimal decimal = Load(bytes);
  if (decimal.unscaled == 0) return 0;
  // 10^64 is a multiple of 2^64, so nothing of such a number is left in the lowest bits.
  if (decimal.scale <= -64) return 0;
  if (decimal.scale >= Digits(decimal.unscaled)) return 0;
  if (decimal.scale < 0) {
    decimal.unscaled *= PowerOfTen(static_cast<uint32_t>(-decimal.scale));
  } else {
    decimal.unscaled /= PowerOfTen(static_cast<uint32_t>(decimal.scale));
  }
  return VarintLow64(model::BytesFromBigInt(decimal.unscaled));
}

Result<std::string> DecimalFromDouble(double value) {
  if (std::isnan(value)) return InvalidValue("A NaN cannot be converted into a decimal");
  if (std::isinf(value))
    return InvalidValue("An infinite number cannot be converted into a decimal");
  return ParseDecimal(DoubleText(value));
}

}  // namespace orrery::cassandra
