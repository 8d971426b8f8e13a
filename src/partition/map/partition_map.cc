#include "partition/map/partition_map.h"

#include <algorithm>

namespace orrery::partition {

std::vector<Slice> PartitionInfo::ListSlices() const {
  std::vector<Slice> list;
  list.reserve(slices.size());
  slices.ForEach([&](const auto& key, const HashRange& range) {
    list.push_back({.container = key.first, .range = range});
  });
  return list;
}

std::optional<PartitionId> PartitionMap::Lookup(ContainerId container, Hash128 hash) const {
  const auto* table = containers_.Find(container);
  if (table == nullptr) return std::nullopt;
  const auto entry = std::ranges::lower_bound(
      **table, hash, {}, [](const RangeEntry& candidate) { return candidate.range.last(); });
  return entry->partition;
}

std::span<const RangeEntry> PartitionMap::Overlapping(ContainerId container,
                                                      const HashRange& range) const {
  const std::span<const RangeEntry> all = Ranges(container);
  const auto first = std::ranges::lower_bound(
      all, range.begin(), {}, [](const RangeEntry& entry) { return entry.range.last(); });
  const auto after = std::ranges::upper_bound(
      all, range.last(), {}, [](const RangeEntry& entry) { return entry.range.begin(); });
  return {first, after};
}

std::span<const RangeEntry> PartitionMap::Ranges(ContainerId container) const {
  const auto* table = containers_.Find(container);
  if (table == nullptr) return {};
  return **table;
}

const PartitionInfo* PartitionMap::Find(PartitionId partition) const {
  const auto* info = partitions_.Find(partition);
  return info == nullptr ? nullptr : info->get();
}

}  // namespace orrery::partition
