// A Topology is one consistent snapshot of which partition has which range and where it is open.
// Immutable; the Node publishes a new one for each change.
//
// A request takes one at its start and keeps it to the end.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "base/status.h"
#include "cluster/hosted_partition.h"
#include "partition/map/partition_map.h"

namespace orrery::cluster {

// A partition that another node has open, or nobody for the moment.
struct RemotePartition {
  NodeId owner;  // 0: nobody
  std::shared_ptr<const PartitionRecord> record;
  bool awaited = false;  // it is this node's own and will be open here soon; its owner is 0
  // Of one that is awaited: kCorruption with the reason why it cannot be opened until somebody
  // restores it. Null: nothing is known to be wrong.
  std::shared_ptr<const Error> damage = nullptr;

  // Returns the error for a request that finds it not open here: the damage, or kMoved.
  Error WhyNotHere() const;
};

struct Topology {
  std::shared_ptr<const partition::PartitionMap> map;
  std::unordered_map<PartitionId, std::shared_ptr<HostedPartition>> hosted;
  std::unordered_map<PartitionId, RemotePartition> remote;  // none on a single machine

  // The location of `hash` of `container`: one of the two; neither when the container is unknown.
  struct Place {
    HostedPartition* hosted = nullptr;
    const RemotePartition* remote = nullptr;
  };
  Place Locate(ContainerId container, Hash128 hash) const;
  // The partition that has `hash` of `container`, if it is open here; else null.
  HostedPartition* Route(ContainerId container, Hash128 hash) const;
  std::shared_ptr<HostedPartition> Find(PartitionId id) const;
  // Partitions of one owner that are open here, in id order.
  std::vector<std::shared_ptr<HostedPartition>> Of(ThroughputOwner throughput_owner) const;
  // Null when there is no such partition, here or elsewhere.
  std::shared_ptr<const PartitionRecord> RecordOf(PartitionId id) const;
  // Of all partitions, wherever they are; in no order.
  std::vector<std::shared_ptr<const PartitionRecord>> Records() const;
};

}  // namespace orrery::cluster
