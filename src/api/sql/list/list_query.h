// Queries over what is small enough to be in memory: offers, databases, containers, users. And
// conditions of patches, which are queries over one document.
//
// The language is that of queries over documents, executed by the same operators (query/run); only
// where the rows come from differs, and that all of them are answered at once.
//
// Immutable after construction, so thread-safe.
#pragma once

#include <string_view>
#include <vector>

#include "api/sql/evaluate/parameters.h"
#include "api/sql/function/function_registry.h"
#include "api/sql/query/query_limits.h"
#include "base/clock.h"
#include "base/status.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::sql {

struct QueryText {
  std::string text;
  Parameters parameters;
};
// {"query":"..","parameters":[{"name":"@x","value":..}]}. kInvalidArgument says what is wrong.
Result<QueryText> QueryTextFrom(model::DocumentView body);

class ListQueries {
 public:
  // `clock` must outlive it.
  explicit ListQueries(const Clock& clock) : clock_(clock) {}

  // The rows; those that the query does not order in the order of `resources`. kInvalidArgument for
  // a query that is malformed, kTooLarge for one that asks for too much (query_limits.h).
  Result<std::vector<model::Value>> Run(const QueryText& query,
                                        std::vector<model::Value> resources) const;

  // Returns whether a condition such as "FROM c WHERE c.n > 1" is true of the document.
  Result<bool> Holds(std::string_view condition, model::Value document) const;

 private:
  const Clock& clock_;
  const FunctionRegistry functions_;
  const QueryLimits limits_;
};

}  // namespace orrery::sql
