// The accumulators of the aggregates that keep all values, which no other API has. Those of numbers
// and extremes are model/aggregate/sql_accumulators.h's.
#pragma once

#include <memory>

#include "api/sql/function/aggregate/accumulator.h"

namespace orrery::sql {

std::unique_ptr<Accumulator> StartList();
std::unique_ptr<Accumulator> StartSet();

}  // namespace orrery::sql
