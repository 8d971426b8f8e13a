#include "gateway/history/topology_changes.h"

#include <utility>

namespace orrery::gateway {

void TopologyChanges::OnChange(const cluster::PartitionChange& change) {
  const MutexLock lock(mutex_);
  if (changes_.size() < kChangesMax) changes_.push_back(change);
}

std::vector<cluster::PartitionChange> TopologyChanges::Take() {
  const MutexLock lock(mutex_);
  return std::exchange(changes_, {});
}

}  // namespace orrery::gateway
