// Finds the conditions on words of a WHERE clause: FULLTEXTCONTAINS and its kin. Of a phrase one
// word is looked for, the longest, which few texts are likely to have. Pure.
#pragma once

#include <vector>

#include "api/sql/parser/ast/query.h"
#include "api/sql/query/condition/condition_context.h"
#include "query/predicate/conditions.h"

namespace orrery::sql {

// Of all conditions that the query's WHERE joins by AND.
std::vector<query::TermCondition> TermConditionsOf(const ast::Query& reader,
                                                   const ConditionContext& context);

}  // namespace orrery::sql
