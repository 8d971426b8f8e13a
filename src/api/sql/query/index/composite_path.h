// How an index over several paths serves a query: by equal values of its first paths, then a range
// of the next one; and its order, read upwards or downwards.
//
// A document without one of the paths is in the index as well, with the value undefined there.
// Pure.
#pragma once

#include <optional>
#include <vector>

#include "api/sql/query/index/access_path.h"

namespace orrery::sql {

// What ORDER BY wants, as far as an index can give it.
struct WantedOrder {
  std::vector<Place> places;
  std::vector<bool> descending;  // one for each
};

// Nothing unless the query's rows are ordered by places of its documents.
std::optional<WantedOrder> WantedOrderOf(const ast::Query& query, const PredicateContext& context);

struct CompositePath {
  IndexPath path;
  std::vector<Place> equal;  // the first places of the index, those with one value
  bool is_bounded = false;   // the place behind them has bounds
  bool is_ordered = false;   // documents come in the wanted order
};

// One for each index over several paths that is built. `known`: at most one predicate for a place.
// `order` null: none is wanted.
std::vector<CompositePath> CompositePathsOf(const item::ContainerSchema& schema,
                                            const std::vector<Predicate>& known,
                                            const WantedOrder* order);

}  // namespace orrery::sql
