// Numbers combined as TinkerPop does: in the wider type of the two; ints become longs on overflow.
// BigInteger and BigDecimal are calculated exactly (big_arithmetic.h).
#pragma once

#include "api/gremlin/value/value.h"
#include "base/status.h"

namespace orrery::gremlin {

enum class Arithmetic : uint8_t { kAdd, kSubtract, kMultiply, kDivide };

// kInvalidArgument if one is not a number, or for an integer division by zero.
Result<Value> Calculate(Arithmetic operation, const Value& a, const Value& b);

// The nearest double. REQUIRES: a number.
double ToDouble(const Value& number);
// Returns whether the number is whole and fits a long.
[[nodiscard]] bool ToLong(const Value& number, int64_t& whole);

// Mean of numbers of which `sum` is the sum: a double, or a BigDecimal if the sum is a big number.
Result<Value> Divide(const Value& sum, int64_t count);

}  // namespace orrery::gremlin
