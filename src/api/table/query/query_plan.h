// Plans how the entities of a query are found (entity_query.h). Pure.
#pragma once

#include <optional>
#include <string>

#include "api/table/protocol/error_response.h"
#include "api/table/query/entity_query.h"
#include "api/table/query/key_ranges.h"
#include "query/access/access_path.h"

namespace orrery::table {

struct QueryPlan {
  KeyRanges partition_keys = KeyRanges::All();
  KeyRanges row_keys = KeyRanges::All();
  std::optional<std::string> partition_key{};  // if there is one only
  // Finds keys by indexes over other properties, which are to be sorted.
  std::optional<query::AccessPath> index{};
  // Finds entities in the order that is wanted.
  query::AccessPath ordered{};

  bool is_empty() const { return partition_keys.empty() || row_keys.empty(); }
  // The keys of the one entity that is wanted.
  std::optional<std::string> single_row_key() const {
    return partition_key.has_value() ? row_keys.single() : std::nullopt;
  }
};

// InvalidInput if the container, made by another API, has no index over its partition keys.
Outcome<QueryPlan> PlanQuery(const EntityQuery& query);

}  // namespace orrery::table
