// A physical partition that this node has open: its engine, the sequencer in front of it, the
// governor that meters it, and what is known of its size and its busiest keys.
//
// Shared by pointer: requests that began before a split finish on the parent, whose files go when
// the last of them lets go.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/published.h"
#include "base/status.h"
#include "base/thread_pool.h"
#include "cluster/lease/lease.h"
#include "cluster/record/partition_record.h"
#include "item/maintenance/retention_rule.h"
#include "item/row/row_merge_rule.h"
#include "item/write/ledger.h"
#include "partition/key_sketch.h"
#include "partition/rate/governor.h"
#include "partition/sequencer.h"
#include "storage/engine/engine.h"
#include "storage/resources.h"

namespace orrery::item {
class ValueFilters;
}  // namespace orrery::item

namespace orrery::cluster {

// The parts that every hosted partition is built from. All must outlive the partitions.
struct HostParts {
  storage::EngineResources& resources;
  ThreadPool& commit_pool;
  const Clock& clock;
  partition::SequencerOptions sequencer;
  bool burst = false;
  size_t write_buffer_bytes = 64 << 20;
  Micros expiry_grace{std::chrono::hours(1)};
  const Lease* lease = nullptr;  // of the node, in a cluster
};

struct HotKey {
  ContainerId container;
  std::string partition_key;  // encoded tuple
  double request_units_per_second = 0;
};

class HostedPartition {
 public:
  // `must_exist`: false creates a fresh engine (and fails if one is there).
  static Result<std::unique_ptr<HostedPartition>> Open(const HostParts& parts,
                                                       PartitionRecord record,
                                                       const std::string& path, bool must_exist);
  ~HostedPartition();

  PartitionId id() const { return id_; }
  // Changes when slices are added or dropped.
  std::shared_ptr<const PartitionRecord> record() const { return record_.Load(); }
  void SetRecord(PartitionRecord record);
  // Tells compaction what is visible of each container.
  void SetRetention(std::shared_ptr<const item::RetainedSlices> slices) {
    rule_.SetSlices(std::move(slices));
  }

  item::ShadowedRowNotes& shadowed_rows() const { return rule_.shadowed_rows(); }

  storage::Engine& engine() const { return *engine_; }
  partition::Sequencer& sequencer() const { return *sequencer_; }
  item::Ledger& ledger() const { return *ledger_; }
  // The filters of its indexes that look-ups over many partitions asked for.
  item::ValueFilters& value_filters() const { return *value_filters_; }

  // Held by whoever rewrites the packs of its feeds of rows (item/row_feed/row_feed_sweep.h).
  Mutex& feed_mutex() { return feed_mutex_; }

  // Checks that this node still held the partition's lease when it read: call after reading, before
  // answering (lease/lease.h). kUnavailable when this node may have lost it. Lock-free.
  Status CheckLease() const {
    if (parts_.lease == nullptr || parts_.lease->ValidNow()) return {};
    return Fail(Code::kUnavailable,
                "this node has lost touch with the object store, so another may have taken the "
                "partition over: ask another node");
  }

  // Without a rate, as in the shared pool, it counts and admits everything.
  partition::Governor& governor() const { return governor_; }

  // Notes what a request to a logical partition cost, for the hottest-keys list. Of many it notes
  // some, for all.
  void RecordUse(ContainerId container, std::string_view partition_key, RequestUnits charge)
      EXCLUDES(heat_mutex_);
  std::vector<HotKey> Hottest(size_t count) const EXCLUDES(heat_mutex_);

  // Ends writing, because it is not known whether a change of the topology took this partition's
  // place: queued and later writes get `why`. REQUIRES: the sequencer is paused.
  void Abandon(Error why);
  // Writing has ended for good, by a failed write or by Abandon: the partition must be opened anew.
  bool NeedsReopening() const { return abandoned_.load() || engine_->WriteFailure().has_value(); }

  // Ready when the last user is gone and the files are closed. Ask once.
  std::future<void> WhenClosed() { return closed_.get_future(); }

  // The files are deleted when the last user is gone (after a split, a merge or a drop).
  void RemoveFilesOnClose() { remove_files_.store(true); }

 private:
  HostedPartition(const HostParts& parts, PartitionRecord record, std::string path);

  const HostParts& parts_;
  const PartitionId id_;
  const std::string path_;
  Published<PartitionRecord> record_;
  item::RetentionRule rule_;
  const item::RowMergeRule merge_rule_{&rule_};
  const std::unique_ptr<item::ValueFilters> value_filters_;
  std::unique_ptr<storage::Engine> engine_;
  std::unique_ptr<item::Ledger> ledger_;
  std::unique_ptr<partition::Sequencer> sequencer_;

  mutable partition::Governor governor_;

  Mutex feed_mutex_;

  std::atomic<uint64_t> uses_{0};
  mutable Mutex heat_mutex_;
  partition::KeySketch heat_ GUARDED_BY(heat_mutex_);

  std::promise<void> closed_;
  std::atomic<bool> abandoned_{false};
  std::atomic<bool> remove_files_{false};
};

}  // namespace orrery::cluster
