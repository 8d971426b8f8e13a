// Ranges of clustering keys as the core reads and clears them: half open, over encoded bytes.
//
// A column in descending order has its bytes complemented, so that one order of bytes serves all;
// what "greater" means for a column is decided here and nowhere above. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/protocol/cql_result.h"
#include "api/cassandra/schema/column.h"

namespace orrery::cassandra {

struct ClusteringRange {
  std::string lower;                 // inclusive
  std::optional<std::string> upper;  // exclusive; none: to the partition's end
  bool is_row = false;               // the one row whose whole key `lower` is

  bool Contains(std::string_view clustering) const {
    return clustering >= lower && (!upper.has_value() || clustering < *upper);
  }
  friend bool operator==(const ClusteringRange&, const ClusteringRange&) = default;
};

// All rows whose key begins with `prefix`; the only one when the prefix is a whole key.
ClusteringRange RowsOf(std::string prefix, bool is_whole_key);

// Appends one component. Refuses what is too large for a key.
CqlStatus AppendClustering(std::string& key, const Column& column, std::string_view value);

// One side of "(a, b) > (1, 2)": a tuple of values for successive columns.
struct TupleBound {
  std::vector<std::string> values;
  bool inclusive = false;
  bool is_lower = false;  // > or >=
};
// The rows that begin with `prefix` and whose next columns are beyond the bound. Several ranges
// when the columns differ in direction; in order, never overlapping.
CqlResult<std::vector<ClusteringRange>> RowsBeyond(const std::string& prefix,
                                                   std::span<const Column> columns,
                                                   const TupleBound& bound);

// In order and disjoint: sorted, without empty and repeated ones, touching ones joined. Rows stay
// rows.
std::vector<ClusteringRange> Normalise(std::vector<ClusteringRange> ranges);
// Returns the intersection. Both must be normal; so is the result.
std::vector<ClusteringRange> Intersect(std::span<const ClusteringRange> a,
                                       std::span<const ClusteringRange> b);

}  // namespace orrery::cassandra
