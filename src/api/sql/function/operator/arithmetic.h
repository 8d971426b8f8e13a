// +, -, *, /, %, the bitwise operators, ||, ?? and ?:.
//
// Arithmetic is that of IEEE doubles, so a division by zero is an infinity or NaN, not an error.
// Bitwise operators work on 32 bits as JavaScript's do: each number is cut to a whole one and taken
// modulo 2^32, the right side of a shift modulo 32. An operand of another type makes the result
// undefined.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "model/value.h"

namespace orrery::sql {

enum class ArithmeticOperator : uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  kBitAnd,
  kBitOr,
  kBitXor,
  kShiftLeft,
  kShiftRight,          // keeps the sign
  kShiftRightUnsigned,  // gives a number from 0 to 2^32 - 1
};

model::Value Apply(ArithmeticOperator op, const model::Value& a, const model::Value& b);

model::Value Negate(const model::Value& a);
model::Value BitNot(const model::Value& a);

// a || b: undefined unless both are strings. kTooLarge past kResultBytesMax.
Result<model::Value> Concatenate(const model::Value& a, const model::Value& b);

// a ?? b: a unless it is undefined; null is a value.
inline const model::Value& Coalesce(const model::Value& a, const model::Value& b) {
  return a.is_undefined() ? b : a;
}

// condition ? a : b. Undefined when the condition is; b when it is anything else but true.
// Lives as long as the arguments.
const model::Value& Ternary(const model::Value& condition, const model::Value& a,
                            const model::Value& b);

}  // namespace orrery::sql
