// A Ledger keeps what the groups of one physical partition have in common: the running totals,
// bytes and items per container, which logical partitions are the largest, and the changes of rows
// for the feed (row_feed/group_changes.h).
//
// Totals are stored in each group's batch, so they are exact after a crash. After a split they are
// estimates until the trimmer has counted again (recount.h).
//
//   "\0tot" container:uint32 -> sizes                     (entry_codec.h)
//
// Begin, SizeOf, RecordChange, row_changes and Rollback while a mutation is evaluated, the
// observer's calls as GroupObserver says; the rest is thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash128.h"
#include "base/ids.h"
#include "base/mutex.h"
#include "base/status.h"
#include "item/layout/entry_codec.h"
#include "item/maintenance/largest_keys.h"
#include "item/row/size_counts.h"
#include "item/row_feed/group_changes.h"
#include "partition/sequencer.h"
#include "storage/engine/engine.h"

namespace orrery::item {

class Ledger : public partition::GroupObserver {
 public:
  static Result<std::unique_ptr<Ledger>> Open(const storage::Engine& engine);

  // One of no partition: for evaluations that nobody stores. It knows no totals.
  static std::unique_ptr<Ledger> Detached() { return std::unique_ptr<Ledger>(new Ledger({})); }

  // Starts a transaction. Call first in each Evaluate that records changes.
  void Begin();
  // The logical partition's stored size. Of documents it is exact: nothing means that there is no
  // record. Of rows it is about what they take at most (row_count.h).
  Result<Totals> SizeOf(partition::GroupWriter& writer, ContainerId container, Hash128 hash,
                        std::string_view partition_key);
  // Adds `change` to the logical partition's stored size and, when the group commits, to the
  // totals. Returns the new size, or kPartitionFull when growing beyond `bytes_max` (0 = no limit).
  Result<Totals> RecordChange(partition::GroupWriter& writer, ContainerId container, Hash128 hash,
                              std::string_view partition_key, Totals change, uint64_t bytes_max);
  // The same for a size that is known already. REQUIRES: SizeOf says `size`.
  Result<Totals> RecordChange(partition::GroupWriter& writer, ContainerId container, Hash128 hash,
                              std::string_view partition_key, Totals size, Totals change,
                              uint64_t bytes_max);
  // Adds `change` to the totals alone, when the group commits.
  Status RecordTotals(ContainerId container, Totals change);
  // Returns the committed bytes of the container's items here.
  uint64_t BytesOf(ContainerId container) const EXCLUDES(mutex_);
  // The changes of rows of the group that forms.
  GroupChanges& row_changes() { return row_changes_; }
  // Takes back what was recorded since Begin. Call when Evaluate fails.
  void Rollback();

  void BeforeCommit(partition::GroupWriter& writer) override EXCLUDES(mutex_);
  void AfterCommit(bool durable) override EXCLUDES(mutex_);

  // While true, changes that make the stored items larger are refused with kResourceExhausted:
  // what little room is left on the disk is for deletions.
  void RefuseGrowth(bool refuse) { growth_refused_.store(refuse, std::memory_order_relaxed); }

  std::map<ContainerId, Totals> ByContainer() const EXCLUDES(mutex_);
  Totals Sum() const EXCLUDES(mutex_);
  // Of those that have changed since the ledger was opened.
  std::vector<LargeKey> Largest(size_t count) const EXCLUDES(mutex_);

  // The known counts of logical partitions of rows that seem full.
  SizeCounts& size_counts() { return size_counts_; }

  // A mutation that adds a correction to the stored totals.
  static std::unique_ptr<partition::Mutation> Correction(
      Ledger& ledger, std::map<ContainerId, Totals> by, std::move_only_function<void(Status)> done);

 private:
  class CorrectionMutation;
  struct Change {
    ContainerId container;
    Totals totals;
  };
  explicit Ledger(std::map<ContainerId, Totals> stored) : committed_(std::move(stored)) {}
  Status CheckGrowth(const Totals& change) const;
  void Add(ContainerId container, Totals change);
  void PutTotals(partition::GroupWriter& writer) EXCLUDES(mutex_);

  mutable Mutex mutex_;
  std::map<ContainerId, Totals> committed_ GUARDED_BY(mutex_);
  std::map<ContainerId, Totals> sealed_ GUARDED_BY(mutex_);  // changes of the group being written
  LargestKeys largest_ GUARDED_BY(mutex_);
  std::atomic<uint64_t> large_floor_{0};  // of largest_, to ask without the lock

  std::atomic<bool> growth_refused_{false};
  SizeCounts size_counts_;

  // Of whoever evaluates.
  std::map<ContainerId, Totals> group_;  // changes of the group so far
  std::vector<Change> transaction_;      // changes since Begin
  std::vector<LargeKey> seen_;           // sizes met in the group that may be among the largest
  size_t seen_at_begin_ = 0;
  GroupChanges row_changes_;
  std::string key_;  // reused for every entry
  std::string value_;

  // Of whoever writes: seen_ of the group being written.
  std::vector<LargeKey> sealed_seen_;
};

// The totals as stored, in `snapshot` (null: now).
Result<std::map<ContainerId, Totals>> ReadStoredTotals(const storage::Engine& engine,
                                                       const storage::Snapshot* snapshot);

}  // namespace orrery::item
