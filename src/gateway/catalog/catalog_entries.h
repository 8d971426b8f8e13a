// The catalog's entries: one for each database and container, and a consistent snapshot of all.
//
// Entries and pictures are immutable and shared; a change makes new ones of what it touches.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "cluster/throughput_owner.h"
#include "gateway/catalog/container_settings.h"
#include "gateway/writer_gate.h"
#include "item/container_schema.h"
#include "model/document/document.h"
#include "partition/map/persistent_index.h"
#include "partition/rate/governor.h"
#include "partition/rate/throughput.h"

namespace orrery::gateway {

struct DatabaseEntry {
  DatabaseId id;
  std::string name;
  partition::ThroughputSettings throughput;  // none: not shared
  int64_t highest_throughput = 0;            // ever set: decides the minimum
  // Fields that an API keeps about the database; the core does not interpret them.
  std::optional<model::Document> extra;

  friend bool operator==(const DatabaseEntry&, const DatabaseEntry&) = default;
};

// Indexes of a container of rows, by id, that its rows do not follow yet.
struct RowIndexWork {
  std::vector<uint32_t> building;  // not every row has its entries
  std::vector<uint32_t> dropping;  // removed; entries may be left

  bool empty() const { return building.empty() && dropping.empty(); }
  friend bool operator==(const RowIndexWork&, const RowIndexWork&) = default;
};

struct ContainerEntry {
  ContainerId id;
  // The id it was created with: stays when a truncation gives it another. Not stored, as no
  // reference to a former incarnation outlives the process.
  ContainerId lineage;
  DatabaseId database;
  std::string database_name;
  ContainerSettings settings;
  partition::ContainerKind kind = partition::ContainerKind::kUnlimited;
  cluster::ThroughputOwner throughput_owner;
  int64_t highest_throughput = 0;  // ever set: decides the minimum
  uint32_t highest_index_id = 0;   // ever used by a named index
  uint64_t version = 1;            // rises with each change
  // Says whether it has type indexes (item/index/index_policy.h): items of containers that were
  // made before these existed have no entries.
  bool has_type_index = false;
  // Says whether its indexes over partition key paths have whole values: those of containers that
  // were made before there were any have cut ones.
  bool indexes_whole_keys = false;
  // Set while existing items are brought to settings (a new indexing policy or ttl): what they were
  // indexed by before. Until it is gone a query may use only what both policies index; see
  // schema->former_indexing.
  std::optional<IndexingSettings> former_indexing;
  RowIndexWork row_indexes;
  // Set when it was dropped while its feed keeps all versions: nobody finds it by its name any
  // more, and nobody writes to it; what it has is there for readers of the feed until it is purged.
  std::optional<Micros> dropped_at;
  // From when on its feed has all versions, where it does not have them from the beginning.
  Micros feed_since{0};
  std::shared_ptr<const item::ContainerSchema> schema;
  std::shared_ptr<WriterGate> gate;  // shared by versions that differ in neither indexes nor ttl
  // Of a container that has throughput and lives in the shared pool, where partitions have no
  // budget; else null. Shared by all versions.
  std::shared_ptr<partition::Governor> budget;

  // Returns whether queries may use every index that settings name.
  bool indexes_ready() const {
    return !former_indexing.has_value() && row_indexes.building.empty();
  }
  // Returns whether the container of rows has this index and every row its entries in it.
  bool HasBuiltRowIndex(uint32_t index) const;
};

using ContainerRef = std::shared_ptr<const ContainerEntry>;
using DatabaseRef = std::shared_ptr<const DatabaseEntry>;

struct CatalogSnapshot {
  uint64_t version = 0;  // rises with each change, over all nodes of a cluster
  partition::PersistentIndex<std::string, DatabaseRef> databases;
  partition::PersistentIndex<std::pair<DatabaseId, std::string>, ContainerRef> containers;
  partition::PersistentIndex<ContainerId, ContainerRef> by_id;

  // Null when there is none.
  DatabaseRef Database(std::string_view name) const;
  ContainerRef Container(DatabaseId database, std::string_view name) const;
  // The entry of today for one of yesterday: the container may have been changed or truncated
  // since. Null when it was dropped.
  ContainerRef Newest(const ContainerEntry& entry) const;
  // Those that were dropped and not purged yet (ContainerEntry::dropped_at), by id.
  std::vector<ContainerRef> ListDropped() const;
  // By name.
  std::vector<DatabaseRef> ListDatabases() const;
  std::vector<ContainerRef> ListContainers(DatabaseId database) const;

  // The picture after a change: with this entry, in the place of one with its name and id.
  CatalogSnapshot With(const ContainerRef& entry) const;
  CatalogSnapshot With(const DatabaseRef& entry) const;
  CatalogSnapshot Without(const std::vector<ContainerRef>& entries) const;
};

}  // namespace orrery::gateway
