// Finds the order that a query's rows are wanted in, as far as an index can give it. Pure.
#pragma once

#include <optional>

#include "api/sql/parser/ast/query.h"
#include "api/sql/query/condition/condition_context.h"
#include "query/predicate/conditions.h"

namespace orrery::sql {

// Returns nullopt unless the query's rows are ordered by paths of its documents.
std::optional<query::WantedOrder> WantedOrderOf(const ast::Query& query,
                                                const ConditionContext& context);

// Returns nullopt unless the query wants the first rows, each of one document, by VECTORDISTANCE
// alone.
std::optional<query::NearestOrder> NearestOrderOf(const ast::Query& query,
                                                  const ConditionContext& context);

}  // namespace orrery::sql
