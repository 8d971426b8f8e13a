// Functions of 64-bit whole numbers. What is no whole number, and a result that does not fit,
// is undefined.
#include <limits>
#include <optional>

#include "api/sql/function/native/bodies.h"
#include "api/sql/function/native/native_functions.h"

namespace orrery::sql {
namespace {

using Integer = std::optional<int64_t>;

Value ToValue(Integer number) { return number ? FromInteger(*number) : Value::Undefined(); }

// Integer F(int64_t, int64_t)
template <auto F>
Result<Value> OfTwoIntegers(Arguments arguments, const CallContext&) {
  const Integer a = IntegerOf(arguments[0]);
  const Integer b = IntegerOf(arguments[1]);
  return a && b ? ToValue(F(*a, *b)) : Value::Undefined();
}

Result<Value> BitNot(Arguments arguments, const CallContext&) {
  const Integer number = IntegerOf(arguments[0]);
  return number ? ToValue(~*number) : Value::Undefined();
}

Integer Add(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? Integer() : sum;
}

Integer Subtract(int64_t a, int64_t b) {
  int64_t difference = 0;
  return __builtin_sub_overflow(a, b, &difference) ? Integer() : difference;
}

Integer Multiply(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? Integer() : product;
}

// The one quotient that does not fit.
bool Overflows(int64_t a, int64_t b) { return a == std::numeric_limits<int64_t>::min() && b == -1; }

Integer Divide(int64_t a, int64_t b) { return b == 0 || Overflows(a, b) ? Integer() : a / b; }

// Has the sign of the first.
Integer Modulo(int64_t a, int64_t b) {
  if (b == 0) return std::nullopt;
  return Overflows(a, b) ? 0 : a % b;
}

bool IsShift(int64_t count) { return count >= 0 && count < 64; }

Integer ShiftLeft(int64_t a, int64_t count) {
  if (!IsShift(count)) return std::nullopt;
  return static_cast<int64_t>(static_cast<uint64_t>(a) << count);
}

// Keeps the sign.
Integer ShiftRight(int64_t a, int64_t count) {
  if (!IsShift(count)) return std::nullopt;
  return a >> count;
}

constexpr Function kIntegerFunctions[] = {
    {"INTADD", 2, 2, OfTwoIntegers<Add>},
    {"INTBITAND", 2, 2, OfTwoIntegers<[](int64_t a, int64_t b) { return Integer(a & b); }>},
    {"INTBITLEFTSHIFT", 2, 2, OfTwoIntegers<ShiftLeft>},
    {"INTBITNOT", 1, 1, BitNot},
    {"INTBITOR", 2, 2, OfTwoIntegers<[](int64_t a, int64_t b) { return Integer(a | b); }>},
    {"INTBITRIGHTSHIFT", 2, 2, OfTwoIntegers<ShiftRight>},
    {"INTBITXOR", 2, 2, OfTwoIntegers<[](int64_t a, int64_t b) { return Integer(a ^ b); }>},
    {"INTDIV", 2, 2, OfTwoIntegers<Divide>},
    {"INTMOD", 2, 2, OfTwoIntegers<Modulo>},
    {"INTMUL", 2, 2, OfTwoIntegers<Multiply>},
    {"INTSUB", 2, 2, OfTwoIntegers<Subtract>},
};

}  // namespace

std::span<const Function> IntegerFunctions() { return kIntegerFunctions; }

}  // namespace orrery::sql
