// The accumulators of SQL's aggregates, by what they keep. Partials are values that BSON has:
//
//   COUNT, COUNTIF  number
//   SUM             a partial of exact_sum.h; undefined once a value was no number
//   AVG             {"sum": as of SUM, "count": number}; "sum" is undefined once a value was no
//                   number
//   MIN, MAX        {"min" or "max": value, "count": number}; the value is undefined once one had
//                   no order
//
// A partial that is undefined may come back as null, and a field that is undefined may be missing.
//
// Undefined values do not count. SUM and AVG of anything but numbers are undefined, as are MIN and
// MAX of arrays and objects; primitive values of different types are ordered null, booleans,
// numbers, strings.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/status.h"
#include "model/aggregate/accumulator.h"
#include "model/value.h"

namespace orrery::model::sql {

std::unique_ptr<Accumulator> StartCount();
std::unique_ptr<Accumulator> StartCountIf();
std::unique_ptr<Accumulator> StartSum();
std::unique_ptr<Accumulator> StartAverage();
std::unique_ptr<Accumulator> StartMin();
std::unique_ptr<Accumulator> StartMax();

inline std::unexpected<Error> NoPartial() {
  return Fail(Code::kInvalidArgument, "an aggregate's partial result is malformed");
}

// A number of rows as partials have it, which is an integer where it is not too large for one of
// JSON's. Nullopt if it is none, or `value` is null.
std::optional<int64_t> CountOf(const Value* value);
Value FromCount(int64_t count);

}  // namespace orrery::model::sql
