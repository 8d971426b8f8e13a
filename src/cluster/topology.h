// A Topology is one consistent picture of which partition has which range and where it is open.
// Immutable; the Node publishes a new one for each change.
//
// A request takes one at its start and keeps it to the end.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "cluster/hosted_partition.h"
#include "partition/map/partition_map.h"

namespace orrery::cluster {

struct Topology {
  std::shared_ptr<const partition::PartitionMap> map;
  std::unordered_map<PartitionId, std::shared_ptr<HostedPartition>> hosted;

  // The partition that has `hash` of `container`; null when the container is unknown.
  HostedPartition* Route(ContainerId container, Hash128 hash) const;
  std::shared_ptr<HostedPartition> Find(PartitionId id) const;
  // Partitions of one owner, in id order.
  std::vector<std::shared_ptr<HostedPartition>> Of(Tenancy tenancy) const;
};

}  // namespace orrery::cluster
