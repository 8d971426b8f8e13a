// A CompositePath says how a named index of values serves a query: by equal values of its first
// paths, then a range of the next one; and by its order, read upwards or downwards.
//
// A document without one of the paths is in the index as well, with the value undefined there, or
// null under the order of MongoDB. One that has an array at a path is in it once for each element
// (multikey): under MatchRules::kMongo such a document has several values, so that only the bounds
// of one condition are used for a path, and an order only where no condition bounds the path.
// Pure.
#pragma once

#include <span>
#include <vector>

#include "query/access/index_path.h"
#include "query/predicate/conditions.h"

namespace orrery::query {

struct CompositePath {
  IndexPath index;
  std::vector<DocumentPath> equal;  // the first paths of the index, those with one value
  bool is_bounded = false;          // the path behind them has bounds
  bool is_ordered = false;          // documents come in the wanted order
};

// Returns one for each index over several paths that is built and has all documents that are wanted
// (partial_index.h); under kMongo, where no automatic index serves, those over one path as well.
// `known`: at most one predicate for a path. `order` null: none is wanted.
std::vector<CompositePath> CompositePathsOf(const item::ContainerSchema& schema,
                                            const std::vector<Predicate>& known,
                                            const WantedOrder* order, const Conditions& conditions,
                                            std::span<const Predicate> all);

}  // namespace orrery::query
