// The values that a query states for all documents: literals, parameters and what is computed of
// them.
#pragma once

#include <optional>

#include "api/sql/parser/ast/query.h"
#include "api/sql/query/condition/condition_context.h"
#include "model/value.h"

namespace orrery::sql {

// Returns nullopt if the expression depends on a document, or cannot be computed.
std::optional<model::Value> ConstantOf(const ast::Expression& expression,
                                       const ConditionContext& context);

}  // namespace orrery::sql
