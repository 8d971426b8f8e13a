#include "api/mongo/language/value/number.h"

#include <cmath>

#include "model/number/decimal128.h"
#include "model/number/number.h"

namespace orrery::mongo {

using model::Decimal128Bits;
using model::Kind;
using model::Value;

namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;

bool IsInt(const Value& value) {
  return value.kind() == Kind::kInt32 || value.kind() == Kind::kInt64;
}

}  // namespace

Decimal128Bits ToDecimal(const Value& number) {
  if (number.kind() == Kind::kDecimal128) return number.AsDecimal128();
  if (number.kind() == Kind::kDouble) return model::Decimal128FromDouble(number.AsDouble(), 15);
  return model::Decimal128FromInt(number.AsInteger());
}

std::optional<int64_t> TruncatedInt64(const Value& number) {
  if (IsInt(number)) return number.AsInteger();
  if (number.kind() == Kind::kDecimal128) return model::TruncateToInt(number.AsDecimal128());
  const double value = number.AsDouble();
  if (!(value >= -kTwoTo63 && value < kTwoTo63)) return std::nullopt;
  return static_cast<int64_t>(value);
}

std::optional<int64_t> ExactInt64(const Value& number) {
  if (IsInt(number)) return number.AsInteger();
  const std::optional<int64_t> whole = TruncatedInt64(number);
  if (!whole.has_value()) return std::nullopt;
  if (number.kind() == Kind::kDouble) {
    return static_cast<double>(*whole) == number.AsDouble() ? whole : std::nullopt;
  }
  const Decimal128Bits bits = number.AsDecimal128();
  const Decimal128Bits difference =
      model::Add(bits, model::Negate(model::Decimal128FromInt(*whole)));
  return model::IsZero(difference) ? whole : std::nullopt;
}

Value SmallestInt(int64_t number) {
  if (number == static_cast<int32_t>(number)) return Value::Int32(static_cast<int32_t>(number));
  return Value::Int64(number);
}

namespace {

enum class BinaryOperation : uint8_t { kAdd, kSubtract, kMultiply };

double Compute(double a, double b, BinaryOperation operation) {
  switch (operation) {
    case BinaryOperation::kAdd:
      return a + b;
    case BinaryOperation::kSubtract:
      return a - b;
    case BinaryOperation::kMultiply:
      return a * b;
  }
  return 0;
}

bool Overflows(int64_t a, int64_t b, BinaryOperation operation, int64_t& result) {
  switch (operation) {
    case BinaryOperation::kAdd:
      return __builtin_add_overflow(a, b, &result);
    case BinaryOperation::kSubtract:
      return __builtin_sub_overflow(a, b, &result);
    case BinaryOperation::kMultiply:
      return __builtin_mul_overflow(a, b, &result);
  }
  return true;
}

Decimal128Bits Compute(Decimal128Bits a, Decimal128Bits b, BinaryOperation operation) {
  switch (operation) {
    case BinaryOperation::kAdd:
      return model::Add(a, b);
    case BinaryOperation::kSubtract:
      return model::Add(a, model::Negate(b));
    case BinaryOperation::kMultiply:
      return model::Multiply(a, b);
  }
  return a;
}

// Nullopt where int64 overflows.
std::optional<Value> Combine(const Value& a, const Value& b, BinaryOperation operation) {
  if (a.kind() == Kind::kDecimal128 || b.kind() == Kind::kDecimal128) {
    return Value::Decimal128(Compute(ToDecimal(a), ToDecimal(b), operation));
  }
  if (a.kind() == Kind::kDouble || b.kind() == Kind::kDouble) {
    return Value::Double(Compute(model::ToDouble(a), model::ToDouble(b), operation));
  }
  int64_t result = 0;
  if (Overflows(a.AsInteger(), b.AsInteger(), operation, result)) return std::nullopt;
  if (a.kind() == Kind::kInt32 && b.kind() == Kind::kInt32) return SmallestInt(result);
  return Value::Int64(result);
}

Value CombineGrowing(const Value& a, const Value& b, BinaryOperation operation) {
  if (std::optional<Value> result = Combine(a, b, operation)) return *std::move(result);
  return Value::Double(Compute(model::ToDouble(a), model::ToDouble(b), operation));
}

}  // namespace

Value AddNumbers(const Value& a, const Value& b) {
  return CombineGrowing(a, b, BinaryOperation::kAdd);
}

Value SubtractNumbers(const Value& a, const Value& b) {
  return CombineGrowing(a, b, BinaryOperation::kSubtract);
}

Value MultiplyNumbers(const Value& a, const Value& b) {
  return CombineGrowing(a, b, BinaryOperation::kMultiply);
}

Value DivideNumbers(const Value& a, const Value& b) {
  if (a.kind() == Kind::kDecimal128 || b.kind() == Kind::kDecimal128)
    return Value::Decimal128(model::Divide(ToDecimal(a), ToDecimal(b)));
  return Value::Double(model::ToDouble(a) / model::ToDouble(b));
}

std::optional<Value> AddChecked(const Value& a, const Value& b) {
  return Combine(a, b, BinaryOperation::kAdd);
}

std::optional<Value> MultiplyChecked(const Value& a, const Value& b) {
  return Combine(a, b, BinaryOperation::kMultiply);
}

}  // namespace orrery::mongo
