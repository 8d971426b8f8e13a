// Finds the residual predicates of a WHERE clause: conditions on one path that are no range of
// values, but can be true of values of one type only, such as CONTAINS, ENDSWITH, LIKE, REGEXMATCH,
// LOWER(..) = .. and !=. Pure.
#pragma once

#include <vector>

#include "api/sql/parser/ast/query.h"
#include "api/sql/query/condition/condition_context.h"
#include "query/predicate/conditions.h"

namespace orrery::sql {

// Of all conditions that the query's WHERE joins by AND.
std::vector<query::ResidualPredicate> ResidualsOf(const ast::Query& reader,
                                                  const ConditionContext& context);

}  // namespace orrery::sql
