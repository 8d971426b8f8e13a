// Decides whether the rows of a query over several partitions must be merged, not just
// concatenated: then Azure Cosmos DB has its clients merge them, and refuses to do it itself.
//
// Pure.
#pragma once

#include "model/value.h"

namespace orrery::sql {

// `plan`: the query's (query/plan/query_plan.h), as JSON.
bool NeedsMerge(const model::Value& plan);
// Returns whether it reads documents of one partition key only.
bool IsOfOneKey(const model::Value& plan);

}  // namespace orrery::sql
