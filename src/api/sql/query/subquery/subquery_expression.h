// The expressions that a subquery is where a value stands: (SELECT ..), EXISTS(..), ARRAY(..),
// ALL(..), FIRST(..), LAST(..).
#pragma once

#include "api/sql/evaluate/bound_expression.h"
#include "api/sql/parser/ast/expression.h"
#include "api/sql/query/bind/bound_query.h"
#include "api/sql/query/query_limits.h"

namespace orrery::sql {

// Executes the query for each evaluation. A scalar subquery without rows is undefined; one with
// several ends the query. REQUIRES: the query does not read the container. The limits must outlive
// the expression.
BoundExpressionPtr SubqueryExpression(ast::SubqueryKind kind, BoundQuery query,
                                      const QueryLimits& limits);

}  // namespace orrery::sql
