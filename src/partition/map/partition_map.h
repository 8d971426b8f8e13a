// The PartitionMap says which physical partition holds which part of which container.
//
// It is an immutable, versioned snapshot. A changed map is made by PartitionMapBuilder and shares
// everything that did not change; the cluster publishes it in its Topology.
//
// Invariants, held by the builder: the ranges of a container are sorted, follow each other without
// gap or overlap and cover the whole ring; each is on a partition of this map; and the slices of a
// partition are exactly the ranges that name it.
//
// Thread-safe, as all immutable objects. Look-ups allocate nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/hash128.h"
#include "base/ids.h"
#include "partition/map/hash_range.h"
#include "partition/map/persistent_index.h"

namespace orrery::partition {

// A part of a container: what a physical partition hosts one or more of.
struct Slice {
  ContainerId container;
  HashRange range;
  // The EPK that the range was cut at, when the cut lies inside one first level of a hierarchical
  // key, where the position alone does not tell it (partition_key.h); else empty.
  std::string begin_epk{};
  friend auto operator<=>(const Slice&, const Slice&) = default;
};

struct RangeEntry {
  HashRange range;
  PartitionId partition;
  std::string begin_epk{};  // as in Slice
  friend bool operator==(const RangeEntry&, const RangeEntry&) = default;
};

// Sorted by range. Never empty.
using RangeTable = std::vector<RangeEntry>;

struct PartitionInfo {
  PartitionId id;
  // All ancestors, oldest first: what a client with an old range id or position can be mapped
  // through. After a merge, those of both.
  std::vector<PartitionId> parents;
  // Container and begin -> range.
  PersistentIndex<std::pair<ContainerId, Hash128>, HashRange> slices;

  // Without their begin_epk, which PartitionMap::Ranges has.
  std::vector<Slice> ListSlices() const;
};

class PartitionMap {
 public:
  // Version 0, without containers.
  PartitionMap() = default;

  MapVersion version() const { return version_; }
  size_t partition_count() const { return partitions_.size(); }

  // nullopt when the container is not in this map.
  std::optional<PartitionId> Lookup(ContainerId container, Hash128 hash) const;
  // The container's ranges that overlap `range`, in ring order; empty when it is unknown. Lives as
  // long as the map.
  std::span<const RangeEntry> Overlapping(ContainerId container, const HashRange& range) const;
  // All of the container's ranges.
  std::span<const RangeEntry> Ranges(ContainerId container) const;
  // nullptr when there is no such partition in this map (it split, merged or never was).
  const PartitionInfo* Find(PartitionId partition) const;

  // In order of id.
  template <typename Visit>
  void ForEachPartition(Visit visit) const {
    partitions_.ForEach([&](PartitionId, const auto& info) { visit(*info); });
  }

 private:
  friend class PartitionMapBuilder;

  MapVersion version_;
  PersistentIndex<ContainerId, std::shared_ptr<const RangeTable>> containers_;
  PersistentIndex<PartitionId, std::shared_ptr<const PartitionInfo>> partitions_;
};

}  // namespace orrery::partition
