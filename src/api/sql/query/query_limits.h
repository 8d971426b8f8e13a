// QueryLimits are the limits of query/run_limits.h and those that are the SQL query language's own.
#pragma once

#include <cstddef>

#include "query/run_limits.h"

namespace orrery::sql {

struct QueryLimits : query::RunLimits {
  // Cosmos DB's own maximum.
  size_t joins_max = 10;
  // Subqueries within subqueries: how much stack their evaluation may take.
  size_t subquery_depth_max = 32;
};

}  // namespace orrery::sql
