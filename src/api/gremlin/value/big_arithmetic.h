// BigInteger and BigDecimal calculated exactly, as Java's classes and TinkerPop's rules for them
// do.
//
// A BigInteger with whole numbers gives a BigInteger; a BigDecimal, or a BigInteger with a floating
// number, gives a BigDecimal. Pure.
#pragma once

#include <compare>
#include <optional>

#include "api/gremlin/value/arithmetic.h"
#include "api/gremlin/value/value.h"
#include "base/status.h"

namespace orrery::gremlin {

// Digits that a result may have: products of products would grow without end.
inline constexpr size_t kBigResultDigitsMax = 20'000;

inline bool IsBig(const Value& value) {
  return value.type() == Type::kBigInteger || value.type() == Type::kBigDecimal;
}

// kInvalidArgument for a division by zero, and for infinity and NaN, which no big number is;
// kResourceExhausted beyond kBigResultDigitsMax. REQUIRES: two numbers, one of them big.
Result<Value> CalculateBig(Arithmetic operation, const Value& a, const Value& b);
// The quotient as a BigDecimal, also of two BigIntegers.
Result<Value> DivideDecimally(const Value& a, const Value& b);

// Compares by value. Nullopt if a number is NaN. REQUIRES: two numbers.
std::optional<std::weak_ordering> CompareBig(const Value& a, const Value& b);

// A BigDecimal of the same value; nullopt for infinity and NaN. REQUIRES: a number.
std::optional<Value> ToBigDecimal(const Value& number);
// A BigInteger without what is behind the point; nullopt for infinity and NaN. REQUIRES: a number.
std::optional<Value> ToBigInteger(const Value& number);

}  // namespace orrery::gremlin
