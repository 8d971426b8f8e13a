#include "gateway/catalog/container_placement.h"

#include <vector>

#include "partition/map/hash_range.h"

namespace orrery::gateway {
namespace {

std::vector<partition::HashRange> EvenRanges(partition::KeyHashing hashing, size_t count) {
  return partition::DivideEvenly(partition::UsedSpan(hashing), static_cast<uint32_t>(count));
}

}  // namespace

cluster::TopologyChange PlaceAlone(ContainerId container, partition::KeyHashing hashing,
                                   uint32_t count) {
  cluster::TopologyChange change;
  for (const partition::HashRange& range : EvenRanges(hashing, count)) {
    change.create.push_back({cluster::ThroughputOwner::Of(container), {{container, range}}});
  }
  return change;
}

cluster::TopologyChange PlaceAcross(ContainerId container, partition::KeyHashing hashing,
                                    std::span<const PartitionId> partitions) {
  cluster::TopologyChange change;
  const auto ranges = EvenRanges(hashing, partitions.size());
  for (size_t i = 0; i < partitions.size(); ++i)
    change.add_slices.push_back({partitions[i], {container, ranges[i]}});
  return change;
}

cluster::TopologyChange PlaceWhole(ContainerId container, PartitionId partition) {
  cluster::TopologyChange change;
  change.add_slices.push_back({partition, {container, partition::HashRange()}});
  return change;
}

}  // namespace orrery::gateway
