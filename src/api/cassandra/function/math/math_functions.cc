// abs, exp, log, log10 and round: of every numeric type, the result of the same type.
#include <cmath>
#include <limits>

#include "api/cassandra/function/math/decimal_rounding.h"
#include "api/cassandra/function/math/transcendental.h"
#include "api/cassandra/function/native/native_function.h"
#include "api/cassandra/function/native/native_functions.h"
#include "api/cassandra/types/native/big_arithmetic.h"
#include "api/cassandra/types/native/decimal.h"
#include "api/cassandra/types/native/fixed_size.h"

namespace orrery::cassandra {
namespace {

enum class MathFunction : uint8_t { kAbs, kExp, kLog, kLog10, kRound };

// As Java narrows: NaN is zero, what is beyond the range is its end.
template <typename Integer>
Integer Saturate(double value) {
  if (std::isnan(value)) return 0;
  // The largest integer is no double; the next power of two is.
  const double limit = -static_cast<double>(std::numeric_limits<Integer>::min());
  if (value >= limit) return std::numeric_limits<Integer>::max();
  if (value < -limit) return std::numeric_limits<Integer>::min();
  return static_cast<Integer>(value);
}

// tinyint and smallint by way of int, whose lower bits they take.
template <typename Integer>
Integer Narrow(double value) {
  if constexpr (sizeof(Integer) < sizeof(int32_t)) {
    return static_cast<Integer>(Saturate<int32_t>(value));
  } else {
    return Saturate<Integer>(value);
  }
}

double OfReal(MathFunction function, double x) {
  switch (function) {
    case MathFunction::kAbs:
      return std::fabs(x);
    case MathFunction::kExp:
      return std::exp(x);
    case MathFunction::kLog:
      return std::log(x);
    case MathFunction::kLog10:
      return std::log10(x);
    case MathFunction::kRound:
      break;  // depends on the width
  }
  return x;
}

// The nearest whole number, halves upwards, within the range of an integer of the same width.
template <typename Integer>
double RoundReal(double x) {
  const double floor = std::floor(x);
  return static_cast<double>(Saturate<Integer>(x - floor >= 0.5 ? floor + 1 : floor));
}

template <typename Integer>
std::string OfInteger(MathFunction function, std::string_view bytes) {
  const auto value = DecodeInteger<Integer>(bytes);
  if (function == MathFunction::kRound) return std::string(bytes);
  if (function == MathFunction::kAbs) {
    // Unsigned, because the lowest number has no opposite: it stays itself.
    using Unsigned = std::make_unsigned_t<Integer>;
    return EncodeInteger(
        value < 0 ? static_cast<Integer>(Unsigned{0} - static_cast<Unsigned>(value)) : value);
  }
  return EncodeInteger(Narrow<Integer>(OfReal(function, static_cast<double>(value))));
}

Result<std::string> OfDecimal(MathFunction function, std::string_view bytes) {
  switch (function) {
    case MathFunction::kAbs:
      if ((static_cast<uint8_t>(DecimalUnscaled(bytes)[0]) & 0x80) == 0) return std::string(bytes);
      return NegateDecimal(bytes);
    case MathFunction::kExp:
      return ExpDecimal(bytes);
    case MathFunction::kLog:
      return LogDecimal(bytes);
    case MathFunction::kLog10:
      return Log10Decimal(bytes);
    case MathFunction::kRound:
      break;
  }
  return RoundDecimal(bytes);
}

// Those of a decimal, cut to a whole number.
Result<std::string> OfVarint(MathFunction function, std::string_view bytes) {
  if (function == MathFunction::kRound) return std::string(bytes);
  ORRERY_ASSIGN(const std::string decimal, OfDecimal(function, EncodeDecimal(0, bytes)));
  return TruncateDecimal(decimal);
}

Result<std::string> Compute(MathFunction function, TypeKind kind, std::string_view bytes) {
  switch (kind) {
    case TypeKind::kTinyint:
      return OfInteger<int8_t>(function, bytes);
    case TypeKind::kSmallint:
      return OfInteger<int16_t>(function, bytes);
    case TypeKind::kInt:
      return OfInteger<int32_t>(function, bytes);
    case TypeKind::kFloat: {
      const auto x = static_cast<double>(DecodeFloat(bytes));
      return EncodeFloat(static_cast<float>(
          function == MathFunction::kRound ? RoundReal<int32_t>(x) : OfReal(function, x)));
    }
    case TypeKind::kDouble: {
      const double x = DecodeDouble(bytes);
      return EncodeDouble(function == MathFunction::kRound ? RoundReal<int64_t>(x)
                                                           : OfReal(function, x));
    }
    case TypeKind::kVarint:
      return OfVarint(function, bytes);
    case TypeKind::kDecimal:
      return OfDecimal(function, bytes);
    default:  // bigint and counter
      return OfInteger<int64_t>(function, bytes);
  }
}

void AddMath(FunctionLibrary& library, const char* name, MathFunction function) {
  using enum TypeKind;
  for (const TypeKind kind :
       {kTinyint, kSmallint, kInt, kFloat, kBigint, kDouble, kVarint, kDecimal, kCounter}) {
    library.Add(std::make_shared<NativeScalar>(
        NativeName(name), TypeList{Type::Native(kind)}, Type::Native(kind),
        [function, kind](FunctionContext&, FunctionArguments arguments) -> FunctionResult {
          if (HasNothing(arguments)) return std::nullopt;
          return Compute(function, kind, *arguments[0]);
        }));
  }
}

}  // namespace

void AddMathFunctions(FunctionLibrary& library) {
  AddMath(library, "abs", MathFunction::kAbs);
  AddMath(library, "exp", MathFunction::kExp);
  AddMath(library, "log", MathFunction::kLog);
  AddMath(library, "log10", MathFunction::kLog10);
  AddMath(library, "round", MathFunction::kRound);
}

}  // namespace orrery::cassandra
