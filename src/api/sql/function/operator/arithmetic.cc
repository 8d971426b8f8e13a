#include "api/sql/function/operator/arithmetic.h"

#include <cmath>

#include "api/sql/function/argument.h"
#include "api/sql/function/limits.h"

namespace orrery::sql {
namespace {

// JavaScript's ToUint32.
uint32_t ToBits(double number) {
  if (!std::isfinite(number)) return 0;
  double rest = std::fmod(std::trunc(number), 0x1p32);
  if (rest < 0) rest += 0x1p32;
  return static_cast<uint32_t>(rest);
}

double Compute(ArithmeticOperator op, double a, double b) {
  switch (op) {
    case ArithmeticOperator::kAdd:
      return a + b;
    case ArithmeticOperator::kSubtract:
      return a - b;
    case ArithmeticOperator::kMultiply:
      return a * b;
    case ArithmeticOperator::kDivide:
      return a / b;
    case ArithmeticOperator::kModulo:
      return std::fmod(a, b);
    default:
      break;
  }
  const uint32_t left = ToBits(a);
  const uint32_t right = ToBits(b);
  const uint32_t count = right & 31;
  const auto is_signed = [](uint32_t bits) {
    return static_cast<double>(static_cast<int32_t>(bits));
  };
  switch (op) {
    case ArithmeticOperator::kBitAnd:
      return is_signed(left & right);
    case ArithmeticOperator::kBitOr:
      return is_signed(left | right);
    case ArithmeticOperator::kBitXor:
      return is_signed(left ^ right);
    case ArithmeticOperator::kShiftLeft:
      return is_signed(left << count);
    case ArithmeticOperator::kShiftRight:
      return static_cast<int32_t>(left) >> count;
    default:
      return left >> count;
  }
}

}  // namespace

Value Apply(ArithmeticOperator op, const Value& a, const Value& b) {
  const auto left = NumberOf(a);
  const auto right = NumberOf(b);
  if (!left || !right) return Value::Undefined();
  return model::NumberFromDouble(Compute(op, *left, *right));
}

Value Negate(const Value& a) {
  const auto number = NumberOf(a);
  return number ? model::NumberFromDouble(-*number) : Value::Undefined();
}

Value BitNot(const Value& a) {
  const auto number = NumberOf(a);
  return number ? Value::Int32(static_cast<int32_t>(~ToBits(*number))) : Value::Undefined();
}

Result<Value> Concatenate(const Value& a, const Value& b) {
  const std::string* left = TextOf(a);
  const std::string* right = TextOf(b);
  if (left == nullptr || right == nullptr) return Value::Undefined();
  ORRERY_TRY(CheckResultBytes(left->size() + right->size()));
  return Value::String(*left + *right);
}

const Value& Ternary(const Value& condition, const Value& a, const Value& b) {
  // It is undefined itself, which is the result.
  if (condition.is_undefined()) return condition;
  return BoolOf(condition) == true ? a : b;
}

}  // namespace orrery::sql
