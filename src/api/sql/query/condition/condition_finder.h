// Finds what a SQL query asks of the container's documents, as query::Conditions: the step from the
// syntax tree to the engine that all APIs share (src/query). Pure.
#pragma once

#include <optional>

#include "api/sql/parser/ast/query.h"
#include "api/sql/query/condition/condition_context.h"
#include "api/sql/query/condition/read_finder.h"
#include "query/predicate/conditions.h"

namespace orrery::sql {

struct FoundConditions {
  query::Conditions conditions;
  std::optional<FoundReads> reads;  // whose paths are in `conditions`, too
};

// Returns nullopt if the query does not read the container. Good while the query lives.
std::optional<FoundConditions> FindConditions(const ast::Query& query,
                                              const ConditionContext& context);

}  // namespace orrery::sql
