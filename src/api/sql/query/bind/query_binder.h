// From a query as it was written to one that can be executed.
//
// The first name after FROM means the container, whatever it is; a subquery in its place may have
// that name instead. In all other places names are aliases. Subqueries see the aliases around them.
//
// Pure and thread-safe.
#pragma once

#include <string_view>

#include "api/sql/evaluate/parameters.h"
#include "api/sql/function/function_registry.h"
#include "api/sql/parser/ast/query.h"
#include "api/sql/parser/query_error.h"
#include "api/sql/query/bind/bound_query.h"
#include "api/sql/query/bind/vector_defaults.h"
#include "api/sql/query/computed/computed_properties.h"
#include "api/sql/query/query_limits.h"

namespace orrery::sql {

// All must outlive the call only, but for the limits.
struct QueryBindContext {
  std::string_view text;  // of the query, for positions of errors
  const Parameters& parameters;
  const FunctionRegistry& functions;
  const QueryLimits& limits;  // must outlive what is bound
  const ComputedProperties& computed = kNoComputedProperties;
  const VectorDefaults& vectors = kNoVectorDefaults;  // for those who parse the text again
};

// REQUIRES: a tree that the parser returned.
Parsed<BoundQuery> BindQuery(const ast::Query& query, const QueryBindContext& context);

}  // namespace orrery::sql
