#include "api/cassandra/planner/restriction/clustering_range.h"

#include <algorithm>

#include "api/cassandra/types/key_value.h"
#include "model/key/key_codec.h"

namespace orrery::cassandra {
namespace {

// The first bytes after all that begin with `prefix`; none when nothing comes after them.
std::optional<std::string> EndOf(std::string prefix) {
  while (!prefix.empty() && static_cast<uint8_t>(prefix.back()) == 0xff) prefix.pop_back();
  if (prefix.empty()) return std::nullopt;
  prefix.back() = static_cast<char>(static_cast<uint8_t>(prefix.back()) + 1);
  return prefix;
}

bool IsEmpty(const ClusteringRange& range) {
  return range.upper.has_value() && *range.upper <= range.lower;
}

// Rows of `prefix` whose next column is beyond `value`, that column's component.
ClusteringRange Beyond(const std::string& prefix, const std::string& value, bool upwards,
                       bool inclusive) {
  ClusteringRange range;
  // Upwards in the order of bytes: the rows after the value's.
  if (upwards) {
    auto lower = inclusive ? std::optional(prefix + value) : EndOf(prefix + value);
    range.upper = EndOf(prefix);
    // Nothing comes after it.
    if (!lower.has_value()) return {.lower = prefix, .upper = prefix, .is_row = false};
    range.lower = *std::move(lower);
  } else {
    range.lower = prefix;
    range.upper = inclusive ? EndOf(prefix + value) : std::optional(prefix + value);
  }
  return range;
}

}  // namespace

ClusteringRange RowsOf(std::string prefix, bool is_whole_key) {
  ClusteringRange range;
  range.upper = EndOf(prefix);
  range.lower = std::move(prefix);
  range.is_row = is_whole_key;
  return range;
}

CqlStatus AppendClustering(std::string& key, const Column& column, std::string_view value) {
  CQL_ASSIGN(const model::Value component, ToKeyValue(*column.type, value));
  model::AppendKey(
      key, component, model::Order::kCql,
      column.descending ? model::Direction::kDescending : model::Direction::kAscending);
  return {};
}

CqlResult<std::vector<ClusteringRange>> RowsBeyond(const std::string& prefix,
                                                   std::span<const Column> columns,
                                                   const TupleBound& bound) {
  // (a, b) > (1, 2) is a > 1, or a = 1 and b > 2.
  std::vector<ClusteringRange> ranges;
  std::string equal = prefix;
  for (size_t i = 0; i < bound.values.size(); ++i) {
    const Column& column = columns[i];
    std::string component;
    CQL_TRY(AppendClustering(component, column, bound.values[i]));
    const bool is_last = i + 1 == bound.values.size();
    ranges.push_back(
        Beyond(equal, component, bound.is_lower != column.descending, is_last && bound.inclusive));
    equal += component;
  }
  return Normalise(std::move(ranges));
}

std::vector<ClusteringRange> Normalise(std::vector<ClusteringRange> ranges) {
  std::erase_if(ranges, IsEmpty);
  std::ranges::sort(ranges, {}, &ClusteringRange::lower);
  std::vector<ClusteringRange> normal;
  for (ClusteringRange& range : ranges) {
    if (normal.empty()) {
      normal.push_back(std::move(range));
      continue;
    }
    ClusteringRange& last = normal.back();
    if (last == range || !last.upper.has_value()) continue;
    const bool touches = range.lower <= *last.upper;
    // Rows beside each other stay rows: each is read by its key.
    if (!touches || (range.lower == *last.upper && (last.is_row || range.is_row))) {
      normal.push_back(std::move(range));
      continue;
    }
    if (!range.upper.has_value() || *range.upper > *last.upper) {
      last.upper = std::move(range.upper);
      last.is_row = false;
    }
  }
  return normal;
}

std::vector<ClusteringRange> Intersect(std::span<const ClusteringRange> a,
                                       std::span<const ClusteringRange> b) {
  std::vector<ClusteringRange> common;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    ClusteringRange range;
    range.lower = std::max(a[i].lower, b[j].lower);
    range.is_row = a[i].is_row || b[j].is_row;
    const bool a_ends_first =
        a[i].upper.has_value() && (!b[j].upper.has_value() || *a[i].upper <= *b[j].upper);
    range.upper = a_ends_first ? a[i].upper : b[j].upper;
    if (!IsEmpty(range)) common.push_back(std::move(range));
    a_ends_first ? ++i : ++j;
  }
  return common;
}

}  // namespace orrery::cassandra
