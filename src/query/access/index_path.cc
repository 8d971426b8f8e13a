#include "query/access/index_path.h"

#include <algorithm>
#include <utility>

namespace orrery::query {

bool IndexPath::has_single_values() const {
  return std::ranges::all_of(ranges, [&](const ValueRange& range) { return IsOneValue(range); });
}

std::vector<item::IndexRange> IndexPath::IndexRanges() const {
  std::vector<item::IndexRange> all;
  for (const ValueRange& range : ranges)
    all.push_back({.index = index, .lower = range.lower, .upper = range.upper});
  return all;
}

std::optional<IndexPath> AutomaticIndexAt(const DocumentPath& path, std::vector<ValueRange> ranges,
                                          const item::ContainerSchema& schema) {
  const auto index = path.IndexOf(schema);
  if (!index.has_value()) return std::nullopt;
  return IndexPath{.paths = {path}, .index = *index, .ranges = std::move(ranges)};
}

}  // namespace orrery::query
