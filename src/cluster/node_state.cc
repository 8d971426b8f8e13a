#include "cluster/node_state.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/bytes.h"
#include "base/check.h"
#include "cluster/record/ownership_record.h"
#include "cluster/topology_observer.h"
#include "item/maintenance/recount.h"
#include "item/row_feed/row_feed.h"
#include "partition/key/partition_key.h"
#include "partition/map/partition_map_builder.h"
#include "storage/directory.h"

namespace orrery::cluster {
namespace {

// Tasks that wait: closings, trims and splits of every partition fit.
constexpr size_t kBackgroundQueueMax = 1 << 20;

// Directories of partitions that were never recorded, one after the other.
constexpr size_t kLeftoversMax = 256;

Result<std::shared_ptr<const partition::PartitionMap>> EditMap(
    const std::shared_ptr<const partition::PartitionMap>& base, const TopologyEdit& edit) {
  partition::PartitionMapBuilder builder(base);
  for (const ContainerId container : edit.drop_containers)
    ORRERY_TRY(builder.RemoveContainer(container));
  std::vector<std::pair<PartitionId, Slice>> placed = edit.add_slices;
  const auto add = [&](const PartitionRecord& record) -> Status {
    ORRERY_TRY(builder.AddPartition(record.id, record.parents));
    for (const Slice& slice : record.slices) placed.emplace_back(record.id, slice);
    return {};
  };
  for (const auto& partition : edit.add) ORRERY_TRY(add(*partition->record()));
  for (const RemotePartition& partition : edit.add_remote) ORRERY_TRY(add(*partition.record));
  std::map<ContainerId, partition::RangeTable> fresh;
  for (const auto& [id, slice] : placed) {
    if (base->Ranges(slice.container).empty()) {
      fresh[slice.container].push_back({slice.range, id, slice.begin_epk});
    } else {
      ORRERY_TRY(builder.Assign(slice, id));
    }
  }
  for (auto& [container, table] : fresh) {
    std::ranges::sort(table, {}, &partition::RangeEntry::range);
    ORRERY_TRY(builder.SetContainer(container, std::move(table)));
  }
  for (const PartitionId id : edit.remove) ORRERY_TRY(builder.RemovePartition(id));
  return std::move(builder).Build();
}

}  // namespace

Status NodeState::CheckRoom(size_t count, size_t more, size_t beyond) const {
  const size_t max = options.partitions_max;
  if (max == 0 || count + more <= max + beyond) return {};
  return Fail(
      Code::kResourceExhausted,
      fmt::format("there are {} partitions, and the limit of open files allows {}; raise the "
                  "limit (ulimit -n, LimitNOFILE) and start again, or delete containers",
                  count, max));
}

NodeState::NodeState(NodeOptions node_options, HostParts host_parts, SystemStore& system_store,
                     SchemaSource schema_source,
                     std::map<ThroughputOwner, partition::ThroughputSettings> rates)
    : options(std::move(node_options)),
      parts(host_parts),
      system(system_store),
      schemas(std::move(schema_source)),
      background(std::make_shared<ThreadPool>("background", options.background_threads,
                                              kBackgroundQueueMax)),
      topology(std::make_shared<const Topology>(
          Topology{std::make_shared<const partition::PartitionMap>(), {}, {}})),
      throughput(std::move(rates)) {}

std::string NodeState::PathOf(PartitionId id) const {
  return fmt::format("{}/{}", PartitionsDirectory(), id.value());
}

Result<std::shared_ptr<HostedPartition>> NodeState::Open(PartitionRecord record, bool must_exist) {
  const std::string path = PathOf(record.id);
  auto use = std::make_shared<PartitionUses::Use>(uses, record.id);
  ORRERY_ASSIGN(std::unique_ptr<HostedPartition> opened,
                HostedPartition::Open(parts, std::move(record), path, must_exist));
  opened->SetRetention(RetainedBy(*opened->record()));
  opened->ledger().RefuseGrowth(disk_low.load());
  if (options.observer != nullptr) ORRERY_TRY(options.observer->OnOpen(*opened));
  // The last reference may be dropped by an event loop; closing an engine belongs on a thread that
  // may block. A pool that has stopped refuses the task, which closes the partition right here.
  return std::shared_ptr<HostedPartition>(
      opened.release(), [pool = background, use = std::move(use)](HostedPartition* last) {
        static_cast<void>(pool->Submit([use, owned = std::unique_ptr<HostedPartition>(last)] {}));
      });
}

void NodeState::PublishLocked(const TopologyEdit& edit) {
  Topology next = *topology.Load();
  for (const PartitionId id : edit.remove) {
    next.hosted.erase(id);
    next.remote.erase(id);
  }
  for (const auto& partition : edit.add) next.hosted.emplace(partition->id(), partition);
  for (const RemotePartition& partition : edit.add_remote)
    next.remote.emplace(partition.record->id, partition);
  for (const auto& record : edit.remote_records)
    if (const auto known = next.remote.find(record->id); known != next.remote.end())
      known->second.record = record;
  auto map = EditMap(next.map, edit);
  ORRERY_CHECK(map.has_value());
  next.map = *std::move(map);
  SpreadRatesLocked(next);
  topology.Store(std::make_shared<const Topology>(std::move(next)));
}

void NodeState::SpreadRatesLocked(const Topology& picture) {
  std::map<ThroughputOwner, uint32_t> counts;
  for (const auto& record : picture.Records()) ++counts[record->throughput_owner];
  const auto most = std::min(RequestUnits::Whole(options.limits.physical_partition_rate_max),
                             partition::Governor::kRateMax);
  for (const auto& [id, partition] : picture.hosted) {
    const ThroughputOwner throughput_owner = partition->record()->throughput_owner;
    const auto settings = throughput.find(throughput_owner);
    if (settings == throughput.end() || settings->second.kind == partition::ThroughputKind::kNone)
      continue;
    // Until splits have made enough of them, each carries no more than one partition can.
    partition->governor().SetRate(
        std::min(partition::RatePerPartition(settings->second, counts[throughput_owner]), most));
  }
}

std::shared_ptr<const item::RetainedSlices> NodeState::RetainedBy(
    const PartitionRecord& record) const {
  auto retained = std::make_shared<item::RetainedSlices>();
  for (const Slice& slice : record.slices) {
    item::RetainedSlice& kept = (*retained)[slice.container];
    kept.ranges.push_back(slice.range);
    const auto schema = schemas(slice.container);
    if (schema == nullptr) continue;
    kept.feed_retention = schema->feed_retention;
    if (schema->rows.has_value()) {
      kept.deletion_grace = std::chrono::seconds(schema->rows->gc_grace_s);
      kept.clustered = !schema->rows->clustering.empty();
      kept.feed_retention = item::FeedKeepsDeletionsFor(*schema);
    }
  }
  return retained;
}

void NodeState::RecordOwner(PartitionId id, SystemStore::Change& change) const {
  if (options.self != NodeId()) change.Put(OwnershipKey(id), EncodeOwner(options.self));
}

void NodeState::ForgetOwner(PartitionId id, SystemStore::Change& change) const {
  if (options.self != NodeId()) change.Delete(OwnershipKey(id));
}

void NodeState::ReplaceOwned(PartitionId id, SystemStore::Change& change) const {
  if (options.self != NodeId()) change.Expect(OwnershipKey(id), EncodeOwner(options.self));
  ForgetOwner(id, change);
}

Result<NodeState::Fresh> NodeState::NextPartition(SystemStore::Change& change) {
  // The ids of what a crash has left half made may be given again. It is removed later, by others
  // (manager/sweeper.h).
  for (size_t i = 0; i < kLeftoversMax; ++i) {
    PartitionUses::Reservation reservation(uses);
    ORRERY_ASSIGN(const uint64_t number, system.NextId("partition", change));
    Fresh fresh{PartitionId(number), reservation.Took(PartitionId(number))};
    const std::string path = PathOf(fresh.id);
    ORRERY_ASSIGN(const bool there, storage::Exists(parts.resources, path));
    ORRERY_ASSIGN(const bool begun, storage::Exists(parts.resources, path + ".tmp"));
    if (!there && !begun) return fresh;
  }
  return Fail(Code::kUnavailable, "too much that crashes have left is to be removed first; retry");
}

partition::HashRange NodeState::UsedSpanOf(ContainerId container) const {
  const auto schema = schemas(container);
  return schema == nullptr ? partition::HashRange() : partition::UsedSpan(schema->hashing);
}

partition::PartitionFacts NodeState::FactsOfRemote(const PartitionRecord& record) const {
  partition::PartitionFacts facts{
      .id = record.id,
      .owner = OwnerIdOf(record.throughput_owner),
      .cut_every_slice = record.throughput_owner.kind == ThroughputOwner::Kind::kDatabase};
  for (const Slice& slice : record.slices) {
    const auto schema = schemas(slice.container);
    facts.slices.push_back({.slice = slice,
                            .used = UsedSpanOf(slice.container),
                            .bytes = 0,
                            .fixed = schema != nullptr && schema->fixed});
  }
  return facts;
}

Result<partition::PartitionFacts> NodeState::FactsOf(const HostedPartition& partition,
                                                     bool look_for_sole_keys) const {
  const std::map<ContainerId, item::Totals> totals = partition.ledger().ByContainer();
  partition::PartitionFacts facts = FactsOfRemote(*partition.record());
  for (partition::SliceFacts& each : facts.slices) {
    const Slice& slice = each.slice;
    if (const auto known = totals.find(slice.container); known != totals.end())
      each.bytes = static_cast<uint64_t>(std::max<int64_t>(0, known->second.bytes));
    if (!look_for_sole_keys) continue;
    ORRERY_ASSIGN(const auto sole,
                  item::SoleLogicalPartition(partition.engine(), slice.container, slice.range));
    each.single_key = sole.has_value();
  }
  return facts;
}

ThroughputOwnerId OwnerIdOf(ThroughputOwner throughput_owner) {
  return ThroughputOwnerId(uint64_t{static_cast<uint8_t>(throughput_owner.kind)} << 32 |
                           throughput_owner.id);
}

Result<PartitionClaim> PartitionClaim::Take(NodeState& state, std::vector<PartitionId> ids,
                                            std::chrono::seconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  MutexLock lock(state.change_mutex);
  for (;;) {
    if (state.stopping) return Fail(Code::kCancelled, "the server is stopping");
    auto taken = ids.begin();
    while (taken != ids.end() && !state.claimed.contains(*taken)) ++taken;
    if (taken == ids.end()) break;
    if (std::chrono::steady_clock::now() >= deadline) {
      return Fail(
          Code::kPreconditionFailed,
          fmt::format("partition {} is being split, merged or trimmed; try again when that is done",
                      taken->value()));
    }
    state.unclaimed.WaitFor(state.change_mutex, deadline - std::chrono::steady_clock::now());
  }
  state.claimed.insert(ids.begin(), ids.end());
  return PartitionClaim(state, std::move(ids));
}

PartitionClaim::~PartitionClaim() {
  if (ids_.empty()) return;
  MutexLock lock(state_.change_mutex);
  for (const PartitionId id : ids_) state_.claimed.erase(id);
  state_.unclaimed.NotifyAll();
}

std::string TrimKey(PartitionId id) {
  std::string key(kTrimPrefix);
  AppendBigEndian(key, id.value());
  return key;
}

}  // namespace orrery::cluster
