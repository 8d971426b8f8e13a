// Finds the predicates of a WHERE clause: the conditions on paths of documents that indexes can
// answer (query/predicate/predicate.h). Pure.
#pragma once

#include <vector>

#include "api/sql/parser/ast/query.h"
#include "api/sql/query/condition/condition_context.h"
#include "query/predicate/conditions.h"

namespace orrery::sql {

// The predicates of all conditions that the query's WHERE joins by AND.
std::vector<query::Predicate> PredicatesOf(const ast::Query& reader,
                                           const ConditionContext& context);

// For each of those conditions that joins others by OR: the predicates of each of the others. So it
// is with IS_DEFINED: what is there is a scalar, or an array or object.
std::vector<query::Disjuncts> DisjunctionsOf(const ast::Query& reader,
                                             const ConditionContext& context);

}  // namespace orrery::sql
