// Partitions that are this node's and cannot be opened: when to try again, and what has been said
// of it already.
//
// Transient errors (another node is still closing, the store does not answer) are retried in every
// round. Damage does not pass by itself: it is tried again after pauses that grow (RetrySchedule),
// as somebody may restore what is missing, and reported once. Each try takes the partition's
// directory anew.
//
// Thread-safe.
#pragma once

#include <map>
#include <string>

#include "base/clock.h"
#include "base/ids.h"
#include "base/mutex.h"
#include "base/status.h"
#include "cluster/maintenance/retry_schedule.h"

namespace orrery::cluster {

class OpeningAttempts {
 public:
  bool Due(PartitionId id, Micros now) const EXCLUDES(mutex_);
  // Writes what is worth telling to the log. Whether it certainly stays so until somebody restores
  // the partition: files that are missing once may be those of one that has just been dropped.
  bool Failed(PartitionId id, const Error& why, Micros now) EXCLUDES(mutex_);
  void Opened(PartitionId id) EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  RetrySchedule schedule_ GUARDED_BY(mutex_);
  std::map<PartitionId, std::string> told_ GUARDED_BY(mutex_);  // of those that are damaged
};

// Returns whether an error of opening an engine means that its files are damaged.
bool IsDamage(const Error& error);

}  // namespace orrery::cluster
