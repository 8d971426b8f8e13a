// Repair brings back what an error of the disk has stopped: the system store and partitions that
// take no writes since a write to their log failed. It also watches how much room is left, has
// partitions refuse growth before the disk is full to the last byte, and keeps the ballast that a
// full disk is started on with (storage/ballast.h).
//
// Decides what is due; Maintenance runs it on the node's background threads. The system store comes
// first: reopening a partition is recorded there.
//
// Thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/metrics.h"
#include "base/mutex.h"
#include "cluster/maintenance/retry_schedule.h"
#include "cluster/node_state.h"

namespace orrery::cluster {

class Repair {
 public:
  // Partitions reopened in one round, of all that are due.
  static constexpr size_t kReopeningsPerRound = 8;

  explicit Repair(NodeState& state);

  // Looks at the free space and tells every partition. From one thread at a time.
  void WatchSpace() EXCLUDES(mutex_);

  bool SystemStoreDue() EXCLUDES(mutex_);
  void ReopenSystemStore() EXCLUDES(mutex_);

  // None while the system store is stopped.
  std::vector<PartitionId> PartitionsDue() EXCLUDES(mutex_);
  void ReopenPartition(PartitionId id) EXCLUDES(mutex_);

 private:
  // Returns what must be free for growth to be taken, as far as it does not depend on the past.
  uint64_t Reserve() const;
  // Takes up the ballast's bytes when there is room for them beside the reserve.
  void KeepBallast(uint64_t free);
  // Stopped for want of room, and there still is none: reopening would only leave half a copy.
  bool IsStillFull(PartitionId id) const;

  NodeState& state_;  // must outlive the repair
  // The thread's that watches.
  std::optional<uint64_t> last_free_;
  Micros ballast_due_;  // not before

  // Owned by the node's registry; null without one.
  struct Meters {
    Counter* reopened = nullptr;
    Counter* failed = nullptr;
    Gauge* stopped = nullptr;
    Gauge* disk_low = nullptr;
  } meters_;

  Mutex mutex_;
  RetrySchedule schedule_ GUARDED_BY(mutex_);
};

}  // namespace orrery::cluster
