// TopologyChanges are the changes that a node has told of and nobody has looked at yet: they wait
// for the PartitionMonitor, which comes by once a second.
//
// Made before the node. Thread-safe.
#pragma once

#include <vector>

#include "base/mutex.h"
#include "cluster/topology_observer.h"

namespace orrery::gateway {

class TopologyChanges final : public cluster::TopologyObserver {
 public:
  // Further ones are not told.
  static constexpr size_t kChangesMax = 1'000;

  void OnChange(const cluster::PartitionChange& change) override EXCLUDES(mutex_);
  std::vector<cluster::PartitionChange> Take() EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  std::vector<cluster::PartitionChange> changes_ GUARDED_BY(mutex_);
};

}  // namespace orrery::gateway
