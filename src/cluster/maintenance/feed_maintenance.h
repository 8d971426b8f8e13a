// Collects stale changes from the feeds of rows, partition by partition, a little at a time:
// writers of rows leave a change each without looking for the one before
// (item/row_feed/row_feed.h).
//
// Its progress is lost with the process: it then looks at everything once more.
//
// Thread-safe; one sweep of a partition at a time. Internal to cluster/.
#pragma once

#include <map>
#include <utility>

#include "base/mutex.h"
#include "cluster/node_state.h"
#include "item/row_feed/row_feed_sweep.h"

namespace orrery::cluster {

class FeedMaintenance {
 public:
  explicit FeedMaintenance(NodeState& state) : state_(state) {}

  // Returns whether a sweep of the partition is worthwhile. Cheap.
  bool Due(const HostedPartition& partition) EXCLUDES(mutex_);
  // Sweeps one segment of each feed that is due.
  void Sweep(HostedPartition& partition) EXCLUDES(mutex_);
  // Lets go of what is known of partitions and containers that are gone.
  void Forget(const Topology& topology) EXCLUDES(mutex_);

 private:
  using PassId = std::pair<PartitionId, ContainerId>;

  Status SweepSegment(HostedPartition& partition, const item::ContainerSchema& schema)
      EXCLUDES(mutex_);

  NodeState& state_;  // must outlive it
  Mutex mutex_;
  std::map<PassId, item::FeedSweepPass> passes_ GUARDED_BY(mutex_);
};

// Takes the changes that are not the partition's from its feeds of rows. REQUIRES: the caller has
// claimed the partition, so that no merge copies it meanwhile. Blocks.
Status TrimRowFeeds(NodeState& state, HostedPartition& partition);

}  // namespace orrery::cluster
