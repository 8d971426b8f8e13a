// The accumulators of MongoDB's $group that can be made in parts. Partials are values that BSON
// has:
//
//   $sum         a partial of mongo_sum.h
//   $avg         {"sum": as of $sum, "count": int64}
//   $min, $max   {"value": value}, or {} of nothing
//
// $sum and $avg leave out what is no number, $min and $max what is null or missing.
#pragma once

#include <memory>

#include "model/aggregate/accumulator.h"

namespace orrery::model {

std::unique_ptr<Accumulator> StartMongoSum();
std::unique_ptr<Accumulator> StartMongoAverage();
std::unique_ptr<Accumulator> StartMongoExtreme(bool is_max);

}  // namespace orrery::model
