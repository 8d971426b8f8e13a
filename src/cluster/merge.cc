// A merge in steps, and what a crash after each leaves:
//
//   1 copy both partitions' own entries, as of a snapshot each, into a new engine, without its log;
//     writes go on and are caught up from the logs      the two, and garbage that start-up removes
//   2 hold both sequencers, catch up the last writes,   same
//     flush the new engine
//   3 commit: both records go, the new one comes        the merged partition
//   4 publish, hand the waiting writes over             the merged partition
//
// The copy (1) takes time in proportion to the data, the pause (2-4) does not.
#include <fmt/core.h>

#include <algorithm>

#include "base/bytes.h"
#include "base/log.h"
#include "cluster/node_state.h"
#include "cluster/record/merge_record.h"
#include "cluster/topology_observer.h"
#include "item/layout/key_layout.h"
#include "item/maintenance/retention_rule.h"
#include "item/row/row_merge_rule.h"
#include "item/row_feed/row_feed_sweep.h"
#include "partition/meta_keys.h"

namespace orrery::cluster {
namespace {

constexpr size_t kCopyBatchBytes = 1 << 20;
// Rounds of catching up before the pause; each is shorter than the one before.
constexpr int kCatchUpRounds = 5;

// One of the two partitions while it is being copied.
struct Source {
  std::shared_ptr<HostedPartition> partition;
  std::unique_ptr<storage::Engine::LogPin> log;
  std::unique_ptr<storage::Snapshot> snapshot;
  std::unique_ptr<storage::Iterator> cursor;
  uint64_t caught_up = 0;
};

// The merged partition's files are made before it is a partition: closed and removed on any error.
class Draft {
 public:
  Draft(NodeState& state, std::string path) : state_(state), path_(std::move(path)) {}
  ~Draft() {
    engine_.reset();
    if (!kept_) static_cast<void>(storage::Engine::Destroy(state_.parts.resources, path_));
  }
  Status Open() {
    ORRERY_ASSIGN(engine_,
                  storage::Engine::Open(
                      state_.parts.resources,
                      {.path = path_, .error_if_exists = true, .merge_rule = &merge_rule_}));
    return {};
  }
  storage::Engine& engine() { return *engine_; }
  void Close() { engine_.reset(); }
  void Keep() { kept_ = true; }

 private:
  const item::RowMergeRule merge_rule_;  // what is caught up with may be merges of rows
  NodeState& state_;
  const std::string path_;
  std::unique_ptr<storage::Engine> engine_;
  bool kept_ = false;
};

bool IsMeta(std::string_view key) { return !key.empty() && key.front() == partition::kMetaSpace; }

// Selects what is copied of one of the two partitions: what its slices own.
class Picker {
 public:
  Picker(NodeState& state, const Source& source)
      : slices_(state.RetainedBy(*source.partition->record())),
        rule_(state.parts.clock, state.parts.expiry_grace) {
    rule_.SetSlices(slices_);
  }

  Status Copy(std::string_view key, std::string_view value, storage::Batch& batch) const {
    if (IsMeta(key)) return {};
    std::string rest;
    const storage::Fate fate = rule_.Decide(key, value, rest);
    if (fate == storage::Fate::kGoes) return {};
    if (fate == storage::Fate::kShrinks) value = rest;
    const auto decoded = item::DecodeKey(key);
    if (!decoded.has_value() || decoded->space != item::Space::kRowFeed) {
      batch.Put(key, value);
      return {};
    }
    // Both may have a pack of a partition that they come from: each brings its part of it.
    const auto slice = slices_->find(decoded->container);
    if (slice == slices_->end()) return {};
    ORRERY_ASSIGN(const auto within,
                  item::PackWithin(value, decoded->container, slice->second.ranges));
    if (within.has_value()) batch.Put(within->key, within->pack);
    return {};
  }

