// Finds the spatial conditions of a WHERE clause: ST_WITHIN and ST_INTERSECTS of a path and a
// constant shape, and ST_DISTANCE of them below a number. Pure.
#pragma once

#include <vector>

#include "api/sql/parser/ast/query.h"
#include "api/sql/query/condition/condition_context.h"
#include "query/predicate/conditions.h"

namespace orrery::sql {

// Of all conditions that the query's WHERE joins by AND.
std::vector<query::ShapeCondition> ShapeConditionsOf(const ast::Query& reader,
                                                     const ConditionContext& context);

}  // namespace orrery::sql
