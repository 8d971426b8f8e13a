// An AccessPath says how the documents that a query needs are found: by partition key, by row key,
// by an index or a union of several, or by a full scan.
//
// It is chosen by rule from the conditions and from what the container indexes: an equal value
// before a list of values, before a range with both ends, before one with one end. An order by one
// indexed path is read in the order of that index, unless an equal value of another finds fewer. An
// index over several paths (composite_path.h) is used where it says more than those of single ones:
// for equal values and a range, and for an order by several paths. A full-text index (term_path.h)
// comes behind equal values and before all else, a spatial one (spatial_path.h) before ranges of
// values. The nearest neighbours are read in the order of a vector index (nearest_path.h), of what
// such an index finds. Disjuncts are each looked up in an index of their own. Where nothing else
// serves, an index may still spare documents: its entries say whether a residual predicate can be
// true of them, or all that the query asks (index_only_scan.h).
//
// Nothing that a path leaves out could be in the answer (but for the neighbours that a vector index
// misses); what it finds is still to be checked.
//
// Pure.
#pragma once

#include <optional>
#include <vector>

#include "query/access/index_only_scan.h"
#include "query/access/index_path.h"
#include "query/access/nearest_path.h"
#include "query/predicate/conditions.h"
#include "query/predicate/value_range.h"

namespace orrery::query {

struct AccessPath {
  // The partition key that the conditions fix: whole, or the first values of a hierarchical one.
  std::optional<gateway::KeyValues> partition_key;
  std::optional<model::Value> row_key;  // where the partition key is whole
  // Or the row keys among which those of all wanted documents are, where the partition key is whole
  // and no index is read: rising and disjoint.
  std::vector<ValueRange> row_keys = {};
  // Documents come by falling row keys. REQUIRES: the partition key is whole, and no index is read.
  bool row_keys_descend = false;
  std::optional<IndexPath> index;
  // Or every document that is wanted is found by one of these, whose entries say which they are:
  // they come in ring order.
  std::vector<IndexPath> index_union = {};
  std::optional<NearestPath> nearest;       // among what `index` finds, if there is one
  std::optional<IndexPath> unranked;        // else: finds what has no place in that order
  bool is_ordered = false;                  // documents come in the order that is wanted
  std::optional<IndexOnlyScan> index_only;  // what entries of `index` spare

  bool uses_index() const {
    return row_key.has_value() || index.has_value() || !index_union.empty() || nearest.has_value();
  }
  // The index whose order documents come in.
  const IndexPath* read_index() const {
    return index.has_value() && !nearest.has_value() ? &*index : nullptr;
  }
};

// `partition_key`: what the request says of it, which conditions cannot widen.
AccessPath ChooseAccessPath(const Conditions& conditions, const item::ContainerSchema& schema,
                            const std::optional<gateway::KeyValues>& partition_key);

// Returns whether documents without a value at the one path of the order are among the rows: the
// indexing policy names the path exactly.
bool OrdersUndefined(const std::optional<WantedOrder>& order, const item::ContainerSchema& schema);

}  // namespace orrery::query
