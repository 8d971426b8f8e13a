// Functions of real numbers. What has no real result, such as the root of -1, is NaN.
#include <cmath>
#include <numbers>

#include "api/sql/function/native/bodies.h"
#include "api/sql/function/native/native_functions.h"

namespace orrery::sql {
namespace {

constexpr double kPi = std::numbers::pi;

// Away from zero when it lies between two.
double Round(double x) { return std::round(x); }

double Sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

Result<Value> Log(Arguments arguments, const CallContext&) {
  const auto number = NumberOf(arguments[0]);
  if (!number) return Value::Undefined();
  if (arguments.size() == 1) return model::NumberFromDouble(std::log(*number));
  const auto base = NumberOf(arguments[1]);
  if (!base) return Value::Undefined();
  // The library's own are exact where the quotient of two logarithms is not.
  if (*base == 10) return model::NumberFromDouble(std::log10(*number));
  if (*base == 2) return model::NumberFromDouble(std::log2(*number));
  return model::NumberFromDouble(std::log(*number) / std::log(*base));
}

// A factor, not a quotient, when the bin is a fraction: 37.75 is 3775 / 100, while 3775 * 0.01 is
// a little more.
double Bin(double number, double size) {
  const double bins = std::floor(number / size);
  const double per_unit = 1 / size;
  return per_unit == std::round(per_unit) ? bins / per_unit : bins * size;
}

Result<Value> NumberBin(Arguments arguments, const CallContext&) {
  const auto number = NumberOf(arguments[0]);
  const auto size = arguments.size() == 1 ? 1.0 : NumberOf(arguments[1]);
  if (!number || !size || *size == 0 || !std::isfinite(*size)) return Value::Undefined();
  return model::NumberFromDouble(Bin(*number, *size));
}

Result<Value> Pi(Arguments, const CallContext&) { return Value::Double(kPi); }

Result<Value> Rand(Arguments, const CallContext& context) {
  return Value::Double(context.random.Next());
}

constexpr Function kMathFunctions[] = {
    {"ABS", 1, 1, OfNumber<[](double x) { return std::fabs(x); }>},
    {"ACOS", 1, 1, OfNumber<[](double x) { return std::acos(x); }>},
    {"ASIN", 1, 1, OfNumber<[](double x) { return std::asin(x); }>},
    {"ATAN", 1, 1, OfNumber<[](double x) { return std::atan(x); }>},
    {"ATN2", 2, 2, OfTwoNumbers<[](double y, double x) { return std::atan2(y, x); }>},
    {"CEILING", 1, 1, OfNumber<[](double x) { return std::ceil(x); }>},
    {"COS", 1, 1, OfNumber<[](double x) { return std::cos(x); }>},
    {"COT", 1, 1, OfNumber<[](double x) { return 1 / std::tan(x); }>},
    {"DEGREES", 1, 1, OfNumber<[](double x) { return 180 / kPi * x; }>},
    {"EXP", 1, 1, OfNumber<[](double x) { return std::exp(x); }>},
    {"FLOOR", 1, 1, OfNumber<[](double x) { return std::floor(x); }>},
    {"LOG", 1, 2, Log},
    {"LOG10", 1, 1, OfNumber<[](double x) { return std::log10(x); }>},
    {"NUMBERBIN", 1, 2, NumberBin},
    {"PI", 0, 0, Pi},
    {"POWER", 2, 2, OfTwoNumbers<[](double x, double y) { return std::pow(x, y); }>},
    {"RADIANS", 1, 1, OfNumber<[](double x) { return kPi * x / 180; }>},
    {"RAND", 0, 0, Rand, Function::Purity::kVolatile},
    {"ROUND", 1, 1, OfNumber<Round>},
    {"SIGN", 1, 1, OfNumber<Sign>},
    {"SIN", 1, 1, OfNumber<[](double x) { return std::sin(x); }>},
    {"SQRT", 1, 1, OfNumber<[](double x) { return std::sqrt(x); }>},
    {"SQUARE", 1, 1, OfNumber<[](double x) { return x * x; }>},
    {"TAN", 1, 1, OfNumber<[](double x) { return std::tan(x); }>},
    {"TRUNC", 1, 1, OfNumber<[](double x) { return std::trunc(x); }>},
};

}  // namespace

std::span<const Function> MathFunctions() { return kMathFunctions; }

}  // namespace orrery::sql
