// Finds what a filter implies of indexed paths (query/predicate/conditions.h): the comparisons of
// properties with literals that all wanted entities meet, and one list for each "or".
//
// Values of one property may be stored in two forms: a number, and the text of an Int64; ranges of
// both are in one predicate. Partition keys are left to KeyRanges. Pure.
#pragma once

#include "api/table/filter/filter.h"
#include "query/predicate/conditions.h"

namespace orrery::table {

query::Conditions ConditionsOf(const Filter* filter);

}  // namespace orrery::table
