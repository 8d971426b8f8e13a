// The part of Catalog that changes what exists: settings, throughput, the end of an index build.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/check.h"
#include "gateway/catalog/catalog.h"
#include "gateway/catalog/catalog_codec.h"
#include "gateway/catalog/catalog_persist.h"
#include "gateway/move/move_lock.h"
#include "gateway/remote/remote_gateway.h"

namespace orrery::gateway {
namespace {

using cluster::SystemStore;
using cluster::ThroughputOwner;
using partition::ContainerKind;
using partition::ThroughputHistory;
using partition::ThroughputKind;
using partition::ThroughputSettings;

std::unexpected<Error> CannotChange(const ContainerSettings& settings, std::string_view what) {
  return Fail(Code::kInvalidArgument, fmt::format("the {} of container '{}' cannot be changed: "
                                                  "create a new container and copy the items over",
                                                  what, settings.name));
}

Status CheckUnchanged(const ContainerSettings& now, const ContainerSettings& wanted) {
  if (wanted.partition_key_paths != now.partition_key_paths || wanted.hashing != now.hashing) {
    return CannotChange(now, "partition key");
  }
  if (wanted.row_key_path != now.row_key_path) return CannotChange(now, "row key");
  if (wanted.order != now.order) return CannotChange(now, "order of values");
  if (wanted.ttl_path != now.ttl_path) return CannotChange(now, "ttl path");
  if (wanted.unique_keys != now.unique_keys) return CannotChange(now, "set of unique keys");
  // Partitions of one row may become ones of many: the row is then the partition's own.
  const auto fits = [](const item::RowRules& rows, const item::RowRules& next) {
    return next.composite_key == rows.composite_key &&
           (next.clustering == rows.clustering || rows.clustering.empty());
  };
  if (wanted.rows.has_value() != now.rows.has_value() ||
      (now.rows.has_value() && !fits(*now.rows, *wanted.rows))) {
    return CannotChange(now, "form of rows");
  }
  if (wanted.throughput != now.throughput) {
    return Fail(Code::kInvalidArgument,
                fmt::format("the throughput of container '{}' is not changed with its settings: "
                            "change it by itself",
                            now.name));
  }
  return {};
}

std::unexpected<Error> IdIsTaken(const ContainerEntry& entry, uint32_t id) {
  return Fail(Code::kInvalidArgument,
              fmt::format("an index has id {}, which another index of the container has or had; "
                          "use one above {}",
                          id, entry.highest_index_id));
}

// An id stands for its entries on disk, so it keeps its meaning and is never used a second time.
Status CheckIndexIds(const ContainerEntry& entry, const ContainerSettings& wanted) {
  for (const item::NamedIndex& index : wanted.indexing.named) {
    const auto& known = entry.settings.indexing.named;
    const auto same = std::ranges::find(known, index.id, &item::NamedIndex::id);
    if (same == known.end()) {
      if (index.id <= entry.highest_index_id) return IdIsTaken(entry, index.id);
      continue;
    }
    item::NamedIndex renamed = *same;
    renamed.name = index.name;
    if (renamed != index) return IdIsTaken(entry, index.id);
  }
  if (!wanted.rows.has_value()) return {};
  for (const item::RowIndex& index : wanted.rows->indexes) {
    const auto& known = entry.settings.rows->indexes;
    const auto same = std::ranges::find(known, index.id, &item::RowIndex::id);
    if (same == known.end() ? index.id <= entry.highest_index_id : *same != index)
      return IdIsTaken(entry, index.id);
  }
  return {};
}

// Returns the bytes that other nodes have in partitions of `throughput_owner`: all, or one
// container's. Blocks.
uint64_t StoredElsewhere(const cluster::Topology& topology, RemoteGateway* remote,
                         ThroughputOwner throughput_owner, std::optional<ContainerId> container) {
  if (remote == nullptr) return 0;
  std::vector<const cluster::RemotePartition*> partitions;
  std::set<NodeId> owners;  // of all partitions, so that the next question is of the same nodes
  for (const auto& [id, partition] : topology.remote) {
    if (partition.owner == NodeId()) continue;
    owners.insert(partition.owner);
    if (partition.record->throughput_owner == throughput_owner) partitions.push_back(&partition);
  }
  if (partitions.empty()) return 0;
  const auto statistics = remote->Statistics(owners);
  uint64_t bytes = 0;
  for (const cluster::RemotePartition* partition : partitions) {
    const auto* const told = FindStatistics(*statistics, partition->owner, partition->record->id);
    if (told == nullptr) continue;
    for (const auto& share : told->shares)
      if (!container.has_value() || share.container == *container) bytes += share.bytes;
  }
  return bytes;
}

std::unexpected<Error> IsAnotherNow(std::string_view kind, std::string_view name) {
  return Fail(
      Code::kPreconditionFailed,
      fmt::format("{} '{}' was changed by somebody else meanwhile: look at it again", kind, name));
}

bool Contains(const std::vector<uint32_t>& ids, uint32_t id) {
  return std::ranges::find(ids, id) != ids.end();
}

// Returns the work that a change of the indexes of rows needs.
RowIndexWork WorkBetween(const ContainerSettings& now, const ContainerSettings& wanted) {
  RowIndexWork work;
  if (!wanted.rows.has_value()) return work;
  const auto has = [](const ContainerSettings& settings, uint32_t id) {
    const auto& indexes = settings.rows->indexes;
    return std::ranges::find(indexes, id, &item::RowIndex::id) != indexes.end();
  };
  for (const item::RowIndex& index : wanted.rows->indexes)
    if (!has(now, index.id)) work.building.push_back(index.id);
  for (const item::RowIndex& index : now.rows->indexes)
    if (!has(wanted, index.id)) work.dropping.push_back(index.id);
  return work;
}

void AddTo(RowIndexWork& all, const RowIndexWork& added) {
  std::erase_if(all.building, [&](uint32_t id) { return Contains(added.dropping, id); });
  all.building.insert(all.building.end(), added.building.begin(), added.building.end());
  all.dropping.insert(all.dropping.end(), added.dropping.begin(), added.dropping.end());
}

void RemoveFrom(RowIndexWork& all, const RowIndexWork& done) {
  std::erase_if(all.building, [&](uint32_t id) { return Contains(done.building, id); });
  std::erase_if(all.dropping, [&](uint32_t id) { return Contains(done.dropping, id); });
}

// Returns whether items are brought from the same policy to the same policy and ttl.
bool IsSameWalk(const ContainerEntry& a, const ContainerEntry& b) {
  return a.former_indexing == b.former_indexing && a.settings.indexing == b.settings.indexing &&
         a.settings.default_ttl_s == b.settings.default_ttl_s;
}

}  // namespace

Result<DatabaseEntry> Catalog::UpdateDatabase(std::string_view name,
                                              std::optional<model::Document> extra,
                                              const DatabaseEntry* made_of) {
  ORRERY_TRY(ValidateDatabaseExtra(extra));
  MutexLock lock(change_mutex_);
  return Persist([&]() REQUIRES(change_mutex_) -> Result<DatabaseEntry> {
    ORRERY_ASSIGN(DatabaseEntry next, FindDatabase(name));
    if (made_of != nullptr && *made_of != next) return IsAnotherNow("database", name);
    next.extra = extra;
    SystemStore::Change change;
    change.Put(DatabaseRecordKey(next.id), EncodeDatabase(next));
    const auto shared = std::make_shared<const DatabaseEntry>(next);
    ORRERY_TRY(Commit({}, std::move(change), snapshot()->With(DatabaseRef(shared))));
    return next;
  });
}

Result<ContainerRef> Catalog::UpdateContainer(std::string_view database,
                                              const ContainerSettings& settings,
                                              const ContainerEntry* made_of,
                                              std::optional<model::Document> note) {
  ORRERY_TRY(Validate(settings, limits_));
  MutexLock lock(change_mutex_);
  return Persist([&]() REQUIRES(change_mutex_) -> Result<ContainerRef> {
    ORRERY_ASSIGN(const ContainerRef entry, FindContainer(database, settings.name));
    if (made_of != nullptr && (made_of->id != entry->id || made_of->version != entry->version))
      return IsAnotherNow("container", settings.name);
    ORRERY_TRY(CheckNotMoving(system_, *entry));
    ORRERY_TRY(CheckUnchanged(entry->settings, settings));
    ORRERY_TRY(CheckIndexIds(*entry, settings));

    ContainerEntry next = *entry;
    // The lifetime of rows is in their cells.
    const bool rebuild =
        !settings.rows.has_value() && (settings.indexing != entry->settings.indexing ||
                                       settings.default_ttl_s != entry->settings.default_ttl_s);
    const RowIndexWork work = WorkBetween(entry->settings, settings);
    if (rebuild) {
      if (!entry->indexes_ready()) {
        return Fail(
            Code::kPreconditionFailed,
            fmt::format(
                "container '{}' is still being brought to its last indexing policy or ttl ({} %): "
                "change it again when that is done",
                settings.name, builds_.Progress(entry->id)));
      }
      next.former_indexing = entry->settings.indexing;
    }
    AddTo(next.row_indexes, work);
    const bool keeps_anew =
        entry->settings.feed_retention_minutes == 0 && settings.feed_retention_minutes > 0;
    const bool builds = rebuild || !work.empty();
    // One that a move has closed (move/move_pause.h) is opened by a new one, too.
    const bool is_closed = !entry->gate->Enter();
    if (!is_closed) entry->gate->Leave();
    if (builds || keeps_anew || is_closed) next.gate = nullptr;  // gets its own
    if (keeps_anew && times_ != nullptr) next.feed_since = times_->Next();
    next.settings = settings;
    next.highest_index_id = std::max(next.highest_index_id, HighestIndexId(settings));
    ORRERY_TRY(CommitEntry(std::move(next), note));
    ORRERY_ASSIGN(ContainerRef changed, FindContainer(database, settings.name));
    if (changed->gate == entry->gate) return changed;
    // Writers that are turned away find the newer entry: it is published already.
    entry->gate->Close();
    if (keeps_anew) entry->gate->WaitUntilEmpty();
    if (builds) {
      builds_.Start({*node_, remote_}, {.entry = changed, .former = entry->gate, .rows = work});
    }
    return changed;
  });
}

Status Catalog::FinishIndexBuild(const IndexBuild& build) {
  MutexLock lock(change_mutex_);
  return Persist([&]() REQUIRES(change_mutex_) -> Status {
    const auto picture = snapshot();
    const ContainerRef* found = picture->by_id.Find(build.entry->id);
    if (found == nullptr) return {};
    ContainerEntry next = **found;
    // Settings that need no walk (extra, throughput) may have changed since. Those of a walk only
    // when another node was there first, and then the next change may be under way already.
    if (IsSameWalk(next, *build.entry)) next.former_indexing.reset();
    RemoveFrom(next.row_indexes, build.rows);
    if (next.former_indexing == (*found)->former_indexing &&
        next.row_indexes == (*found)->row_indexes)
      return {};
    return CommitEntry(std::move(next));
  });
}

Status Catalog::RevertIndexing(const IndexBuild& build) {
  MutexLock lock(change_mutex_);
  return Persist([&]() REQUIRES(change_mutex_) -> Status {
    const auto picture = snapshot();
    const ContainerRef* const found = picture->by_id.Find(build.entry->id);
    if (found == nullptr || !IsSameWalk(**found, *build.entry)) return {};
    const ContainerRef entry = *found;
    ContainerEntry next = *entry;
    // What the new indexes have of items is removed by a build in the other direction.
    std::swap(next.settings.indexing, *next.former_indexing);
    next.gate = nullptr;  // gets its own
    ORRERY_TRY(CommitEntry(std::move(next)));
    const auto newest = snapshot();
    const ContainerRef* const changed = newest->by_id.Find(entry->id);
    if (changed == nullptr) return {};
    entry->gate->Close();
    builds_.Start({*node_, remote_}, {.entry = *changed, .former = entry->gate, .rows = {}});
    return {};
  });
}

Result<int> Catalog::IndexProgress(ContainerId id) const {
  const auto picture = snapshot();
  const ContainerRef* found = picture->by_id.Find(id);
  if (found == nullptr)
    return Fail(Code::kNotFound, fmt::format("no container with id {}", id.value()));
  return (*found)->indexes_ready() ? 100 : builds_.Progress(id);
}

uint64_t Catalog::StoredBytes(ThroughputOwner throughput_owner) const {
  const auto topology = node_->topology();
  int64_t bytes = 0;
  for (const auto& partition : topology->Of(throughput_owner))
    bytes += partition->ledger().Sum().bytes;
  return static_cast<uint64_t>(std::max<int64_t>(bytes, 0)) +
         StoredElsewhere(*topology, remote_, throughput_owner, std::nullopt);
}

ThroughputHistory Catalog::HistoryOf(const DatabaseEntry& database,
                                     const CatalogSnapshot& picture) const {
  const auto containers = picture.ListContainers(database.id);
  const auto sharing = std::ranges::count(containers, ThroughputOwner::Of(database.id),
                                          &ContainerEntry::throughput_owner);
  return {.storage_bytes = StoredBytes(ThroughputOwner::Of(database.id)),
          .highest_rate_ever = database.highest_throughput,
          .containers_sharing = sharing};
}

uint64_t Catalog::StoredBytes(const ContainerEntry& container) const {
  if (container.throughput_owner == ThroughputOwner::Of(container.id))
    return StoredBytes(container.throughput_owner);
  const auto topology = node_->topology();
  int64_t bytes = 0;
  for (const auto& partition : topology->Of(container.throughput_owner)) {
    const auto totals = partition->ledger().ByContainer();
    const auto found = totals.find(container.id);
    if (found != totals.end()) bytes += found->second.bytes;
  }
  return static_cast<uint64_t>(std::max<int64_t>(bytes, 0)) +
         StoredElsewhere(*topology, remote_, container.throughput_owner, container.id);
}

ThroughputHistory Catalog::HistoryOf(const ContainerEntry& container) const {
  return {.storage_bytes = StoredBytes(container),
          .highest_rate_ever = container.highest_throughput,
          .containers_sharing = 0};
}

Status Catalog::SetThroughput(std::string_view database, std::optional<std::string_view> container,
                              ThroughputSettings throughput) {
  MutexLock lock(change_mutex_);
  return Persist([&]() REQUIRES(change_mutex_) -> Status {
    if (throughput.kind == ThroughputKind::kNone) {
      return Fail(Code::kInvalidArgument,
                  "throughput cannot be taken away, only changed: give a number of RU/s");
    }
    if (container.has_value()) {
      ORRERY_ASSIGN(const ContainerRef entry, FindContainer(database, *container));
      return SetContainerThroughput(*entry, throughput);
    }
    ORRERY_ASSIGN(const DatabaseEntry entry, FindDatabase(database));
    return SetDatabaseThroughput(entry, throughput);
  });
}

Status Catalog::CheckSharedPoolThroughput(const ContainerEntry& container,
                                          ThroughputSettings throughput) const {
  if (throughput.request_units_per_second <= limits_.physical_partition_rate_max) return {};
  return Fail(
      Code::kInvalidArgument,
      fmt::format("container '{}' was created without throughput and shares a partition with "
                  "others, where it can have {} RU/s at most: create one with the throughput it "
                  "needs and copy the items over",
                  container.settings.name, limits_.physical_partition_rate_max));
}

Status Catalog::SetContainerThroughput(const ContainerEntry& container,
                                       ThroughputSettings throughput) {
  const std::string& name = container.settings.name;
  if (container.throughput_owner.kind == ThroughputOwner::Kind::kDatabase) {
    return Fail(
        Code::kInvalidArgument,
        fmt::format("container '{}' shares the throughput of database '{}': change the database's",
                    name, container.database_name));
  }
  const bool shared_pool = container.throughput_owner.kind == ThroughputOwner::Kind::kSharedPool;
  if (shared_pool && container.budget == nullptr) {
    return Fail(
        Code::kInvalidArgument,
        fmt::format(
            "container '{}' was created without throughput and is unmetered: create one with "
            "throughput and copy the items over",
            name));
  }
  ORRERY_TRY(partition::ValidateThroughputChange(throughput, HistoryOf(container), limits_));
  ContainerEntry next = container;
  next.settings.throughput = throughput;
  next.highest_throughput = std::max(next.highest_throughput, throughput.request_units_per_second);
  if (shared_pool) {
    ORRERY_TRY(CheckSharedPoolThroughput(container, throughput));
    ORRERY_TRY(CommitEntry(std::move(next)));
    container.budget->SetRate(partition::RatePerPartition(throughput, 1));
    return {};
  }
  ORRERY_ASSIGN(next.kind, partition::ClassifyContainer(
                               !container.settings.partition_key_paths.empty(), throughput,
                               /*shared=*/false, limits_));
  if (container.kind == ContainerKind::kUnlimited && next.kind == ContainerKind::kFixed) {
    return Fail(Code::kInvalidArgument,
                fmt::format("container '{}' is unlimited and needs at least {} RU/s", name,
                            limits_.unlimited_rate_min));
  }
  ORRERY_TRY(CommitEntry(std::move(next)));
  node_->SetThroughput(container.throughput_owner, throughput);
  return {};
}

Status Catalog::SetDatabaseThroughput(const DatabaseEntry& database,
                                      ThroughputSettings throughput) {
  if (database.throughput.kind == ThroughputKind::kNone) {
    return Fail(
        Code::kInvalidArgument,
        fmt::format(
            "database '{}' was created without throughput to share: set it on the containers, or "
            "create a database with throughput",
            database.name));
  }
  const auto picture = snapshot();
  ORRERY_TRY(
      partition::ValidateThroughputChange(throughput, HistoryOf(database, *picture), limits_));

  auto next = std::make_shared<DatabaseEntry>(database);
  next->throughput = throughput;
  next->highest_throughput =
      std::max(next->highest_throughput, throughput.request_units_per_second);
  SystemStore::Change change;
  change.Put(DatabaseRecordKey(next->id), EncodeDatabase(*next));
  ORRERY_TRY(Commit({}, std::move(change), picture->With(DatabaseRef(next))));
  node_->SetThroughput(ThroughputOwner::Of(database.id), throughput);
  return {};
}

Result<int64_t> Catalog::MinimumThroughput(std::string_view database,
                                           std::optional<std::string_view> container) const {
  if (container.has_value()) {
    ORRERY_ASSIGN(const ContainerRef entry, FindContainer(database, *container));
    if (entry->settings.throughput.kind == ThroughputKind::kNone) return 0;
    const int64_t minimum =
        partition::MinimumThroughput(entry->settings.throughput.kind, HistoryOf(*entry), limits_);
    const bool needs_more = entry->kind == ContainerKind::kUnlimited && entry->budget == nullptr;
    return needs_more ? std::max(minimum, limits_.unlimited_rate_min) : minimum;
  }
  ORRERY_ASSIGN(const DatabaseEntry entry, FindDatabase(database));
  return partition::MinimumThroughput(entry.throughput.kind, HistoryOf(entry, *snapshot()),
                                      limits_);
}

}  // namespace orrery::gateway