 private:
  const std::shared_ptr<const item::RetainedSlices> slices_;
  item::RetentionRule rule_;
};

// Copies what both cursors show and their slices own; the copies never share a key.
Status CopyEntries(NodeState& state, Source& left, Source& right, storage::Engine& target) {
  const Picker pick_left(state, left);
  const Picker pick_right(state, right);
  left.cursor->SeekToFirst();
  right.cursor->SeekToFirst();
  storage::Batch batch;
  while (left.cursor->Valid() || right.cursor->Valid()) {
    const bool take_left = left.cursor->Valid() &&
                           (!right.cursor->Valid() || left.cursor->key() <= right.cursor->key());
    storage::Iterator& from = take_left ? *left.cursor : *right.cursor;
    const Picker& pick = take_left ? pick_left : pick_right;
    ORRERY_TRY(pick.Copy(from.key(), from.value(), batch));
    if (batch.bytes() >= kCopyBatchBytes) {
      ORRERY_TRY(target.WriteUnlogged(batch));
      batch.Clear();
    }
    from.Next();
  }
  ORRERY_TRY(left.cursor->status());
  ORRERY_TRY(right.cursor->status());
  return target.WriteUnlogged(batch);
}

// The sequencer is the only writer of a claimed partition, so everything in its log is in range.
Status CatchUp(Source& source, storage::Engine& target) {
  ORRERY_ASSIGN(source.caught_up, source.partition->engine().ReadUpdatesSince(
                                      source.caught_up, [&](storage::Batch& batch) {
                                        return target.WriteUnlogged(batch);
                                      }));
  return {};
}

// The copied logs brought both partitions' own positions along; the merged one goes on after both.
Status WritePosition(const Source& left, const Source& right, storage::Engine& target) {
  const partition::Position a = left.partition->sequencer().PausedPosition();
  const partition::Position b = right.partition->sequencer().PausedPosition();
  storage::Batch batch;
  batch.Put(partition::kSequencerKey,
            partition::EncodePosition({std::max(a.lsn, b.lsn), std::max(a.time, b.time)}));
  return target.WriteUnlogged(batch);
}

// From whatever totals the copied logs left to the sum of both. The merged partition is marked for
// counting, so that a crash before this is durable does no lasting harm.
void AddTotals(const Source& left, const Source& right, HostedPartition& merged) {
  std::map<ContainerId, item::Totals> corrections;
  const auto add = [&](const item::Ledger& ledger, int64_t sign) {
    for (const auto& [container, totals] : ledger.ByContainer()) {
      corrections[container].bytes += sign * totals.bytes;
      corrections[container].items += sign * totals.items;
    }
  };
  add(left.partition->ledger(), 1);
  add(right.partition->ledger(), 1);
  add(merged.ledger(), -1);
  merged.sequencer().Submit(
      item::Ledger::Correction(merged.ledger(), std::move(corrections), [](Status) {}));
}

Result<Source> OpenSource(NodeState& state, PartitionId id) {
  Source source{.partition = state.topology.Load()->Find(id),
                .log = nullptr,
                .snapshot = nullptr,
                .cursor = nullptr};
  if (source.partition == nullptr)
    return Fail(Code::kNotFound, fmt::format("there is no partition {}", id.value()));
  storage::Engine& engine = source.partition->engine();
  source.log = engine.PinLog();
  source.snapshot = engine.TakeSnapshot();
  source.caught_up = source.snapshot->sequence();
  source.cursor = engine.NewIterator({.lower = "",
                                      .upper = "",
                                      .mode = storage::ReadMode::kMayBlock,
                                      .snapshot = source.snapshot.get(),
                                      .fill_cache = false});
  return source;
}

}  // namespace

Result<PartitionId> MergePartitions(NodeState& state, PartitionId left_id, PartitionId right_id) {
  ORRERY_ASSIGN(const PartitionClaim claim,
                PartitionClaim::Take(state, {left_id, right_id}, PartitionClaim::kPatience));
  ORRERY_ASSIGN(Source left, OpenSource(state, left_id));
  ORRERY_ASSIGN(Source right, OpenSource(state, right_id));
  SystemStore::Change change;
  ORRERY_ASSIGN(const NodeState::Fresh fresh, state.NextPartition(change));
  ORRERY_ASSIGN(const PartitionRecord record,
                MergeRecords(*left.partition->record(), *right.partition->record(), fresh.id));

  Draft draft(state, state.PathOf(record.id));
  ORRERY_TRY(draft.Open());
  ORRERY_TRY(CopyEntries(state, left, right, draft.engine()));
  for (int round = 0; round < kCatchUpRounds; ++round) {
    ORRERY_TRY(CatchUp(left, draft.engine()));
    ORRERY_TRY(CatchUp(right, draft.engine()));
  }
  ORRERY_TRY(draft.engine().Flush());

  MutexLock lock(state.change_mutex);
  const Micros paused_at = state.parts.clock.Monotonic();
  partition::Sequencer& left_sequencer = left.partition->sequencer();
  partition::Sequencer& right_sequencer = right.partition->sequencer();
  left_sequencer.Pause();
  right_sequencer.Pause();
  const auto resume = [&] {
    left_sequencer.Resume();
    right_sequencer.Resume();
  };
  const auto finish = [&]() -> Result<std::shared_ptr<HostedPartition>> {
    ORRERY_TRY(CatchUp(left, draft.engine()));
    ORRERY_TRY(CatchUp(right, draft.engine()));
    ORRERY_TRY(WritePosition(left, right, draft.engine()));
    ORRERY_TRY(draft.engine().Flush());
    draft.Close();
    return state.Open(record, /*must_exist=*/true);
  };
  Result<std::shared_ptr<HostedPartition>> merged = finish();
  if (!merged.has_value()) {
    resume();
    return Fail(std::move(merged).error());
  }
  draft.Keep();  // from here on the partition object owns the files

  for (const Source* source : {&left, &right}) {
    const auto gone = source->partition->record();
    change.Expect(PartitionRecordKey(gone->id), EncodePartitionRecord(*gone));
    change.Delete(PartitionRecordKey(gone->id));
    change.Delete(TrimKey(gone->id));
    state.ReplaceOwned(gone->id, change);
  }
  state.RecordOwner(record.id, change);
  change.Put(PartitionRecordKey(record.id), EncodePartitionRecord(record));
  change.Put(TrimKey(record.id), "");
  AddTotals(left, right, **merged);
  if (Status committed = state.system.Commit(std::move(change)); !committed.has_value()) {
    if (committed.error().code() == Code::kMoved) {
      (*merged)->RemoveFilesOnClose();
      resume();
      return Fail(Code::kPreconditionFailed,
                  "a partition was changed while it was being merged; try again");
    }
    // As in a split: the outcome is unknown, so no write may be acknowledged for now.
    const Error why(Code::kUnavailable,
                    "a merge could not be recorded: writes are refused until "
                    "the partition was reopened; retry");
    left.partition->Abandon(why);
    right.partition->Abandon(why);
    state.uses.Keep(record.id);
    resume();
    return Fail(std::move(committed).error());
  }
  state.PublishLocked({.add = {*merged}, .remove = {left_id, right_id}});
  for (Source* source : {&left, &right}) {
    source->cursor.reset();
    source->snapshot.reset();
    source->log.reset();
    source->partition->RemoveFilesOnClose();
    source->partition->sequencer().Retire(Error(Code::kMoved, "the partition was merged"));
  }
  resume();
  const Micros pause = state.parts.clock.Monotonic() - paused_at;
  if (state.options.observer != nullptr) {
    state.options.observer->OnChange({.kind = PartitionChange::Kind::kMerge,
                                      .before = {left_id, right_id},
                                      .after = {record.id},
                                      .reason = partition::SplitReason::kCommand,
                                      .pause = pause,
                                      .slices = record.slices});
  }
  LogInfo("partitions {} and {} were merged into {}; writers waited {:.1f} ms", left_id.value(),
          right_id.value(), record.id.value(), static_cast<double>(pause.count()) / 1000);
  return record.id;
}

}  // namespace orrery::cluster
