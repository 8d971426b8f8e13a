#include "gateway/snapshot/commit_barrier.h"

#include <algorithm>
#include <utility>

namespace orrery::gateway {

uint64_t CommitBarrier::Raise(std::vector<PartitionId> partitions) {
  MutexLock lock(mutex_);
  marked_.emplace(++last_, std::move(partitions));
  marks_.store(marked_.size(), std::memory_order_release);
  return last_;
}

void CommitBarrier::Lift(uint64_t number) {
  MutexLock lock(mutex_);
  marked_.erase(number);
  marks_.store(marked_.size(), std::memory_order_release);
  lifted_.NotifyAll();
}

uint64_t CommitBarrier::NewestOf(PartitionId partition, uint64_t number) const {
  uint64_t newest = 0;
  for (const auto& [mark, partitions] : marked_) {
    if (mark > number) break;
    if (std::ranges::find(partitions, partition) != partitions.end()) newest = mark;
  }
  return newest;
}

Status CommitBarrier::Wait(PartitionId partition, storage::ReadMode mode) {
  MutexLock lock(mutex_);
  const uint64_t newest = NewestOf(partition, last_);
  if (newest == 0) return {};
  if (mode == storage::ReadMode::kCachedOnly)
    return Fail(Code::kWouldBlock, "a commit over several partitions is being written");
  while (NewestOf(partition, newest) != 0) lifted_.Wait(mutex_);
  return {};
}

}  // namespace orrery::gateway
