// The OutboxRepair finds entries that nobody is delivering and delivers them: after a crash or a
// restart, and after a delivery or a removal that failed.
//
// Every entry is either on its way in this process, and its delivery will remove it or Mark it, or
// its partition has yet to be looked through. A partition is, when it is first seen (opened, split,
// merged and reopened partitions have new ids) and after a Mark; then only in growing pauses while
// it goes on failing. An entry that is on its way may be found too: it is then delivered twice.
//
// Entries may lie for as long as partitions are out of order. A deletion that overtakes one must
// still be known when it arrives: such tables must not forget deletions (gc_grace_s) any sooner.
//
// Round() decides; the work is done on a thread of its own. Thread-safe.
#pragma once

#include <set>
#include <vector>

#include "base/clock.h"
#include "base/metrics.h"
#include "base/mutex.h"
#include "base/thread_pool.h"
#include "cluster/maintenance/retry_schedule.h"
#include "cluster/node.h"
#include "gateway/catalog/catalog.h"
#include "gateway/outbox/outbox_dispatcher.h"
#include "item/outbox/outbox.h"

namespace orrery::gateway {

class OutboxRepair {
 public:
  // All must outlive it.
  OutboxRepair(const Catalog& catalog, const cluster::Node& node,
               const OutboxDispatcher& outbox_dispatcher, const Clock& clock,
               MetricsRegistry& metrics);
  ~OutboxRepair();  // calls Stop()

  // An entry was left: its partition is looked through again.
  void Mark(const item::OutboxPlace& place) EXCLUDES(mutex_);

  // Begins to look through the partitions that are due, unless it is still at it.
  void Round() EXCLUDES(mutex_);
  void WaitUntilIdle() EXCLUDES(mutex_);
  // Ends after the page under way; joins. Idempotent. REQUIRES: the node runs.
  void Stop() EXCLUDES(mutex_);

 private:
  using Partition = std::shared_ptr<cluster::HostedPartition>;

  std::vector<Partition> TakeDue() EXCLUDES(mutex_);
  void Repair(const std::vector<Partition>& due) EXCLUDES(mutex_);
  // Delivers and removes all entries. An error when some are left.
  Status LookThrough(cluster::HostedPartition& partition) EXCLUDES(mutex_);
  // Returns those that are delivered, and sets `failure` when others are not.
  std::vector<item::OutboxPlace> Deliver(std::vector<item::OutboxEntry> entries,
                                         Status& failure) const;
  bool stopping() const EXCLUDES(mutex_);

  const Catalog& catalog_;
  const cluster::Node& node_;
  const OutboxDispatcher& outbox_dispatcher_;
  const Clock& clock_;
  Counter& repaired_;
  Gauge& waiting_gauge_;

  mutable Mutex mutex_;
  CondVar idle_;
  std::set<PartitionId> seen_ GUARDED_BY(mutex_);     // looked through at least once
  std::set<PartitionId> waiting_ GUARDED_BY(mutex_);  // of these: to be looked through again
  cluster::RetrySchedule schedule_ GUARDED_BY(mutex_);
  bool running_ GUARDED_BY(mutex_) = false;
  bool stopping_ GUARDED_BY(mutex_) = false;
  ThreadPool pool_;
};

}  // namespace orrery::gateway
