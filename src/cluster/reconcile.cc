// Reconciles a node of a cluster with the system store: which partitions there are, what they hold,
// and who owns them.
//
// Partitions that this node is splitting, merging, trimming or reopening are left alone, and so is
// what comes of that: whoever does it publishes the outcome, and the next round sees the rest.
// Opening and closing engines takes a while, so they are not part of the step that makes requests
// go the right way.
#include <fmt/core.h>

#include <algorithm>
#include <future>
#include <map>
#include <set>

#include "base/log.h"
#include "cluster/node_state.h"
#include "partition/map/partition_map_builder.h"

namespace orrery::cluster {
namespace {

constexpr std::chrono::milliseconds kClosePatience{150};

// By then the node that asked for a release has recorded the next owner, or is gone.
constexpr Micros kReleaseLasts{std::chrono::seconds(5)};

using Recorded = std::map<PartitionId, RecordedPartition>;

Result<std::shared_ptr<const partition::PartitionMap>> MapOf(
    const std::shared_ptr<const partition::PartitionMap>& base, const Recorded& recorded,
    const std::set<ContainerId>& withheld) {
  partition::PartitionMapBuilder builder(base);
  std::map<ContainerId, partition::RangeTable> tables;
  for (const auto& [id, each] : recorded) {
    if (base->Find(id) == nullptr) ORRERY_TRY(builder.AddPartition(id, each.record.parents));
    for (const Slice& slice : each.record.slices)
      if (!withheld.contains(slice.container))
        tables[slice.container].push_back({slice.range, id, slice.begin_epk});
  }
  std::vector<PartitionId> gone;
  std::set<ContainerId> dropped;
  base->ForEachPartition([&](const partition::PartitionInfo& info) {
    if (!recorded.contains(info.id)) gone.push_back(info.id);
    for (const Slice& slice : info.ListSlices())
      if (!tables.contains(slice.container) && !withheld.contains(slice.container))
        dropped.insert(slice.container);
  });
  for (const ContainerId container : dropped) ORRERY_TRY(builder.RemoveContainer(container));
  for (auto& [container, table] : tables) {
    std::ranges::sort(table, {}, &partition::RangeEntry::range);
    if (!std::ranges::equal(table, base->Ranges(container)))
      ORRERY_TRY(builder.SetContainer(container, std::move(table)));
  }
  for (const PartitionId id : gone) ORRERY_TRY(builder.RemovePartition(id));
  return std::move(builder).Build();
}

// The records of partitions that are being changed here, which are not adopted yet.
struct Withheld {
  std::set<PartitionId> partitions;  // stay as they are here
  std::set<ContainerId> containers;  // stay where they are
};

bool DescendsFrom(const PartitionRecord& record, PartitionId ancestor) {
  return std::ranges::find(record.parents, ancestor) != record.parents.end();
}

void AddDifference(const PartitionRecord& here, const PartitionRecord& there,
                   std::set<ContainerId>& containers) {
  const auto add_missing = [&](const PartitionRecord& in, const PartitionRecord& from) {
    for (const Slice& slice : in.slices)
      if (std::ranges::find(from.slices, slice) == from.slices.end())
        containers.insert(slice.container);
  };
  add_missing(here, there);
  add_missing(there, here);
}

// Puts back into `recorded` what a change under way here has replaced already.
Withheld WithholdClaimedLocked(const NodeState& state, const Topology& picture, Recorded& recorded)
    REQUIRES(state.change_mutex) {
  Withheld withheld;
  for (const PartitionId id : state.claimed) {
    const auto partition = picture.Find(id);
    if (partition == nullptr) continue;
    const auto record = partition->record();
    if (const auto known = recorded.find(id); known != recorded.end()) {
      withheld.partitions.insert(id);
      AddDifference(*record, known->second.record, withheld.containers);
      continue;
    }
    const auto descends = [&](const auto& each) { return DescendsFrom(each.second.record, id); };
    if (std::ranges::none_of(recorded, descends)) continue;  // dropped, not replaced
    std::erase_if(recorded, descends);
    recorded.emplace(id, RecordedPartition{*record, state.options.self});
    withheld.partitions.insert(id);
  }
  return withheld;
}

// Ends a partition that is not this node's any more, where that may wait for its last write.
void LetGo(NodeState& state, std::shared_ptr<HostedPartition> partition, Error why) {
  static_cast<void>(
      state.background->Submit([partition = std::move(partition), why = std::move(why)] {
        partition->sequencer().Retire(why);
      }));
}

}  // namespace

RemotePartition RemotePartitionOf(const NodeState& state, NodeId owner,
                                  std::shared_ptr<const PartitionRecord> record) {
  const bool own = owner == state.options.self;
  return {own ? NodeId() : owner, std::move(record), /*awaited=*/own};
}

Status ReconcileTopology(NodeState& state) {
  MutexLock lock(state.change_mutex);
  if (state.stopping) return Fail(Code::kCancelled, "the server is stopping");
  ORRERY_ASSIGN(std::vector<RecordedPartition> found, LoadRecordedPartitions(state.system));
  const auto picture = state.topology.Load();
  Recorded recorded;
  for (RecordedPartition& each : found) recorded.emplace(each.record.id, std::move(each));
  const Withheld withheld = WithholdClaimedLocked(state, *picture, recorded);
  Topology next;
  std::vector<std::shared_ptr<HostedPartition>> lost;
  std::vector<std::shared_ptr<HostedPartition>> dropped;
  for (const auto& [id, partition] : picture->hosted) {
    const auto known = recorded.find(id);
    if (known == recorded.end()) {
      dropped.push_back(partition);
    } else if (withheld.partitions.contains(id)) {
      next.hosted.emplace(id, partition);
    } else if (known->second.owner != state.options.self) {
      lost.push_back(partition);
    } else {
      if (*partition->record() != known->second.record) {
        partition->SetRecord(known->second.record);
        partition->SetRetention(state.RetainedBy(known->second.record));
      }
      next.hosted.emplace(id, partition);
    }
  }
  std::erase_if(state.released, [&](const auto& each) {
    const auto known = recorded.find(each.first);
    return known == recorded.end() || known->second.owner != state.options.self;
  });
  for (const auto& [id, each] : recorded) {
    if (next.hosted.contains(id)) continue;
    const auto before = picture->remote.find(id);
    const bool same = before != picture->remote.end() && *before->second.record == each.record;
    next.remote.emplace(
        id, RemotePartitionOf(state, each.owner,
                              same ? before->second.record
                                   : std::make_shared<const PartitionRecord>(each.record)));
    if (RemotePartition& placed = next.remote.at(id);
        placed.awaited && before != picture->remote.end()) {
      placed.damage = before->second.damage;
    }
  }
  ORRERY_ASSIGN(next.map, MapOf(picture->map, recorded, withheld.containers));
  state.SpreadRatesLocked(next);
  state.topology.Store(std::make_shared<const Topology>(std::move(next)));

  for (auto& partition : dropped) {
    partition->RemoveFilesOnClose();
    LetGo(state, std::move(partition), Error(Code::kNotFound, "the container was deleted"));
  }
  for (auto& partition : lost) {
    LogInfo("partition {} is another node's now", partition->id().value());
    state.closing.insert_or_assign(partition->id(), partition->WhenClosed().share());
    LetGo(state, std::move(partition), Error(Code::kMoved, "the partition has another owner"));
  }
  return {};
}

void NoteDamage(NodeState& state, PartitionId id, const Error& why) {
  MutexLock lock(state.change_mutex);
  Topology next = *state.topology.Load();
  const auto found = next.remote.find(id);
  if (found == next.remote.end() || !found->second.awaited) return;
  found->second.damage = std::make_shared<const Error>(
      Code::kCorruption, fmt::format("partition {} cannot be opened until what is damaged or "
                                     "missing is restored from a backup; nothing was changed: {}",
                                     id.value(), why.message()));
  state.topology.Store(std::make_shared<const Topology>(std::move(next)));
}

Status OpenOwned(NodeState& state, PartitionId id) {
  ORRERY_ASSIGN(const PartitionClaim claim, PartitionClaim::Take(state, {id}));
  const auto wanted = [&]() -> std::shared_ptr<const PartitionRecord> {
    const auto picture = state.topology.Load();
    const auto found = picture->remote.find(id);
    if (found == picture->remote.end() || !found->second.awaited) return nullptr;
    return found->second.record;
  };
  const auto record = wanted();
  if (record == nullptr) return {};
  std::shared_future<void> closed;
  {
    MutexLock lock(state.change_mutex);
    if (const auto known = state.closing.extract(id)) closed = known.mapped();
    if (const auto known = state.released.find(id); known != state.released.end()) {
      if (state.parts.clock.Monotonic() < known->second + kReleaseLasts) return {};
      state.released.erase(known);
    }
  }
  if (closed.valid()) closed.wait();
  ORRERY_ASSIGN(const auto opened, state.Open(*record, /*must_exist=*/true));
  MutexLock lock(state.change_mutex);
  if (state.stopping) return Fail(Code::kCancelled, "the server is stopping");
  // A new owner or other slices may have been recorded meanwhile.
  const auto newest = wanted();
  if (newest == nullptr) return {};
  if (newest != record) {
    opened->SetRecord(*newest);
    opened->SetRetention(state.RetainedBy(*newest));
  }
  Topology next = *state.topology.Load();
  next.remote.erase(id);
  next.hosted.emplace(id, opened);
  state.SpreadRatesLocked(next);
  state.topology.Store(std::make_shared<const Topology>(std::move(next)));
  LogInfo("partition {} is open here", id.value());
  return {};
}

Status ReleasePartition(NodeState& state, PartitionId id) {
  ORRERY_ASSIGN(const PartitionClaim claim,
                PartitionClaim::Take(state, {id}, PartitionClaim::kPatience));
  std::shared_ptr<HostedPartition> partition = state.topology.Load()->Find(id);
  if (partition == nullptr)
    return Fail(Code::kNotFound, fmt::format("partition {} is not open here", id.value()));
  // Most of what is in memory goes to tables while writes go on, so that the next owner has little
  // to replay.
  ORRERY_TRY(partition->engine().Flush());
  {
    MutexLock lock(state.change_mutex);
    Topology next = *state.topology.Load();
    next.hosted.erase(id);
    next.remote.emplace(id, RemotePartition{NodeId(), partition->record()});
    state.released.insert_or_assign(id, state.parts.clock.Monotonic());
    state.topology.Store(std::make_shared<const Topology>(std::move(next)));
  }
  partition->sequencer().Retire(Error(Code::kMoved, "the partition is being handed over"));
  std::shared_future<void> closed = partition->WhenClosed().share();
  partition.reset();
  // For requests that began before, and for the engine. Who takes longer reads what was there; it
  // cannot write, and the next owner need not wait for it.
  if (closed.wait_for(kClosePatience) != std::future_status::ready) {
    MutexLock lock(state.change_mutex);
    state.closing.insert_or_assign(id, std::move(closed));
  }
  return {};
}

}  // namespace orrery::cluster
