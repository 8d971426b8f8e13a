// The accumulators of the native aggregates, which functions over the elements of a collection use
// too. Each takes one argument a row and passes over nulls; sums and averages also over the empty
// value.
#pragma once

#include <cstdint>
#include <memory>

#include "api/cassandra/function/function.h"

namespace orrery::cassandra {

enum class Extreme : uint8_t { kMin, kMax };

// The number of rows, with any number of arguments, none of which it looks at.
std::unique_ptr<Accumulator> StartRowCount();
// The number of values.
std::unique_ptr<Accumulator> StartCount();
// In the type's own order; null when there was no value.
std::unique_ptr<Accumulator> StartExtreme(TypePtr type, Extreme extreme);

// Of the type itself, zero when there was no value. Whole numbers wrap around at their width, reals
// are summed with compensation (Kahan), varint and decimal are exact. REQUIRES: a numeric type.
std::unique_ptr<Accumulator> StartSum(TypeKind kind);

// Of the type itself, zero when there was no value. Whole numbers are cut towards zero and their
// sum does not overflow; the average of decimals is corrected row by row, to the digits that the
// row or the average so far has, halves to even. REQUIRES: a numeric type.
std::unique_ptr<Accumulator> StartAverage(TypeKind kind);

}  // namespace orrery::cassandra
