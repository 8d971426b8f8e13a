#include "cluster/partition_uses.h"

namespace orrery::cluster {

void PartitionUses::Add(PartitionId id) {
  MutexLock lock(mutex_);
  ++used_[id];
}

void PartitionUses::Remove(PartitionId id) {
  MutexLock lock(mutex_);
  const auto found = used_.find(id);
  if (--found->second == 0) used_.erase(found);
}

void PartitionUses::Begin() {
  MutexLock lock(mutex_);
  ++being_taken_;
}

void PartitionUses::End() {
  MutexLock lock(mutex_);
  --being_taken_;
}

std::vector<PartitionId> PartitionUses::Of(const std::vector<PartitionId>& ids) const {
  MutexLock lock(mutex_);
  if (being_taken_ > 0) return ids;
  std::vector<PartitionId> used;
  for (const PartitionId id : ids)
    if (used_.contains(id)) used.push_back(id);
  return used;
}

}  // namespace orrery::cluster
