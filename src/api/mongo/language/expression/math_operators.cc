#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "api/mongo/language/expression/operator_table.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/number.h"
#include "model/number/decimal128.h"
#include "model/number/number.h"

namespace orrery::mongo {
namespace {

using model::Decimal128Bits;
using model::DecimalFunction;
using model::Kind;
using model::Value;

// One number to one number, each in its own type: integers become doubles.
template <DecimalFunction kDecimal, double (*kDouble)(double)>
Answer<Value> Function(const Call& call) {
  const Value& value = call[0];
  if (IsNullish(value)) return Value::Null();
  if (!value.is_number()) {
    return Refuse(28765, fmt::format("{} only supports numeric types, not {}", call.name,
                                     BsonTypeName(value.kind())));
  }
  if (value.kind() == Kind::kDecimal128) {
    return Value::Decimal128(model::Apply(kDecimal, value.AsDecimal128()));
  }
  return Value::Double(kDouble(model::ToDouble(value)));
}

// The same, of a function that is defined for some numbers only.
template <DecimalFunction kDecimal, double (*kDouble)(double), bool (*kIsInside)(double),
          const char* kRange>
Answer<Value> BoundedFunction(const Call& call) {
  const Value& value = call[0];
  if (value.is_number()) {
    const double number = model::ToDouble(value);
    if (!std::isnan(number) && !kIsInside(number)) {
      return Refuse(50989, fmt::format("cannot apply {} to {}, value must be in {}", call.name,
                                       number, kRange));
    }
  }
  return Function<kDecimal, kDouble>(call);
}

bool IsFinite(double x) { return std::isfinite(x); }
bool IsUnit(double x) { return x >= -1 && x <= 1; }
bool IsOneOrMore(double x) { return x >= 1; }
constexpr char kFiniteRange[] = "(-inf,inf)";
constexpr char kUnitRange[] = "[-1,1]";
constexpr char kOneOrMoreRange[] = "[1,inf]";

Answer<Value> Sqrt(const Call& call) {
  if (call[0].is_number() && model::ToDouble(call[0]) < 0) {
    return Refuse(28714, "$sqrt's argument must be greater than or equal to 0");
  }
  return Function<DecimalFunction::kSqrt, std::sqrt>(call);
}

Answer<Value> Ln(const Call& call) {
  if (call[0].is_number() && model::ToDouble(call[0]) <= 0) {
    return Refuse(28766, fmt::format("$ln's argument must be a positive number, but is {}",
                                     model::ToDouble(call[0])));
  }
  return Function<DecimalFunction::kLn, std::log>(call);
}

Answer<Value> Log10(const Call& call) {
  if (call[0].is_number() && model::ToDouble(call[0]) <= 0) {
    return Refuse(28761, fmt::format("$log10's argument must be a positive number, but is {}",
                                     model::ToDouble(call[0])));
  }
  return Function<DecimalFunction::kLog10, std::log10>(call);
}

Answer<Value> Log(const Call& call) {
  const Value& value = call[0];
  const Value& base = call[1];
  if (IsNullish(value) || IsNullish(base)) return Value::Null();
  if (!value.is_number()) {
    return Refuse(
        28756, fmt::format("$log's argument must be numeric, not {}", BsonTypeName(value.kind())));
  }
  if (!base.is_number()) {
    return Refuse(28757,
                  fmt::format("$log's base must be numeric, not {}", BsonTypeName(base.kind())));
  }
  const double x = model::ToDouble(value);
  const double b = model::ToDouble(base);
  if (x <= 0) {
    return Refuse(28758, fmt::format("$log's argument must be a positive number, but is {}", x));
  }
  if (b <= 0 || b == 1) {
    return Refuse(
        28759, fmt::format("$log's base must be a positive number not equal to 1, but is {}", b));
  }
  if (value.kind() == Kind::kDecimal128 || base.kind() == Kind::kDecimal128) {
    return Value::Decimal128(model::Divide(model::Apply(DecimalFunction::kLn, ToDecimal(value)),
                                           model::Apply(DecimalFunction::kLn, ToDecimal(base))));
  }
  return Value::Double(std::log(x) / std::log(b));
}

// Exact as long as it fits int64.
std::optional<int64_t> IntegerPower(int64_t base, int64_t exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    return std::nullopt;
  }
  if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
  if (base == -1) return exponent % 2 == 0 ? 1 : -1;
  int64_t result = 1;
  for (int64_t i = 0; i < exponent; ++i) {
    if (__builtin_mul_overflow(result, base, &result)) return std::nullopt;
  }
  return result;
}

Answer<Value> Pow(const Call& call) {
  const Value& base = call[0];
  const Value& exponent = call[1];
  if (IsNullish(base) || IsNullish(exponent)) return Value::Null();
  if (!base.is_number()) {
    return Refuse(28762,
                  fmt::format("$pow's base must be numeric, not {}", BsonTypeName(base.kind())));
  }
  if (!exponent.is_number()) {
    return Refuse(28763, fmt::format("$pow's exponent must be numeric, not {}",
                                     BsonTypeName(exponent.kind())));
  }
  if (model::ToDouble(base) == 0 && model::ToDouble(exponent) < 0) {
    return Refuse(28764, "$pow cannot take a base of 0 and a negative exponent");
  }
  if (base.kind() == Kind::kDecimal128 || exponent.kind() == Kind::kDecimal128) {
    return Value::Decimal128(model::Power(ToDecimal(base), ToDecimal(exponent)));
  }
  if (base.kind() != Kind::kDouble && exponent.kind() != Kind::kDouble) {
    if (const std::optional<int64_t> whole = IntegerPower(base.AsInteger(), exponent.AsInteger())) {
      const bool is_long = base.kind() == Kind::kInt64 || exponent.kind() == Kind::kInt64;
      return is_long ? Value::Int64(*whole) : SmallestInt(*whole);
    }
  }
  return Value::Double(std::pow(model::ToDouble(base), model::ToDouble(exponent)));
}

Answer<Value> Atan2(const Call& call) {
  for (size_t i = 0; i < 2; ++i) {
    if (IsNullish(call[i])) return Value::Null();
    if (call[i].is_number()) continue;
    return Refuse(i == 0 ? 51044 : 51045, fmt::format("$atan2 only supports numeric types, not {}",
                                                      BsonTypeName(call[i].kind())));
  }
  if (call[0].kind() == Kind::kDecimal128 || call[1].kind() == Kind::kDecimal128) {
    return Value::Decimal128(model::ArcTangent2(ToDecimal(call[0]), ToDecimal(call[1])));
  }
  return Value::Double(std::atan2(model::ToDouble(call[0]), model::ToDouble(call[1])));
}

Answer<Value> Scaled(const Call& call, double factor, std::string_view decimal_factor,
                     std::string_view decimal_divisor) {
  const Value& value = call[0];
  if (IsNullish(value)) return Value::Null();
  if (!value.is_number()) {
    return Refuse(28765, fmt::format("{} only supports numeric types, not {}", call.name,
                                     BsonTypeName(value.kind())));
  }
  if (value.kind() == Kind::kDecimal128) {
    return Value::Decimal128(model::Divide(
        model::Multiply(value.AsDecimal128(), *model::Decimal128FromText(decimal_factor)),
        *model::Decimal128FromText(decimal_divisor)));
  }
  return Value::Double(model::ToDouble(value) * factor);
}

constexpr std::string_view kPiText = "3.141592653589793238462643383279502884";

Answer<Value> DegreesToRadians(const Call& call) {
  return Scaled(call, std::numbers::pi / 180, kPiText, "180");
}
Answer<Value> RadiansToDegrees(const Call& call) {
  return Scaled(call, 180 / std::numbers::pi, "180", kPiText);
}

constexpr ListOperator kMathOperators[] = {
    {"$sqrt", 1, 1, Sqrt},
    {"$exp", 1, 1, Function<DecimalFunction::kExp, std::exp>},
    {"$ln", 1, 1, Ln},
    {"$log10", 1, 1, Log10},
    {"$log", 2, 2, Log},
    {"$pow", 2, 2, Pow},
    {"$sin", 1, 1, BoundedFunction<DecimalFunction::kSin, std::sin, IsFinite, kFiniteRange>},
    {"$cos", 1, 1, BoundedFunction<DecimalFunction::kCos, std::cos, IsFinite, kFiniteRange>},
    {"$tan", 1, 1, BoundedFunction<DecimalFunction::kTan, std::tan, IsFinite, kFiniteRange>},
    {"$asin", 1, 1, BoundedFunction<DecimalFunction::kAsin, std::asin, IsUnit, kUnitRange>},
    {"$acos", 1, 1, BoundedFunction<DecimalFunction::kAcos, std::acos, IsUnit, kUnitRange>},
    {"$atan", 1, 1, Function<DecimalFunction::kAtan, std::atan>},
    {"$sinh", 1, 1, Function<DecimalFunction::kSinh, std::sinh>},
    {"$cosh", 1, 1, Function<DecimalFunction::kCosh, std::cosh>},
    {"$tanh", 1, 1, Function<DecimalFunction::kTanh, std::tanh>},
    {"$asinh", 1, 1, Function<DecimalFunction::kAsinh, std::asinh>},
    {"$acosh", 1, 1,
     BoundedFunction<DecimalFunction::kAcosh, std::acosh, IsOneOrMore, kOneOrMoreRange>},
    {"$atanh", 1, 1, BoundedFunction<DecimalFunction::kAtanh, std::atanh, IsUnit, kUnitRange>},
    {"$atan2", 2, 2, Atan2, true, nullptr, NullStop::kEach},
    {"$degreesToRadians", 1, 1, DegreesToRadians},
    {"$radiansToDegrees", 1, 1, RadiansToDegrees},
};

}  // namespace

std::span<const ListOperator> MathOperators() { return kMathOperators; }

}  // namespace orrery::mongo
