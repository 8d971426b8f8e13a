// A CommitBarrier makes readers outside of transactions wait while a commit over several partitions
// is being written: whoever has seen a part of it in one partition finds the rest in the others.
//
// A commit marks its partitions, writes them, and lifts the marks: about the time of one write. A
// reader waits only for commits that were there when it came.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <vector>

#include "base/ids.h"
#include "base/mutex.h"
#include "base/status.h"
#include "storage/iterator.h"

namespace orrery::gateway {

class CommitBarrier {
 public:
  // Marks partitions while it lives.
  class Mark {
   public:
    Mark(CommitBarrier& barrier, std::vector<PartitionId> partitions)
        : barrier_(barrier), number_(barrier.Raise(std::move(partitions))) {}
    ~Mark() { barrier_.Lift(number_); }
    Mark(const Mark&) = delete;
    Mark& operator=(const Mark&) = delete;

   private:
    CommitBarrier& barrier_;
    const uint64_t number_;
  };

  // Returns when the partition may be read; kWouldBlock instead of waiting under kCachedOnly. One
  // relaxed load while nothing is marked.
  Status Pass(PartitionId partition, storage::ReadMode mode) {
    if (marks_.load(std::memory_order_acquire) == 0) [[likely]]
      return {};
    return Wait(partition, mode);
  }

 private:
  uint64_t Raise(std::vector<PartitionId> partitions) EXCLUDES(mutex_);
  void Lift(uint64_t number) EXCLUDES(mutex_);
  Status Wait(PartitionId partition, storage::ReadMode mode) EXCLUDES(mutex_);
  // The newest mark of the partition up to `number`; 0: none.
  uint64_t NewestOf(PartitionId partition, uint64_t number) const REQUIRES(mutex_);

  std::atomic<size_t> marks_{0};
  Mutex mutex_;
  CondVar lifted_;
  uint64_t last_ GUARDED_BY(mutex_) = 0;
  std::map<uint64_t, std::vector<PartitionId>> marked_ GUARDED_BY(mutex_);
};

}  // namespace orrery::gateway
