// From a bound statement to what it changes in one partition.
#pragma once

#include <functional>
#include <string_view>

#include "api/cassandra/executor/write/row_builder.h"
#include "api/cassandra/planner/modification/modification_plan.h"
#include "gateway/row/row_requests.h"

namespace orrery::cassandra {

// The row of a clustering key as it is, visible parts only; null when there is none. The empty key
// is the partition's own row.
using CurrentRows = std::function<const model::Row*(std::string_view clustering)>;

// Adds to `changes` what the statement does in one of its partitions. `current` may be empty when
// the plan does not read.
CqlStatus AddChanges(item::RowChanges& changes, const BoundModification& bound,
                     const WriteTimes& times, const CurrentRows& current);

// The ttl that cells get: the statement's, else the table's.
uint32_t TtlOf(const BoundModification& bound);

// The rows that AddChanges asks `current` for, and conditions look at: clustering keys.
std::vector<std::string> RowsRead(const BoundModification& bound);

}  // namespace orrery::cassandra
