#include "api/gremlin/value/arithmetic.h"

#include <limits>
#include <string>

#include "api/gremlin/value/big_arithmetic.h"
#include "api/gremlin/value/text.h"
#include "model/number/number.h"

namespace orrery::gremlin {
namespace {

std::string_view Symbol(Arithmetic operation) {
  switch (operation) {
    case Arithmetic::kAdd:
      return "added";
    case Arithmetic::kSubtract:
      return "subtracted";
    case Arithmetic::kMultiply:
      return "multiplied";
    case Arithmetic::kDivide:
      break;
  }
  return "divided";
}

double Apply(Arithmetic operation, double a, double b) {
  switch (operation) {
    case Arithmetic::kAdd:
      return a + b;
    case Arithmetic::kSubtract:
      return a - b;
    case Arithmetic::kMultiply:
      return a * b;
    case Arithmetic::kDivide:
      break;
  }
  return a / b;
}

// Longs wrap around, as Java's do.
int64_t ApplyWhole(Arithmetic operation, int64_t a, int64_t b) {
  int64_t result = 0;
  switch (operation) {
    case Arithmetic::kAdd:
      (void)__builtin_add_overflow(a, b, &result);
      return result;
    case Arithmetic::kSubtract:
      (void)__builtin_sub_overflow(a, b, &result);
      return result;
    case Arithmetic::kMultiply:
      (void)__builtin_mul_overflow(a, b, &result);
      return result;
    case Arithmetic::kDivide:
      break;
  }
  return b == -1 ? ApplyWhole(Arithmetic::kSubtract, 0, a) : a / b;
}

Value WholeOfType(Type type, int64_t value) {
  const auto fits = [value](auto limits) {
    return value >= decltype(limits)::min() && value <= decltype(limits)::max();
  };
  if (type == Type::kByte && fits(std::numeric_limits<int8_t>()))
    return Value::Byte(static_cast<int8_t>(value));
  if (type <= Type::kShort && fits(std::numeric_limits<int16_t>()))
    return Value::Short(static_cast<int16_t>(value));
  if (type <= Type::kInt && fits(std::numeric_limits<int32_t>()))
    return Value::Int(static_cast<int32_t>(value));
  return Value::Long(value);
}

}  // namespace

double ToDouble(const Value& number) {
  if (number.is_integer()) return static_cast<double>(number.AsInteger());
  if (number.is_floating()) return number.AsFloating();
  return model::ToDouble(number.AsBig());
}

bool ToLong(const Value& number, int64_t& whole) {
  if (number.is_integer()) {
    whole = number.AsInteger();
    return true;
  }
  if (!number.is_number()) return false;
  const double value = ToDouble(number);
  constexpr double kLimit = 9223372036854775808.0;
  if (!(value >= -kLimit && value < kLimit)) return false;
  whole = static_cast<int64_t>(value);
  return static_cast<double>(whole) == value;
}

Result<Value> Calculate(Arithmetic operation, const Value& a, const Value& b) {
  if (!a.is_number() || !b.is_number()) {
    const Value& wrong = a.is_number() ? b : a;
    return Fail(Code::kInvalidArgument, std::string(TypeName(wrong.type())) + " " + ToText(wrong) +
                                            " cannot be " + std::string(Symbol(operation)) +
                                            ": it is not a number");
  }
  if (a.is_integer() && b.is_integer()) {
    if (operation == Arithmetic::kDivide && b.AsInteger() == 0)
      return Fail(Code::kInvalidArgument, "/ by zero");
    return WholeOfType(std::max(a.type(), b.type()),
                       ApplyWhole(operation, a.AsInteger(), b.AsInteger()));
  }
  if (IsBig(a) || IsBig(b)) return CalculateBig(operation, a, b);
  const double result = Apply(operation, ToDouble(a), ToDouble(b));
  const auto narrow = [](const Value& v) {
    return v.type() == Type::kFloat || v.type() <= Type::kInt;
  };
  if (narrow(a) && narrow(b)) return Value::Float(static_cast<float>(result));
  return Value::Double(result);
}

Result<Value> Divide(const Value& sum, int64_t count) {
  if (IsBig(sum)) return DivideDecimally(sum, Value::Long(count));
  return Value::Double(ToDouble(sum) / static_cast<double>(count));
}

}  // namespace orrery::gremlin
