#include <boost/multiprecision/cpp_dec_float.hpp>
#include <cmath>
#include <cstdlib>
#include <string>

#include "model/number/decimal128.h"
#include "model/value_text.h"

namespace orrery::model {
namespace {

// Digits to spare, so that rounding to 34 is right but in the rarest of cases.
using WideDecimal = boost::multiprecision::number<boost::multiprecision::cpp_dec_float<60>>;

WideDecimal Widen(Decimal128Bits number) { return WideDecimal(FormatDecimal128(number)); }

Decimal128Bits Narrow(const WideDecimal& number) {
  if (isnan(number)) return *Decimal128FromText("NaN");
  if (isinf(number)) return *Decimal128FromText(number < 0 ? "-Infinity" : "Infinity");
  return Decimal128FromText(number.str(45, std::ios_base::scientific))
      .value_or(*Decimal128FromText("NaN"));
}

Decimal128Bits Nan() { return *Decimal128FromText("NaN"); }
Decimal128Bits Infinity(bool negative) {
  return *Decimal128FromText(negative ? "-Infinity" : "Infinity");
}

Decimal128Bits ApplyToInfinity(DecimalFunction function, Decimal128Bits number) {
  const bool negative = IsNegative(number);
  switch (function) {
    case DecimalFunction::kSqrt:
    case DecimalFunction::kLn:
    case DecimalFunction::kLog10:
    case DecimalFunction::kAcosh:
      return negative ? Nan() : number;
    case DecimalFunction::kExp:
      return negative ? Decimal128FromInt(0) : number;
    case DecimalFunction::kSinh:
    case DecimalFunction::kAsinh:
      return number;
    case DecimalFunction::kCosh:
      return Infinity(false);
    case DecimalFunction::kTanh:
      return Decimal128FromInt(negative ? -1 : 1);
    case DecimalFunction::kAtan: {
      const WideDecimal half_pi = atan(WideDecimal(1)) * 2;
      return Narrow(negative ? WideDecimal(-half_pi) : half_pi);
    }
    default:
      return Nan();
  }
}

}  // namespace

Decimal128Bits Apply(DecimalFunction function, Decimal128Bits number) {
  if (IsNan(number)) return number;
  if (IsInfinite(number)) return ApplyToInfinity(function, number);
  const WideDecimal x = Widen(number);
  switch (function) {
    case DecimalFunction::kSqrt:
      return x < 0 ? Nan() : Narrow(sqrt(x));
    case DecimalFunction::kExp:
      if (x > 15'000) return Infinity(false);
      if (x < -15'000) return Decimal128FromInt(0);
      return Narrow(exp(x));
    case DecimalFunction::kLn:
      if (x == 0) return Infinity(true);
      return x < 0 ? Nan() : Narrow(log(x));
    case DecimalFunction::kLog10:
      if (x == 0) return Infinity(true);
      return x < 0 ? Nan() : Narrow(log10(x));
    case DecimalFunction::kSin:
      return Narrow(sin(x));
    case DecimalFunction::kCos:
      return Narrow(cos(x));
    case DecimalFunction::kTan:
      return Narrow(tan(x));
    case DecimalFunction::kAsin:
      return abs(x) > 1 ? Nan() : Narrow(asin(x));
    case DecimalFunction::kAcos:
      return abs(x) > 1 ? Nan() : Narrow(acos(x));
    case DecimalFunction::kAtan:
      return Narrow(atan(x));
    case DecimalFunction::kSinh:
      return Narrow(sinh(x));
    case DecimalFunction::kCosh:
      return Narrow(cosh(x));
    case DecimalFunction::kTanh:
      return Narrow(tanh(x));
    case DecimalFunction::kAsinh:
      return Narrow(x < 0 ? WideDecimal(-log(-x + sqrt(x * x + 1)))
                          : WideDecimal(log(x + sqrt(x * x + 1))));
    case DecimalFunction::kAcosh:
      return x < 1 ? Nan() : Narrow(log(x + sqrt(x * x - 1)));
    case DecimalFunction::kAtanh:
      if (abs(x) == 1) return Infinity(x < 0);
      return abs(x) > 1 ? Nan() : Narrow(log((1 + x) / (1 - x)) / 2);
  }
  return Nan();
}

Decimal128Bits Power(Decimal128Bits base, Decimal128Bits exponent) {
  if (IsZero(exponent)) return Decimal128FromInt(1);
  if (IsNan(base) || IsNan(exponent)) return Nan();
  const std::optional<int64_t> whole = TruncateToInt(exponent);
  const bool is_whole =
      whole.has_value() && Widen(exponent) == WideDecimal(*whole) && std::abs(*whole) < 100'000;
  if (is_whole && !IsInfinite(base)) {
    // By squaring, so that exact results keep their exponent.
    Decimal128Bits result = Decimal128FromInt(1);
    Decimal128Bits factor = base;
    for (uint64_t n = static_cast<uint64_t>(std::abs(*whole)); n > 0; n >>= 1) {
      if ((n & 1) != 0) result = Multiply(result, factor);
      if (n > 1) factor = Multiply(factor, factor);
    }
    return *whole < 0 ? Divide(Decimal128FromInt(1), result) : result;
  }
  if (IsInfinite(base) || IsInfinite(exponent)) {
    return Decimal128FromDouble(
        std::pow(static_cast<double>(Widen(base)), static_cast<double>(Widen(exponent))));
  }
  const WideDecimal x = Widen(base);
  if (x < 0) return Nan();
  if (x == 0) return IsNegative(exponent) ? Infinity(false) : Decimal128FromInt(0);
  return Narrow(pow(x, Widen(exponent)));
}

Decimal128Bits ArcTangent2(Decimal128Bits y, Decimal128Bits x) {
  if (IsNan(y) || IsNan(x)) return Nan();
  if (IsInfinite(y) || IsInfinite(x)) {
    return Decimal128FromDouble(
        std::atan2(IsInfinite(y) ? (IsNegative(y) ? -INFINITY : INFINITY) : 1.0,
                   IsInfinite(x) ? (IsNegative(x) ? -INFINITY : INFINITY) : 1.0));
  }
  return Narrow(atan2(Widen(y), Widen(x)));
}

}  // namespace orrery::model
