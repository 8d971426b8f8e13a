// Databases and containers in archives: everything that must be said to make them again elsewhere.
//
//   catalog   := {"version": 1, "databases": [database], "containers": [container]}
//   database  := {"name", "throughput"?, "extra"?}
//   container := {"database", "commons"?: true, "settings": {...}}
//
// BSON; settings and throughput as docs/format/catalog.md has them, with what APIs keep in `extra`:
// keyspaces, tables, types, views, functions, roles, scripts. Ids are not in it: a server gives its
// own. "commons": the container has its throughput where many share a partition.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "gateway/catalog/catalog.h"
#include "gateway/catalog/catalog_entries.h"
#include "model/document/document.h"

namespace orrery::gateway {

struct ArchivedDatabase {
  std::string name;
  partition::ThroughputSettings throughput;
  std::optional<model::Document> extra;

  friend bool operator==(const ArchivedDatabase&, const ArchivedDatabase&) = default;
};

struct ArchivedContainer {
  std::string database;
  bool shared_pool = false;
  ContainerSettings settings;

  std::string FullName() const { return database + "/" + settings.name; }
  friend bool operator==(const ArchivedContainer&, const ArchivedContainer&) = default;
};

struct ArchivedCatalog {
  std::vector<ArchivedDatabase> databases;
  std::vector<ArchivedContainer> containers;

  friend bool operator==(const ArchivedCatalog&, const ArchivedCatalog&) = default;
};

ArchivedCatalog ArchiveOf(const CatalogSnapshot& snapshot);

model::Document ToDocument(const ArchivedCatalog& catalog);
model::Document ToDocument(const ArchivedDatabase& database);
model::Document ToDocument(const ArchivedContainer& container);
// kInvalidArgument names what is wrong; kUnsupported: of a newer version.
Result<ArchivedCatalog> ArchivedCatalogFrom(model::DocumentView document);
Result<ArchivedDatabase> ArchivedDatabaseFrom(model::DocumentView document);
Result<ArchivedContainer> ArchivedContainerFrom(model::DocumentView document);

// Makes it unless it is there. True: it was made. kAlreadyExists when one of this name is there and
// is set otherwise; only its throughput may differ.
Result<bool> Restore(Catalog& catalog, const ArchivedDatabase& database);
Result<bool> Restore(Catalog& catalog, const ArchivedContainer& container);

}  // namespace orrery::gateway
