#include <fmt/core.h>

#include <algorithm>
#include <future>
#include <map>

#include "cluster/maintenance/feed_maintenance.h"
#include "cluster/node_state.h"
#include "item/layout/key_layout.h"
#include "item/maintenance/recount.h"

namespace orrery::cluster {
namespace {

// Spaces in another order: only compaction can pick out what lies outside.
constexpr item::Space kMixedSpaces[] = {item::Space::kIndex, item::Space::kFeed,
                                        item::Space::kExpiry, item::Space::kRowFeed};

Status DropOutside(storage::Engine& engine, const Slice& slice) {
  // In ring order what lies outside the slice is two runs of keys.
  for (const item::Space space : item::kRingSpaces) {
    const std::string begin = item::SpacePrefix(space, slice.container);
    const std::string first_kept = item::RingPrefix(space, slice.container, slice.range.begin());
    if (slice.range.begin() != Hash128::Min()) ORRERY_TRY(engine.DropRange(begin, first_kept));
    if (const auto end = slice.range.end(); end.has_value()) {
      ORRERY_TRY(
          engine.DropRange(item::RingPrefix(space, slice.container, *end), item::PrefixEnd(begin)));
    }
  }
  for (const item::Space space : kMixedSpaces) {
    const std::string begin = item::SpacePrefix(space, slice.container);
    ORRERY_TRY(engine.Compact(begin, item::PrefixEnd(begin)));
  }
  return {};
}

// Containers whose slices went to the sibling, or were dropped.
Status DropStrangers(HostedPartition& partition, const PartitionRecord& record) {
  for (const auto& [container, totals] : partition.ledger().ByContainer()) {
    const bool ours = std::ranges::any_of(record.slices,
                                          [&](const Slice& s) { return s.container == container; });
    if (ours) continue;
    for (const item::Space space : item::kSpaces) {
      const std::string begin = item::SpacePrefix(space, container);
      ORRERY_TRY(partition.engine().DropRange(begin, item::PrefixEnd(begin)));
    }
  }
  return {};
}

Status Correct(HostedPartition& partition, std::map<ContainerId, item::Totals> by) {
  std::promise<Status> done;
  partition.sequencer().Submit(
      item::Ledger::Correction(partition.ledger(), std::move(by),
                               [&done](Status status) { done.set_value(std::move(status)); }));
  return done.get_future().get();
}

Status CorrectTotals(HostedPartition& partition, const PartitionRecord& record) {
  item::SliceRanges ranges;
  for (const Slice& slice : record.slices) ranges[slice.container].push_back(slice.range);
  // The estimate that a split or merge submitted may still be queued; counted without it, the
  // totals would be corrected twice. What was submitted before an empty correction is written when
  // it is.
  ORRERY_TRY(Correct(partition, {}));
  ORRERY_ASSIGN(auto corrections, item::Recount(partition.engine(), ranges));
  return Correct(partition, std::move(corrections));
}

Result<std::shared_ptr<HostedPartition>> Find(const NodeState& state, PartitionId id) {
  std::shared_ptr<HostedPartition> partition = state.topology.Load()->Find(id);
  if (partition == nullptr)
    return Fail(Code::kNotFound, fmt::format("there is no partition {}", id.value()));
  return partition;
}

Status Settle(HostedPartition& partition, const PartitionRecord& record) {
  ORRERY_TRY(DropStrangers(partition, record));
  // Before what takes long: only what the slices own is counted. After the strangers: they are
  // known by their totals, which go now.
  return CorrectTotals(partition, record);
}

}  // namespace

Result<std::shared_ptr<const PartitionRecord>> SettlePartition(NodeState& state, PartitionId id) {
  ORRERY_ASSIGN(const PartitionClaim claim, PartitionClaim::Take(state, {id}));
  ORRERY_ASSIGN(const std::shared_ptr<HostedPartition> partition, Find(state, id));
  auto record = partition->record();
  ORRERY_TRY(Settle(*partition, *record));
  return record;
}

Status TrimPartition(NodeState& state, PartitionId id,
                     const std::shared_ptr<const PartitionRecord>& settled) {
  ORRERY_ASSIGN(const PartitionClaim claim, PartitionClaim::Take(state, {id}));
  ORRERY_ASSIGN(const std::shared_ptr<HostedPartition> partition, Find(state, id));
  const auto record = partition->record();
  // It may have lost slices since.
  if (settled == nullptr || *settled != *record) ORRERY_TRY(Settle(*partition, *record));
  ORRERY_TRY(TrimRowFeeds(state, *partition));
  for (const Slice& slice : record->slices) ORRERY_TRY(DropOutside(partition->engine(), slice));
  // That it is done is recorded durably: so must be the corrections.
  ORRERY_TRY(partition->engine().SyncWrites());
  SystemStore::Change change;
  change.Delete(TrimKey(id));
  return state.system.Commit(std::move(change));
}

}  // namespace orrery::cluster
