#include "gateway/catalog/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/check.h"
#include "gateway/catalog/catalog_codec.h"
#include "gateway/catalog/catalog_drop.h"
#include "gateway/catalog/catalog_persist.h"
#include "gateway/catalog/container_placement.h"
#include "gateway/move/move_lock.h"

namespace orrery::gateway {
namespace {

using cluster::SystemStore;
using cluster::ThroughputOwner;
using cluster::TopologyChange;
using partition::ContainerKind;
using partition::ThroughputKind;
using partition::ThroughputSettings;

constexpr size_t kNamesInHint = 5;

// "there are 'a', 'b' and 3 more" or "there are none yet".
template <typename Names>
std::string Hint(const Names& names) {
  if (names.empty()) return "there are none yet: create it first";
  const size_t shown = std::min(names.size(), kNamesInHint);
  std::string hint = "there are ";
  for (size_t i = 0; i < shown; ++i) hint += fmt::format("{}'{}'", i == 0 ? "" : ", ", names[i]);
  if (names.size() > shown) hint += fmt::format(" and {} more", names.size() - shown);
  return hint;
}

std::unexpected<Error> NoDatabase(const CatalogSnapshot& snapshot, std::string_view name) {
  std::vector<std::string> names;
  for (const DatabaseRef& database : snapshot.ListDatabases()) names.push_back(database->name);
  return Fail(Code::kNotFound, fmt::format("no database '{}'; {}", name, Hint(names)));
}

std::unexpected<Error> NoContainer(const CatalogSnapshot& snapshot, const DatabaseEntry& database,
                                   std::string_view name) {
  std::vector<std::string> names;
  for (const ContainerRef& container : snapshot.ListContainers(database.id))
    names.push_back(container->settings.name);
  return Fail(Code::kNotFound, fmt::format("no container '{}' in database '{}'; {}", name,
                                           database.name, Hint(names)));
}

}  // namespace

Catalog::Catalog(SystemStore& system, partition::Limits limits, const item::ComputedMaker* computed)
    : system_(system),
      limits_(limits),
      computed_(computed),
      snapshot_(std::make_shared<const CatalogSnapshot>()),
      builds_([this](const IndexBuild& build) { return FinishIndexBuild(build); },
              [this](const IndexBuild& build) { return RevertIndexing(build); }) {}

Catalog::~Catalog() { builds_.Stop(); }

Result<std::unique_ptr<Catalog>> Catalog::Load(SystemStore& system, partition::Limits limits,
                                               const item::ComputedMaker* computed) {
  std::unique_ptr<Catalog> catalog(new Catalog(system, limits, computed));
  ORRERY_ASSIGN(CatalogSnapshot stored, catalog->ReadStored({}));
  catalog->snapshot_.Store(std::make_shared<const CatalogSnapshot>(std::move(stored)));
  return catalog;
}

Result<CatalogSnapshot> Catalog::ReadStored(const CatalogSnapshot& former) const {
  CatalogSnapshot loaded;
  ORRERY_ASSIGN(const auto version, system_.Get(kCatalogVersionKey));
  if (version.has_value()) {
    ORRERY_ASSIGN(loaded.version, DecodeCatalogVersion(*version));
  }
  std::unordered_map<DatabaseId, std::string> names;
  auto databases = decltype(loaded.databases)::Editor(loaded.databases);
  ORRERY_TRY(
      system_.ForEach(kDatabasePrefix, [&](std::string_view, std::string_view value) -> Status {
        ORRERY_ASSIGN(DatabaseEntry entry, DecodeDatabase(value));
        names.emplace(entry.id, entry.name);
        databases.Put(entry.name, std::make_shared<const DatabaseEntry>(entry));
        return {};
      }));
  auto containers = decltype(loaded.containers)::Editor(loaded.containers);
  auto by_id = decltype(loaded.by_id)::Editor(loaded.by_id);
  ORRERY_TRY(
      system_.ForEach(kContainerPrefix, [&](std::string_view, std::string_view value) -> Status {
        ORRERY_ASSIGN(ContainerEntry entry, DecodeContainer(value));
        if (const ContainerRef* same = former.by_id.Find(entry.id);
            same != nullptr && (*same)->version == entry.version) {
          if (!entry.dropped_at.has_value())
            containers.Put({entry.database, entry.settings.name}, *same);
          by_id.Put(entry.id, *same);
          return {};
        }
        const auto database = names.find(entry.database);
        entry.lineage = entry.id;
        // By its id first: a renamed container may have taken the name of another.
        if (const ContainerRef* same = former.by_id.Find(entry.id); same != nullptr) {
          Inherit(entry, **same);
        } else if (const ContainerRef known = former.Container(entry.database, entry.settings.name);
                   known != nullptr) {
          Inherit(entry, *known);
        }
        const Status completed = Complete(entry);
        // The database of one that was dropped may be gone, too.
        const bool is_lost = database == names.end() && !entry.dropped_at.has_value();
        if (is_lost || !completed.has_value()) {
          return Fail(
              Code::kCorruption,
              fmt::format(
                  "the catalog's record of container '{}' does not hold together: {}",
                  entry.settings.name,
                  completed.has_value() ? "its database is missing" : completed.error().message()));
        }
        if (!entry.dropped_at.has_value()) entry.database_name = database->second;
        const auto shared = std::make_shared<const ContainerEntry>(std::move(entry));
        if (!shared->dropped_at.has_value())
          containers.Put({shared->database, shared->settings.name}, shared);
        by_id.Put(shared->id, shared);
        return {};
      }));
  loaded.databases = std::move(databases).Finish();
  loaded.containers = std::move(containers).Finish();
  loaded.by_id = std::move(by_id).Finish();
  return loaded;
}

void Catalog::Inherit(ContainerEntry& entry, const ContainerEntry& former) {
  // A truncated container goes on counting; one that was dropped and made again begins at 1.
  if (entry.version <= former.version) return;
  entry.lineage = former.lineage;
  if (entry.id != former.id) return;
  entry.budget = former.budget;
  const bool writes_alike =
      entry.settings.indexing == former.settings.indexing &&
      entry.settings.default_ttl_s == former.settings.default_ttl_s &&
      entry.settings.rows == former.settings.rows &&
      entry.settings.feed_retention_minutes == former.settings.feed_retention_minutes &&
      entry.dropped_at == former.dropped_at && entry.former_indexing == former.former_indexing &&
      entry.row_indexes == former.row_indexes;
  if (writes_alike) entry.gate = former.gate;
}

void Catalog::Publish(CatalogSnapshot next) {
  {
    MutexLock lock(publish_mutex_);
    if (next.version <= snapshot()->version) return;
    snapshot_.Store(std::make_shared<const CatalogSnapshot>(std::move(next)));
  }
  bell_.RingAll();
}

Status Catalog::Follow() {
  std::shared_ptr<const CatalogSnapshot> former;
  {
    MutexLock lock(publish_mutex_);
    former = snapshot();
    ORRERY_ASSIGN(CatalogSnapshot next, ReadStored(*former));
    if (next.version <= former->version) return {};
    snapshot_.Store(std::make_shared<const CatalogSnapshot>(std::move(next)));
  }
  const auto newest = snapshot();
  std::vector<std::shared_ptr<WriterGate>> closed;
  former->by_id.ForEach([&](ContainerId id, const ContainerRef& entry) {
    const ContainerRef* const now = newest->by_id.Find(id);
    if (now != nullptr && (*now)->gate == entry->gate) {
      if (entry->budget != nullptr) {
        entry->budget->SetRate(
            partition::RatePerPartition((*now)->settings.throughput, /*partitions=*/1));
      }
      return;
    }
    closed.push_back(entry->gate);
  });
  // Writers that are turned away find the newer entry.
  for (const auto& gate : closed) gate->Close();
  for (const auto& gate : closed) gate->WaitUntilEmpty();
  bell_.RingAll();
  return {};
}

void Catalog::Connect(cluster::Node& node, RemoteGateway* remote) {
  MutexLock lock(change_mutex_);
  node_ = &node;
  remote_ = remote;
  if (remote == nullptr) StartBuildsThatAreDue();
}

void Catalog::ResumeBuilds() {
  MutexLock lock(change_mutex_);
  StartBuildsThatAreDue();
}

void Catalog::StartBuildsThatAreDue() {
  snapshot()->by_id.ForEach([&](ContainerId id, const ContainerRef& entry) {
    const bool due = !entry->indexes_ready() || !entry->row_indexes.empty();
    if (!due || builds_.IsUnderWay(id)) return;
    builds_.Start({*node_, remote_},
                  {.entry = entry, .former = nullptr, .rows = entry->row_indexes});
  });
}

void Catalog::Disconnect() {
  // Without the lock: a build that is finishing takes it.
  builds_.Stop();
}

Result<DatabaseEntry> Catalog::FindDatabase(std::string_view name) const {
  const auto picture = snapshot();
  const DatabaseRef found = picture->Database(name);
  if (found == nullptr) return NoDatabase(*picture, name);
  return *found;
}

Result<ContainerRef> Catalog::FindContainer(std::string_view database,
                                            std::string_view container) const {
  const auto picture = snapshot();
  const DatabaseRef owner = picture->Database(database);
  if (owner == nullptr) return NoDatabase(*picture, database);
  ContainerRef found = picture->Container(owner->id, container);
  if (found == nullptr) return NoContainer(*picture, *owner, container);
  return found;
}

std::shared_ptr<const item::ContainerSchema> Catalog::Schema(ContainerId id) const {
  if (const ContainerRef* found = snapshot()->by_id.Find(id); found != nullptr)
    return (*found)->schema;
  MutexLock lock(pending_mutex_);
  return pending_ != nullptr && pending_->id == id ? pending_ : nullptr;
}

std::map<ThroughputOwner, ThroughputSettings> Catalog::Throughputs() const {
  std::map<ThroughputOwner, ThroughputSettings> throughputs;
  const auto picture = snapshot();
  picture->databases.ForEach([&](const std::string&, const DatabaseRef& entry) {
    if (entry->throughput.kind != ThroughputKind::kNone)
      throughputs[ThroughputOwner::Of(entry->id)] = entry->throughput;
  });
  picture->by_id.ForEach([&](ContainerId id, const ContainerRef& entry) {
    if (entry->throughput_owner == ThroughputOwner::Of(id))
      throughputs[entry->throughput_owner] = entry->settings.throughput;
  });
  return throughputs;
}

Status Catalog::Complete(ContainerEntry& entry) const {
  ORRERY_ASSIGN(item::ContainerSchema schema,
                MakeSchema(entry.id, entry.settings, entry.kind,
                           {.former = entry.former_indexing,
                            .has_type_index = entry.has_type_index,
                            .has_whole_keys = entry.indexes_whole_keys},
                           limits_, computed_));
  entry.schema = std::make_shared<const item::ContainerSchema>(std::move(schema));
  if (entry.gate == nullptr) entry.gate = std::make_shared<WriterGate>();
  const RequestUnits rate = partition::RatePerPartition(entry.settings.throughput, 1);
  if (entry.throughput_owner == ThroughputOwner::SharedPool() && rate > RequestUnits() &&
      entry.budget == nullptr) {
    entry.budget = std::make_shared<partition::Governor>(rate, partition::GovernorOptions(),
                                                         /*now=*/Micros(0));
  }
  return {};
}

Status Catalog::CheckRoom(const CatalogSnapshot& picture) const {
  if (picture.databases.size() + picture.containers.size() < kCatalogEntriesMax) return {};
  return Fail(
      Code::kResourceExhausted,
      fmt::format(
          "there are {} databases and containers, the most this server keeps: drop some first",
          kCatalogEntriesMax));
}

Status Catalog::Commit(const TopologyChange& topology, SystemStore::Change change,
                       CatalogSnapshot next, std::vector<CatalogEvent> events) {
  ORRERY_CHECK(node_ != nullptr);
  if (times_ == nullptr) events.clear();
  // Before the first time is taken: see EventsCompleteUntil.
  if (!events.empty()) event_pending_.store(true);
  Micros last{0};
  for (CatalogEvent& event : events) {
    last = event.time = times_->Next();
    change.Put(CatalogEventKey(event.time), EncodeCatalogEvent(event));
  }
  change.Expect(kCatalogVersionKey, next.version == 0
                                        ? std::nullopt
                                        : std::optional(EncodeCatalogVersion(next.version)));
  change.Put(kCatalogVersionKey, EncodeCatalogVersion(++next.version));
  const Status applied = node_->Apply(topology, std::move(change));
  if (applied.has_value()) Publish(std::move(next));
  if (!events.empty()) {
    if (applied.has_value()) last_event_.store(last.count());
    event_pending_.store(false);
    bell_.RingAll();
  }
  return applied;
}

Result<DatabaseEntry> Catalog::CreateDatabase(std::string name, ThroughputSettings throughput,
                                              std::optional<model::Document> extra) {
  ORRERY_TRY(ValidateName("database", name));
  ORRERY_TRY(ValidateDatabaseExtra(extra));
  ORRERY_TRY(partition::ValidateThroughput(throughput, limits_));
  MutexLock lock(change_mutex_);
  return Persist([&]() REQUIRES(change_mutex_) -> Result<DatabaseEntry> {
    const auto picture = snapshot();
    if (picture->Database(name) != nullptr) {
      return Fail(Code::kAlreadyExists, fmt::format("database '{}' exists already", name));
    }
    ORRERY_TRY(CheckRoom(*picture));

    SystemStore::Change change;
    ORRERY_ASSIGN(const uint64_t id, system_.NextId("database", change));
    auto entry = std::make_shared<DatabaseEntry>();
    entry->id = DatabaseId(static_cast<uint32_t>(id));
    entry->name = name;
    entry->throughput = throughput;
    entry->highest_throughput = throughput.request_units_per_second;
    entry->extra = extra;
    change.Put(DatabaseRecordKey(entry->id), EncodeDatabase(*entry));

    TopologyChange topology;
    const ThroughputOwner throughput_owner = ThroughputOwner::Of(entry->id);
    if (throughput.kind != ThroughputKind::kNone) {
      topology.create.resize(partition::PartitionCountFor(throughput, limits_),
                             {throughput_owner, {}});
    }
    ORRERY_TRY(Commit(topology, std::move(change), picture->With(DatabaseRef(entry))));
    if (throughput.kind != ThroughputKind::kNone)
      node_->SetThroughput(throughput_owner, throughput);
    return *entry;
  });
}

Status Catalog::DropDatabase(std::string_view name) {
  MutexLock lock(change_mutex_);
  return Persist([&]() REQUIRES(change_mutex_) -> Status {
    const auto picture = snapshot();
    const DatabaseRef database = picture->Database(name);
    if (database == nullptr) return NoDatabase(*picture, name);

    SystemStore::Change change;
    change.Delete(DatabaseRecordKey(database->id));
    TopologyChange topology;
    topology.drop_throughput_owners.push_back(ThroughputOwner::Of(database->id));
    CatalogSnapshot next = *picture;
    std::vector<CatalogEvent> events;
    std::vector<ContainerRef> kept;
    for (const ContainerRef& container : picture->ListContainers(database->id)) {
      ORRERY_TRY(CheckNotMoving(system_, *container));
      std::ranges::move(EventOf(CatalogEventKind::kDrop, *container), std::back_inserter(events));
      if (AddDrop(container, topology, change, next)) kept.push_back(container);
    }
    events.push_back({.kind = CatalogEventKind::kDropDatabase, .database = database->name});
    auto databases = decltype(next.databases)::Editor(next.databases);
    databases.Erase(database->name);
    next.databases = std::move(databases).Finish();
    ORRERY_TRY(Commit(topology, std::move(change), std::move(next), std::move(events)));
    for (const ThroughputOwner& throughput_owner : topology.drop_throughput_owners)
      node_->SetThroughput(throughput_owner, std::nullopt);
    for (const ContainerRef& container : kept) container->gate->Close();
    for (const ContainerRef& container : kept) container->gate->WaitUntilEmpty();
    return {};
  });
}

Result<ContainerRef> Catalog::CreateContainer(std::string_view database, ContainerSettings settings,
                                              ThroughputSettings fallback,
                                              std::optional<model::Document> note) {
  ORRERY_TRY(Validate(settings, limits_));
  MutexLock lock(change_mutex_);
  return Persist([&]() REQUIRES(change_mutex_) -> Result<ContainerRef> {
    const auto picture = snapshot();
    const DatabaseRef owner = picture->Database(database);
    if (owner == nullptr) return NoDatabase(*picture, database);
    if (picture->Container(owner->id, settings.name) != nullptr) {
      return Fail(
          Code::kAlreadyExists,
          fmt::format("container '{}' exists already in database '{}'", settings.name, database));
    }
    ORRERY_TRY(CheckRoom(*picture));

    const bool own = settings.throughput.kind != ThroughputKind::kNone;
    const bool shared = !own && owner->throughput.kind != ThroughputKind::kNone;
    ContainerEntry entry;
    entry.database = owner->id;
    entry.database_name = owner->name;
    ORRERY_ASSIGN(entry.kind,
                  partition::ClassifyContainer(!settings.partition_key_paths.empty(),
                                               shared ? owner->throughput : settings.throughput,
                                               shared, limits_));
    entry.throughput_owner.kind = own      ? ThroughputOwner::Kind::kContainer
                                  : shared ? ThroughputOwner::Kind::kDatabase
                                           : ThroughputOwner::Kind::kSharedPool;
    entry.highest_index_id = HighestIndexId(settings);
    entry.settings = settings;
    entry.has_type_index = !settings.rows.has_value();
    entry.indexes_whole_keys = !settings.rows.has_value();
    if (entry.throughput_owner == ThroughputOwner::SharedPool() &&
        fallback.kind != ThroughputKind::kNone) {
      ORRERY_TRY(partition::ValidateThroughput(fallback, limits_));
      ORRERY_TRY(CheckSharedPoolThroughput(entry, fallback));
      entry.settings.throughput = fallback;
    }
    entry.highest_throughput = entry.settings.throughput.request_units_per_second;
    return CommitCreation(std::move(entry), nullptr, note);
  });
}

Result<TopologyChange> Catalog::Place(const ContainerEntry& entry) const {
  const bool fixed = entry.kind == ContainerKind::kFixed;
  const partition::KeyHashing hashing = entry.settings.hashing;
  switch (entry.throughput_owner.kind) {
    case ThroughputOwner::Kind::kContainer:
      return PlaceAlone(
          entry.id, hashing,
          fixed ? 1 : partition::PartitionCountFor(entry.settings.throughput, limits_));
    case ThroughputOwner::Kind::kDatabase: {
      // On whichever node they are open.
      auto records = node_->topology()->Records();
      std::erase_if(records, [&](const auto& each) {
        return each->throughput_owner != entry.throughput_owner;
      });
      if (records.empty()) {
        return Fail(Code::kUnavailable, fmt::format("the partitions of database '{}' are not open",
                                                    entry.database_name));
      }
      std::ranges::sort(records, {}, &cluster::PartitionRecord::id);
      if (fixed) {
        const auto slices = [](const auto& record) { return record->slices.size(); };
        return PlaceWhole(entry.id, (*std::ranges::min_element(records, {}, slices))->id);
      }
      std::vector<PartitionId> ids;
      for (const auto& record : records) ids.push_back(record->id);
      return PlaceAcross(entry.id, hashing, ids);
    }
    case ThroughputOwner::Kind::kSharedPool:
      break;
  }
  ORRERY_ASSIGN(const PartitionId partition, node_->SharedPoolPartition());
  return PlaceWhole(entry.id, partition);
}

Result<ContainerRef> Catalog::CommitCreation(ContainerEntry entry, const ContainerRef& replaced,
                                             std::optional<model::Document> note) {
  ORRERY_CHECK(node_ != nullptr);
  CatalogSnapshot picture = *snapshot();
  if (replaced != nullptr) picture = picture.Without({replaced});
  SystemStore::Change change;
  ORRERY_ASSIGN(const uint64_t id, system_.NextId("container", change));
  entry.id = ContainerId(static_cast<uint32_t>(id));
  entry.lineage = replaced != nullptr ? replaced->lineage : entry.id;
  entry.throughput_owner.id =
      entry.throughput_owner.kind == ThroughputOwner::Kind::kContainer  ? entry.id.value()
      : entry.throughput_owner.kind == ThroughputOwner::Kind::kDatabase ? entry.database.value()
                                                                        : 0;
  ORRERY_TRY(Complete(entry));
  change.Put(ContainerRecordKey(entry.id), EncodeContainer(entry));
  ORRERY_ASSIGN(TopologyChange topology, Place(entry));
  if (replaced != nullptr) AppendDrop(*replaced, topology, change);
  {
    MutexLock pending(pending_mutex_);
    pending_ = entry.schema;
  }
  const Status committed = Commit(topology, std::move(change),
                                  picture.With(std::make_shared<const ContainerEntry>(entry)),
                                  EventOf(CatalogEventKind::kCreate, entry, std::move(note)));
  {
    MutexLock pending(pending_mutex_);
    pending_ = nullptr;
  }
  if (!committed.has_value()) return Fail(committed.error());
  if (entry.throughput_owner == ThroughputOwner::Of(entry.id)) {
    node_->SetThroughput(entry.throughput_owner, entry.settings.throughput);
    if (replaced != nullptr) node_->SetThroughput(replaced->throughput_owner, std::nullopt);
  }
  const ContainerRef* const published = snapshot()->by_id.Find(entry.id);
  if (published == nullptr) {
    return Fail(Code::kNotFound, fmt::format("container '{}' was dropped right after it was made",
                                             entry.settings.name));
  }
  return *published;
}

Status Catalog::DropContainer(std::string_view database, std::string_view container) {
  MutexLock lock(change_mutex_);
  return Persist([&]() REQUIRES(change_mutex_) -> Status {
    ORRERY_ASSIGN(const ContainerRef entry, FindContainer(database, container));
    ORRERY_TRY(CheckNotMoving(system_, *entry));
    SystemStore::Change change;
    TopologyChange topology;
    CatalogSnapshot next = *snapshot();
    const bool stays = AddDrop(entry, topology, change, next);
    ORRERY_TRY(Commit(topology, std::move(change), std::move(next),
                      EventOf(CatalogEventKind::kDrop, *entry)));
    if (stays) {
      entry->gate->Close();
      entry->gate->WaitUntilEmpty();
    } else if (entry->throughput_owner == ThroughputOwner::Of(entry->id)) {
      node_->SetThroughput(entry->throughput_owner, std::nullopt);
    }
    return {};
  });
}

Result<ContainerRef> Catalog::TruncateContainer(std::string_view database,
                                                std::string_view container) {
  ContainerRef former;
  ContainerRef empty;
  {
    MutexLock lock(change_mutex_);
    const auto truncate = [&]() REQUIRES(change_mutex_) -> Result<ContainerRef> {
      ORRERY_ASSIGN(former, FindContainer(database, container));
      ORRERY_TRY(CheckNotMoving(system_, *former));
      ContainerEntry next = *former;
      ++next.version;
      next.former_indexing.reset();
      next.row_indexes = {};
      next.gate = nullptr;  // gets its own
      return CommitCreation(std::move(next), former);
    };
    ORRERY_ASSIGN(empty, Persist(truncate));
  }
  // Writers that are turned away find the new entry: it is published already.
  former->gate->Close();
  former->gate->WaitUntilEmpty();
  return empty;
}

Status Catalog::CommitEntry(ContainerEntry entry, std::optional<model::Document> note) {
  ++entry.version;
  ORRERY_TRY(Complete(entry));
  SystemStore::Change change;
  change.Put(ContainerRecordKey(entry.id), EncodeContainer(entry));
  const auto picture = snapshot();
  std::vector<CatalogEvent> events;
  if (note.has_value()) events = EventOf(CatalogEventKind::kUpdate, entry, std::move(note));
  return Commit({}, std::move(change),
                picture->With(std::make_shared<const ContainerEntry>(std::move(entry))),
                std::move(events));
}

}  // namespace orrery::gateway
