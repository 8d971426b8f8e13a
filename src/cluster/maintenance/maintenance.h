// Maintenance is what a node does for its partitions in the background: it reopens those that a
// failed write has stopped, sweeps expired items, stale feed entries and shadowed rows, counts
// sizes that are in doubt, flushes quiet partitions, trims what splits left behind, and splits what
// grew too large or must carry more throughput.
//
// Round() decides and schedules; the work runs on the node's background threads, one job per
// partition at a time. Thread-safe.
#pragma once

#include <functional>
#include <map>
#include <set>

#include "base/mutex.h"
#include "cluster/maintenance/feed_maintenance.h"
#include "cluster/maintenance/opening_attempts.h"
#include "cluster/maintenance/quiet_writes.h"
#include "cluster/maintenance/repair.h"
#include "cluster/node_state.h"

namespace orrery::cluster {

class Maintenance {
 public:
  explicit Maintenance(NodeState& state);

  void Round();
  // The part of it that comes before partitions are opened.
  void WatchSpace() { repair_.WatchSpace(); }
  // Starts to follow what is recorded now.
  void ScheduleReconciling(std::optional<Node::Throughputs> throughputs = std::nullopt)
      EXCLUDES(mutex_);
  // Starts to open each partition that is recorded as this node's and is not open.
  void ScheduleOpenings();
  // Starts a trim for each partition that is marked for one: all are settled first, on threads of
  // their own.
  void ScheduleTrims();
  // Waits until no job is queued or running.
  void WaitUntilIdle() EXCLUDES(mutex_);

 private:
  enum class Job {
    kOpen,
    kReopen,
    kSettle,
    kTrim,
    kSweep,
    kFeedSweep,
    kShadowedRowSweep,
    kCount,
    kFlush,
    kSplit
  };

  // Splits, trims and the like hold up writers, or are waited for; sweeps and counts are neither.
  ThreadPool& PoolFor(Job job);
  // Runs `work` on a background thread unless the partition has such a job already.
  void Schedule(Job job, PartitionId id, std::move_only_function<void()> work) EXCLUDES(mutex_);
  void ScheduleRepairs();
  void ScheduleSweeps();
  void ScheduleCounts();
  void ScheduleFlushes() EXCLUDES(mutex_);
  void ScheduleSplits();
  void Sweep(PartitionId id);
  void Split(PartitionId id, partition::SplitReason reason);
  // Then starts the trim.
  void Settle(PartitionId id) EXCLUDES(mutex_);
  void Trim(PartitionId id) EXCLUDES(mutex_);
  // A trim waits or runs; a split would only lose against it.
  bool IsTrimmed(PartitionId id) EXCLUDES(mutex_);
  // One that could not be split is tried again only after it grew by a tenth.
  bool IsStuck(PartitionId id, int64_t bytes) EXCLUDES(mutex_);

  NodeState& state_;  // must outlive the maintenance
  Repair repair_;
  FeedMaintenance feeds_;
  OpeningAttempts openings_;
  Mutex mutex_;
  CondVar idle_;
  std::set<std::pair<Job, PartitionId>> jobs_ GUARDED_BY(mutex_);
  QuietWrites quiet_ GUARDED_BY(mutex_);
  // Of those that are marked for trimming: by which records they were settled.
  std::map<PartitionId, std::shared_ptr<const PartitionRecord>> settled_ GUARDED_BY(mutex_);
  bool reconciling_queued_ GUARDED_BY(mutex_) = false;
  std::optional<Node::Throughputs> new_throughputs_ GUARDED_BY(mutex_);
  size_t reconciling_ GUARDED_BY(mutex_) = 0;                // queued and running
  std::map<PartitionId, int64_t> stuck_ GUARDED_BY(mutex_);  // with their size when last tried
  ThreadPool sweepers_;
  ThreadPool openers_;  // they wait for closings, which the background threads do
};

}  // namespace orrery::cluster
