// Arithmetic on BSON's numbers as MongoDB does it: int32, int64, double and decimal128.
//
// Results are of the widest type of the operands; int32 grows to int64 and int64 to double where
// it must. REQUIRES everywhere: numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/mongo/error/mongo_error.h"
#include "model/value.h"

namespace orrery::mongo {

// Toward zero; nullopt for NaN, infinities and what does not fit.
std::optional<int64_t> TruncatedInt64(const model::Value& number);
// The same number; nullopt if it has a fraction or does not fit.
std::optional<int64_t> ExactInt64(const model::Value& number);
// int32 if it fits, else int64.
model::Value SmallestInt(int64_t number);

// A double is rounded to 15 digits, as operators that meet a decimal beside it take it; sums take
// it as it is (model/aggregate/mongo_sum.h).
model::Decimal128Bits ToDecimal(const model::Value& number);

model::Value AddNumbers(const model::Value& a, const model::Value& b);
model::Value SubtractNumbers(const model::Value& a, const model::Value& b);
model::Value MultiplyNumbers(const model::Value& a, const model::Value& b);
// A decimal if one of them is, else a double. REQUIRES: b is not zero.
model::Value DivideNumbers(const model::Value& a, const model::Value& b);

// As $inc and $mul: nullopt where an int64 overflows.
std::optional<model::Value> AddChecked(const model::Value& a, const model::Value& b);
std::optional<model::Value> MultiplyChecked(const model::Value& a, const model::Value& b);

}  // namespace orrery::mongo
