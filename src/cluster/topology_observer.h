// A TopologyObserver is told of each change that this node has made of its partitions, after its
// commit: who is interested in when and why, as a history is, cannot see that in a topology.
//
// Called on the thread that made the change, with locks held: it must return soon and must not call
// the node. Thread-safe.
#pragma once

#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/status.h"
#include "cluster/record/partition_record.h"
#include "partition/split_planner.h"

namespace orrery::cluster {

class HostedPartition;

struct PartitionChange {
  enum class Kind : uint8_t { kSplit, kMerge };
  Kind kind = Kind::kSplit;
  std::vector<PartitionId> before;
  std::vector<PartitionId> after;
  partition::SplitReason reason = partition::SplitReason::kCommand;
  Micros pause{0};            // how long writers waited
  std::vector<Slice> slices;  // what the partitions have, before or after
};

class TopologyObserver {
 public:
  virtual ~TopologyObserver() = default;
  virtual void OnChange(const PartitionChange& change) = 0;
  // Is told of a partition that was opened, before anybody can use it. An error closes it again.
  virtual Status OnOpen(const HostedPartition& /*partition*/) { return {}; }
};

}  // namespace orrery::cluster
