#include "cluster/node.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/log.h"
#include "cluster/hosted_partition.h"
#include "cluster/maintenance/maintenance.h"
#include "cluster/maintenance/quiet_writes.h"
#include "cluster/maintenance/recovery.h"
#include "cluster/node_state.h"
#include "partition/map/partition_map.h"

namespace orrery::cluster {
namespace {

// A shared pool partition takes this many containers before another one is made.
constexpr size_t kSharedPoolSlicesMax = 1'000;

// Flushes what is only in memory, so that the next start need not replay it from the log. A failure
// loses nothing.
void FlushToStartFaster(HostedPartition& partition) {
  if (partition.NeedsReopening() || !QuietWrites::IsWorthAFlush(partition)) return;
  if (const Status flushed = partition.engine().Flush(); !flushed.has_value())
    LogInfo("partition {}: not flushed at the end: {}", partition.id().value(),
            flushed.error().ToString());
}

}  // namespace

struct Node::Rep {
  Rep(NodeOptions options, HostParts parts, SystemStore& system, SchemaSource schemas,
      std::map<ThroughputOwner, partition::ThroughputSettings> throughput)
      : state(std::move(options), parts, system, std::move(schemas), std::move(throughput)),
        maintenance(state) {}
  NodeState state;
  cluster::Maintenance maintenance;
};

Node::Node(std::unique_ptr<Rep> rep) : rep_(std::move(rep)) {}
Node::~Node() { Stop(); }

Result<std::unique_ptr<Node>> Node::Open(
    NodeOptions options, HostParts parts, SystemStore& system, SchemaSource schemas,
    std::map<ThroughputOwner, partition::ThroughputSettings> throughput) {
  auto rep = std::make_unique<Rep>(std::move(options), parts, system, std::move(schemas),
                                   std::move(throughput));
  rep->maintenance.WatchSpace();
  ORRERY_ASSIGN(const TopologyEdit found, RecoverPartitions(rep->state));
  {
    MutexLock lock(rep->state.change_mutex);
    rep->state.PublishLocked(found);
  }
  rep->maintenance.ScheduleOpenings();
  return std::unique_ptr<Node>(new Node(std::move(rep)));
}

std::shared_ptr<const Topology> Node::topology() const { return rep_->state.topology.Load(); }

Status Node::Apply(const TopologyChange& wanted, SystemStore::Change change) {
  NodeState& state = rep_->state;
  MutexLock lock(state.change_mutex);
  const auto dropped = [&](const Slice& slice) {
    return std::ranges::find(wanted.drop_containers, slice.container) !=
           wanted.drop_containers.end();
  };
  // A partition that is being split or merged keeps its slices until that is done.
  const auto touches_claimed = [&]() REQUIRES(state.change_mutex) {
    const auto picture = state.topology.Load();
    return std::ranges::any_of(state.claimed, [&](PartitionId id) {
      const auto record = picture->RecordOf(id);
      if (record == nullptr) return false;
      return std::ranges::any_of(record->slices, dropped) ||
             std::ranges::any_of(wanted.add_slices,
                                 [&](const auto& add) { return add.first == id; }) ||
             std::ranges::find(wanted.drop_throughput_owners, record->throughput_owner) !=
                 wanted.drop_throughput_owners.end();
    });
  };
  while (touches_claimed()) state.unclaimed.Wait(state.change_mutex);

  const auto picture = state.topology.Load();
  std::map<PartitionId, PartitionRecord> changed;
  std::vector<std::shared_ptr<const PartitionRecord>> removed;
  for (const auto& record : picture->Records()) {
    if (std::ranges::find(wanted.drop_throughput_owners, record->throughput_owner) !=
        wanted.drop_throughput_owners.end()) {
      removed.push_back(record);
      change.Expect(PartitionRecordKey(record->id), EncodePartitionRecord(*record));
      change.Delete(PartitionRecordKey(record->id));
      change.Delete(TrimKey(record->id));
      state.ForgetOwner(record->id, change);
    } else if (std::ranges::any_of(record->slices, dropped)) {
      PartitionRecord next = *record;
      std::erase_if(next.slices, dropped);
      changed.emplace(record->id, std::move(next));
      change.Put(TrimKey(record->id), "");
    }
  }
  for (const auto& [id, slice] : wanted.add_slices) {
    const auto record = picture->RecordOf(id);
    if (record == nullptr) {
      return Fail(Code::kMoved,
                  fmt::format("partition {} is gone; look up the partitions again", id.value()));
    }
    changed.try_emplace(id, *record).first->second.slices.push_back(slice);
  }
  const size_t left = picture->Records().size() - removed.size();
  if (!wanted.create.empty()) ORRERY_TRY(state.CheckRoom(left, wanted.create.size(), 0));
  std::vector<std::shared_ptr<HostedPartition>> created;
  const auto discard = [&] {
    for (const auto& partition : created) partition->RemoveFilesOnClose();
  };
  for (const TopologyChange::NewPartition& wish : wanted.create) {
    auto fresh = state.NextPartition(change);
    auto opened = fresh.has_value() ? state.Open({.id = fresh->id,
                                                  .epoch = Epoch(1),
                                                  .throughput_owner = wish.throughput_owner,
                                                  .slices = wish.slices,
                                                  .parents = {}},
                                                 /*must_exist=*/false)
                                    : Result<std::shared_ptr<HostedPartition>>(Fail(fresh.error()));
    if (!opened.has_value()) {
      discard();
      return Fail(std::move(opened).error());
    }
    created.push_back(*std::move(opened));
    change.Put(PartitionRecordKey(created.back()->id()),
               EncodePartitionRecord(*created.back()->record()));
    state.RecordOwner(created.back()->id(), change);
  }
  for (const auto& [id, record] : changed) {
    change.Expect(PartitionRecordKey(id), EncodePartitionRecord(*picture->RecordOf(id)));
    change.Put(PartitionRecordKey(id), EncodePartitionRecord(record));
  }

  if (Status committed = state.system.Commit(std::move(change)); !committed.has_value()) {
    // Else the files stay: if the commit did reach the disk, they are partitions at the next start.
    if (committed.error().code() == Code::kMoved) {
      discard();
    } else {
      for (const auto& partition : created) state.uses.Keep(partition->id());
    }
    return committed;
  }
  TopologyEdit edit{.add = created,
                    .remove = {},
                    .add_slices = wanted.add_slices,
                    .drop_containers = wanted.drop_containers};
  for (auto& [id, record] : changed) {
    const auto partition = picture->Find(id);
    if (partition == nullptr) {
      edit.remote_records.push_back(std::make_shared<const PartitionRecord>(std::move(record)));
      continue;
    }
    partition->SetRecord(std::move(record));
    partition->SetRetention(state.RetainedBy(*partition->record()));
  }
  for (const auto& record : removed) {
    edit.remove.push_back(record->id);
    for (const Slice& slice : record->slices) {
      if (!dropped(slice) &&
          std::ranges::find(edit.drop_containers, slice.container) == edit.drop_containers.end()) {
        edit.drop_containers.push_back(slice.container);
      }
    }
  }
  state.PublishLocked(edit);
  for (const auto& record : removed) {
    const auto partition = picture->Find(record->id);
    if (partition == nullptr) continue;
    partition->RemoveFilesOnClose();
    partition->sequencer().Retire(Error(Code::kNotFound, "the container was deleted"));
  }
  return {};
}

Result<PartitionId> Node::SharedPoolPartition() {
  NodeState& state = rep_->state;
  const auto fewest = [&]() REQUIRES(state.change_mutex) -> std::shared_ptr<const PartitionRecord> {
    std::shared_ptr<const PartitionRecord> best;
    for (const auto& record : state.topology.Load()->Records()) {
      const size_t slices = record->slices.size();
      if (record->throughput_owner != ThroughputOwner::SharedPool() ||
          slices >= kSharedPoolSlicesMax || state.claimed.contains(record->id)) {
        continue;
      }
      if (best == nullptr ||
          std::pair(slices, record->id) < std::pair(best->slices.size(), best->id))
        best = record;
    }
    return best;
  };
  {
    MutexLock lock(state.change_mutex);
    if (const auto found = fewest(); found != nullptr) return found->id;
  }
  ORRERY_TRY(Apply({.create = {{ThroughputOwner::SharedPool(), {}}},
                    .add_slices = {},
                    .drop_containers = {},
                    .drop_throughput_owners = {}},
                   {}));
  MutexLock lock(state.change_mutex);
  const auto made = fewest();
  if (made == nullptr)
    return Fail(Code::kUnavailable, "no partition is free to take another container; retry");
  return made->id;
}

void Node::SetThroughput(ThroughputOwner throughput_owner,
                         std::optional<partition::ThroughputSettings> settings) {
  NodeState& state = rep_->state;
  MutexLock lock(state.change_mutex);
  if (settings.has_value()) {
    state.throughput.insert_or_assign(throughput_owner, *settings);
  } else {
    state.throughput.erase(throughput_owner);
  }
  state.SpreadRatesLocked(*state.topology.Load());
}

Result<SplitResult> Node::Split(PartitionId id, std::optional<Hash128> cut) {
  ORRERY_ASSIGN(SplitResult result, SplitPartition(rep_->state, id, {.cut = cut}));
  rep_->maintenance.ScheduleTrims();
  return result;
}

Result<PartitionId> Node::Merge(PartitionId left, PartitionId right) {
  return MergePartitions(rep_->state, left, right);
}

void Node::Reconcile(std::optional<Throughputs> throughputs) {
  rep_->maintenance.ScheduleReconciling(std::move(throughputs));
}

Status Node::Release(PartitionId id) { return ReleasePartition(rep_->state, id); }

std::vector<PartitionId> Node::InUse(const std::vector<PartitionId>& ids) const {
  return rep_->state.uses.Of(ids);
}

void Node::Maintain() { rep_->maintenance.Round(); }

void Node::WaitForBackground() { rep_->maintenance.WaitUntilIdle(); }

void Node::Stop() {
  NodeState& state = rep_->state;
  {
    MutexLock lock(state.change_mutex);
    if (state.stopping) return;
    state.stopping = true;
    state.unclaimed.NotifyAll();
  }
  rep_->maintenance.WaitUntilIdle();
  for (const auto& [id, partition] : state.topology.Load()->hosted) {
    partition->sequencer().Retire(Error(Code::kCancelled, "the server is stopping"));
  }
  for (const auto& [id, partition] : state.topology.Load()->hosted) FlushToStartFaster(*partition);
  {
    MutexLock lock(state.change_mutex);
    state.topology.Store(std::make_shared<const Topology>(
        Topology{std::make_shared<const partition::PartitionMap>(), {}, {}}));
  }
  state.background->Stop();
}

}  // namespace orrery::cluster
