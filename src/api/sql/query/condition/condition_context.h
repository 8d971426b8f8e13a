// A ConditionContext is what a query's conditions are found in: its text and parameters, and what
// the container computes and indexes.
//
// All must outlive the call only.
#pragma once

#include <string_view>

#include "api/sql/evaluate/parameters.h"
#include "api/sql/function/function_registry.h"
#include "api/sql/query/computed/computed_properties.h"
#include "gateway/requests.h"
#include "model/compare.h"
#include "query/predicate/document_path.h"

namespace orrery::sql {

struct ConditionContext {
  std::string_view text;  // of the query
  const Parameters& parameters;
  const FunctionRegistry& functions;
  model::Order order;  // the container's
  const ComputedProperties& computed = kNoComputedProperties;

  const item::ContainerSchema* schema = nullptr;  // null: no index has computed properties

  // Returns whether the path is a computed property or within one.
  bool IsComputed(const query::DocumentPath& path) const;
  // Returns whether no index can have the path: it is made when a document is read (`_rid`), or it
  // is a computed property that the policy does not name, or that documents are not indexed by yet
  // as it is defined now.
  bool IsBeyondIndexes(const query::DocumentPath& path) const;
};

}  // namespace orrery::sql
