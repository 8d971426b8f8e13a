// A split in steps, and what a crash after each leaves:
//
//   1 flush while writes go on                    the parent
//   2 hold the sequencer; hard-link two copies    the parent, and garbage that start-up removes
//   3 open the copies as the children             same
//   4 commit: the parent's record goes,           the two children
//     the children's come, marked for trimming
//   5 publish, hand the waiting writes over       the two children
//
// Nothing is copied in the pause (2-5): its length does not depend on the size of the data.
#include <fmt/core.h>

#include <algorithm>
#include <future>
#include <map>
#include <span>

#include "base/log.h"
#include "cluster/cut_epk.h"
#include "cluster/node_state.h"
#include "cluster/topology_observer.h"
#include "item/maintenance/recount.h"
#include "partition/split_planner.h"

namespace orrery::cluster {
namespace {

constexpr size_t kSamplesMax = 1'024;
constexpr std::chrono::milliseconds kCompactionPatience{5'000};

using Child = std::shared_ptr<HostedPartition>;

// The slices that each child gets, and the share of a container's bytes that went to the first.
struct Dealt {
  std::vector<Slice> first;
  std::vector<Slice> second;
  std::map<ContainerId, double> first_share;
};

double ShareBelow(std::span<const partition::KeySample> samples, Hash128 cut) {
  if (samples.empty() || samples.back().bytes_through == 0) return 0.5;
  uint64_t below = 0;
  for (const partition::KeySample& sample : samples) {
    if (sample.hash < cut) below = sample.bytes_through;
  }
  return static_cast<double>(below) / static_cast<double>(samples.back().bytes_through);
}

Status CutSlice(NodeState& state, const HostedPartition& partition, const Slice& slice,
                const SplitRequest& request, Dealt& dealt) {
  ORRERY_ASSIGN(const auto samples,
                item::SampleSizes(partition.engine(), slice.container, slice.range, kSamplesMax));
  std::optional<Hash128> cut = request.cut;
  if (!cut.has_value() && request.reason != partition::SplitReason::kThroughput) {
    cut = partition::ChooseCut(slice.range, samples);
  }
  // Throughput is halved by halving the ring; and where nothing is stored the middle serves as
  // well.
  if (!cut.has_value()) cut = partition::EvenCut(slice.range, state.UsedSpanOf(slice.container));
  if (!cut.has_value() || *cut <= slice.range.begin() || *cut > slice.range.last()) {
    return Fail(Code::kInvalidArgument,
                fmt::format("partition {} cannot be cut there: its range is {}",
                            partition.id().value(), slice.range.ToString()));
  }
  std::string epk;
  if (const auto schema = state.schemas(slice.container); schema != nullptr) {
    ORRERY_ASSIGN(epk, EpkOfCut(partition.engine(), *schema, slice.range, *cut));
  }
  const auto [below, above] = slice.range.CutAt(*cut);
  dealt.first.push_back({slice.container, below, slice.begin_epk});
  dealt.second.push_back({slice.container, above, std::move(epk)});
  dealt.first_share[slice.container] = ShareBelow(samples, *cut);
  return {};
}

Result<Dealt> Deal(NodeState& state, const HostedPartition& partition,
                   const SplitRequest& request) {
  ORRERY_ASSIGN(const partition::PartitionFacts facts,
                state.FactsOf(partition, /*look_for_sole_keys=*/true));
  ORRERY_ASSIGN(const partition::SplitAction action, partition::PlanSplit(facts, request.reason));
  Dealt dealt{.first = action.first, .second = action.second, .first_share = {}};
  for (const Slice& slice : action.first) dealt.first_share[slice.container] = 1;
  for (const Slice& slice : action.second) dealt.first_share[slice.container] = 0;
  for (const Slice& slice : action.cut)
    ORRERY_TRY(CutSlice(state, partition, slice, request, dealt));
  return dealt;
}

PartitionRecord ChildRecord(const PartitionRecord& parent, PartitionId id,
                            std::vector<Slice> slices) {
  return {.id = id,
          .epoch = parent.epoch,
          .throughput_owner = parent.throughput_owner,
          .slices = std::move(slices),
          .parents = AncestryFrom({&parent})};
}

Result<Child> MakeChild(NodeState& state, HostedPartition& parent, const PartitionRecord& record) {
  ORRERY_TRY(parent.engine().CheckpointTo(state.PathOf(record.id)));
  return state.Open(record, /*must_exist=*/true);
}

// Both children begin with the parent's totals; this takes away the other's part. An estimate until
// the trimmer has counted.
void EstimateTotals(HostedPartition& child, const Dealt& dealt, bool first) {
  std::map<ContainerId, item::Totals> corrections;
  for (const auto& [container, totals] : child.ledger().ByContainer()) {
    const auto share = dealt.first_share.find(container);
    const double of_first = share == dealt.first_share.end() ? 0.5 : share->second;
    const double gone = first ? 1 - of_first : of_first;
    corrections[container] = {-static_cast<int64_t>(static_cast<double>(totals.bytes) * gone),
                              -static_cast<int64_t>(static_cast<double>(totals.items) * gone)};
  }
  child.sequencer().Submit(
      item::Ledger::Correction(child.ledger(), std::move(corrections), [](Status) {}));
}

Status CommitSplit(NodeState& state, const HostedPartition& parent,
                   const std::vector<Child>& children, SystemStore::Change change) {
  change.Expect(PartitionRecordKey(parent.id()), EncodePartitionRecord(*parent.record()));
  change.Delete(PartitionRecordKey(parent.id()));
  change.Delete(TrimKey(parent.id()));
  state.ReplaceOwned(parent.id(), change);
  for (const Child& child : children) {
    state.RecordOwner(child->id(), change);
    change.Put(PartitionRecordKey(child->id()), EncodePartitionRecord(*child->record()));
    change.Put(TrimKey(child->id()), "");
  }
  return state.system.Commit(std::move(change));
}

}  // namespace

Result<SplitResult> SplitPartition(NodeState& state, PartitionId id, const SplitRequest& request) {
  const bool asked_for = request.reason == partition::SplitReason::kCommand;
  ORRERY_ASSIGN(const PartitionClaim claim,
                PartitionClaim::Take(
                    state, {id}, asked_for ? PartitionClaim::kPatience : std::chrono::seconds()));
  const std::shared_ptr<HostedPartition> parent = state.topology.Load()->Find(id);
  if (parent == nullptr)
    return Fail(Code::kNotFound, fmt::format("there is no partition {}", id.value()));
  // The pause is a few small synced writes; they must not queue behind a compaction of files that
  // are about to be shared anyway.
  const auto hold = parent->engine().HoldCompactions(kCompactionPatience);
  // After a flush sizes can be read off the table files, and little is left to flush in the pause.
  ORRERY_TRY(parent->engine().Flush());
  ORRERY_ASSIGN(const Dealt dealt, Deal(state, *parent, request));
  // Once more, for what was written while sizes were sampled.
  ORRERY_TRY(parent->engine().Flush());

  SystemStore::Change change;
  ORRERY_ASSIGN(const NodeState::Fresh left_fresh, state.NextPartition(change));
  ORRERY_ASSIGN(const NodeState::Fresh right_fresh, state.NextPartition(change));
  const auto record = parent->record();
  const PartitionRecord left = ChildRecord(*record, left_fresh.id, dealt.first);
  const PartitionRecord right = ChildRecord(*record, right_fresh.id, dealt.second);

  MutexLock lock(state.change_mutex);
  const Micros paused_at = state.parts.clock.Monotonic();
  parent->sequencer().Pause();
  auto other = std::async(std::launch::async, [&] { return MakeChild(state, *parent, right); });
  Result<Child> left_child = MakeChild(state, *parent, left);
  Result<Child> right_child = other.get();
  if (!left_child.has_value() || !right_child.has_value()) {
    for (Result<Child>* child : {&left_child, &right_child}) {
      if (child->has_value()) (**child)->RemoveFilesOnClose();
    }
    parent->sequencer().Resume();
    return Fail((left_child.has_value() ? right_child : left_child).error());
  }
  const std::vector<Child> children{*left_child, *right_child};
  EstimateTotals(*children[0], dealt, /*first=*/true);
  EstimateTotals(*children[1], dealt, /*first=*/false);

  if (Status committed = CommitSplit(state, *parent, children, std::move(change));
      !committed.has_value()) {
    if (committed.error().code() == Code::kMoved) {
      for (const Child& child : children) child->RemoveFilesOnClose();
      parent->sequencer().Resume();
      return Fail(Code::kPreconditionFailed,
                  "the partition was changed while it was being split; try again");
    }
    // It is not known whether the commit reached the disk; writes accepted now could be lost at the
    // next start. So this partition accepts none until the system store is certain again.
    parent->Abandon(Error(Code::kUnavailable,
                          "a split could not be recorded: writes are refused "
                          "until the partition was reopened; retry"));
    for (const Child& child : children) state.uses.Keep(child->id());
    parent->sequencer().Resume();
    return Fail(std::move(committed).error());
  }
  state.PublishLocked({.add = children, .remove = {id}});
  parent->RemoveFilesOnClose();
  parent->sequencer().Retire(Error(Code::kMoved, "the partition was split"));
  parent->sequencer().Resume();
  const Micros pause = state.parts.clock.Monotonic() - paused_at;
  if (state.options.observer != nullptr) {
    state.options.observer->OnChange({.kind = PartitionChange::Kind::kSplit,
                                      .before = {id},
                                      .after = {left.id, right.id},
                                      .reason = request.reason,
                                      .pause = pause,
                                      .slices = record->slices});
  }
  LogInfo("partition {} was split into {} and {} (by {}); writers waited {:.1f} ms", id.value(),
          left.id.value(), right.id.value(), partition::SplitReasonName(request.reason),
          static_cast<double>(pause.count()) / 1000);
  return SplitResult{{left.id, right.id}, pause};
}

}  // namespace orrery::cluster
