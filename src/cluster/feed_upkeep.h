// Collects stale entries of the change feeds of rows, partition by partition, a little at a time:
// writers of rows leave an entry each without looking for the one before (item/row/row_feed.h).
//
// How far it is, it forgets with the process: it then looks at everything once more.
//
// Thread-safe; one sweep of a partition at a time. Internal to cluster/.
#pragma once

#include <map>

#include "base/hash128.h"
#include "base/mutex.h"
#include "cluster/node_state.h"
#include "item/row/row_feed_sweep.h"

namespace orrery::cluster {

class FeedUpkeep {
 public:
  explicit FeedUpkeep(NodeState& state) : state_(state) {}

  // Whether a sweep of the partition is worth it. Cheap.
  bool Due(const HostedPartition& partition) EXCLUDES(mutex_);
  void Sweep(HostedPartition& partition) EXCLUDES(mutex_);
  // Lets go of what is known of partitions and containers that are gone.
  void Forget(const Topology& topology) EXCLUDES(mutex_);

 private:
  struct PassId {
    PartitionId partition;
    ContainerId container;
    Hash128 begin;  // of the slice
    friend auto operator<=>(const PassId&, const PassId&) = default;
  };

  // One step of a pass. True: it was worth it, and more is left.
  Result<bool> Step(HostedPartition& partition, const item::ContainerSchema& schema,
                    const Slice& slice) EXCLUDES(mutex_);

  NodeState& state_;  // must outlive it
  Mutex mutex_;
  std::map<PassId, item::FeedSweepPass> passes_ GUARDED_BY(mutex_);
};

}  // namespace orrery::cluster
