// An AccessPath says how the documents that a query needs are found: by partition key, by id, by an
// index, or by looking at all.
//
// Chosen from what the query says and what the container indexes, by rule: an equal value before a
// list of values, before a range with both ends, before one with one end. ORDER BY one indexed path
// is read in the order of that index, unless an equal value of another finds fewer. An index over
// several paths (composite_path.h) is used where it says more than those of single ones: for equal
// values and a range, and for ORDER BY several paths. An index of words (word_path.h) comes behind
// equal values and before all else, one of cells (cell_path.h) before ranges of values. ORDER BY
// VECTORDISTANCE is read in the order of an index of vectors (nearest_path.h), of what such an
// index finds. Conditions that are joined by OR are each looked up in an index of their own. Where
// nothing else serves, an index may still spare documents: entries say whether a
// condition can be true of them (check.h), or all that the query asks (entry_use.h). Nothing that a
// path leaves out could be in the answer (but for the nearest that a vector index misses); what it
// finds is still to be checked.
//
// Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/sql/query/index/entry_use.h"
#include "api/sql/query/index/nearest_path.h"
#include "api/sql/query/index/predicate.h"

namespace orrery::sql {

struct IndexPath {
  std::vector<Place> places;  // one, or those of a composite index
  item::IndexId index;
  std::vector<ValueRange> ranges;  // rising and disjoint; read downwards when `descending`
  bool descending = false;
  bool bounds_are_whole = true;  // else of the first of the places only
  item::IndexKind kind = item::IndexKind::kValues;

  bool is_composite() const { return places.size() > 1; }
  // Whether it is a named index, which may have several values of one document.
  bool is_named() const { return is_composite() || kind != item::IndexKind::kValues; }
  // Whether all documents of the range have the same value: then they are in ring order.
  bool IsOneValue(const ValueRange& range) const {
    return bounds_are_whole && range.is_one_value();
  }
  bool has_single_values() const;  // each of the ranges is one value
};

struct AccessPath {
  // What WHERE says of the partition key: whole, or the first values of a hierarchical one.
  std::optional<gateway::KeyValues> partition_key;
  std::optional<model::Value> row_key;  // `id`, where the partition key is whole
  std::optional<IndexPath> index;
  // Or every document that is wanted is found by one of these, whose entries say which they are:
  // they come in ring order.
  std::vector<IndexPath> any_of = {};
  std::optional<NearestPath> nearest;  // among what `index` finds, if there is one
  std::optional<IndexPath> unranked;   // else: finds what has no place in that order
  bool is_ordered = false;             // documents come in the order that the query wants
  std::optional<EntryUse> entries;     // what entries of `index` spare

  bool uses_index() const {
    return row_key.has_value() || index.has_value() || !any_of.empty() || nearest.has_value();
  }
  // The index whose order documents come in.
  const IndexPath* read_index() const {
    return index.has_value() && !nearest.has_value() ? &*index : nullptr;
  }
};

// `partition_key`: what the request says of it, which WHERE cannot widen. Good while the query
// lives.
AccessPath ChooseAccessPath(const ast::Query& query, const item::ContainerSchema& schema,
                            const std::optional<gateway::KeyValues>& partition_key,
                            const PredicateContext& context);

// The partition keys, whole or their first values, that all documents of the answer have one of.
// None: any, or too many to list.
std::vector<gateway::KeyValues> KeysOf(const ast::Query& query, const item::ContainerSchema& schema,
                                       const PredicateContext& context);

// Whether documents without a value at the one path of ORDER BY are among the rows: the indexing
// policy names the path exactly.
bool OrdersUndefined(const ast::Query& query, const item::ContainerSchema& schema,
                     const PredicateContext& context);

}  // namespace orrery::sql
