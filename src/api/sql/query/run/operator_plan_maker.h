// Makes the operators' plan of a bound query (query/operator/operator_plan.h).
#pragma once

#include "api/sql/query/bind/bound_query.h"
#include "query/operator/operator_plan.h"

namespace orrery::sql {

// Points into the query, which must outlive it and may be moved, but not changed.
query::OperatorPlan OperatorPlanOf(const BoundQuery& query);

}  // namespace orrery::sql
