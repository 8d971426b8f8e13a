#include "gateway/archive/archive_catalog.h"

#include <fmt/format.h>

#include <utility>

#include "gateway/catalog/document_fields.h"
#include "gateway/catalog/settings_codec.h"
#include "model/document/document_builder.h"

namespace orrery::gateway {
namespace {

constexpr int64_t kArchiveCatalogVersion = 1;

// `make` is called with each element, which must be an object.
template <typename Make>
Status ForEachObject(const model::ElementView& field, Make make) {
  ORRERY_ASSIGN(const model::DocumentView array, ArrayField(field));
  for (const model::ElementView& element : array) {
    ORRERY_ASSIGN(const model::DocumentView object, ObjectField(element));
    ORRERY_TRY(make(object));
  }
  return {};
}

Status Missing(std::string_view of, std::string_view field) {
  return Fail(Code::kInvalidArgument, fmt::format("the {} has no '{}'", of, field));
}

}  // namespace

ArchivedCatalog ArchiveOf(const CatalogSnapshot& snapshot) {
  ArchivedCatalog catalog;
  for (const DatabaseRef& database : snapshot.ListDatabases()) {
    catalog.databases.push_back({database->name, database->throughput, database->extra});
    for (const ContainerRef& container : snapshot.ListContainers(database->id)) {
      catalog.containers.push_back({.database = database->name,
                                    .shared_pool = container->budget != nullptr,
                                    .settings = container->settings});
    }
  }
  return catalog;
}

model::Document ToDocument(const ArchivedDatabase& database) {
  model::DocumentBuilder builder;
  builder.AppendString("name", database.name);
  AppendThroughput(builder, "throughput", database.throughput);
  if (database.extra.has_value()) builder.AppendDocument("extra", *database.extra);
  return std::move(builder).Finish();
}

model::Document ToDocument(const ArchivedContainer& container) {
  model::DocumentBuilder builder;
  builder.AppendString("database", container.database);
  if (container.shared_pool) builder.AppendBool("commons", true);
  builder.AppendDocument("settings", ToDocument(container.settings));
  return std::move(builder).Finish();
}

model::Document ToDocument(const ArchivedCatalog& catalog) {
  model::DocumentBuilder builder;
  builder.AppendInt32("version", kArchiveCatalogVersion);
  size_t number = 0;
  builder.OpenArray("databases");
  for (const ArchivedDatabase& database : catalog.databases)
    builder.AppendDocument(std::to_string(number++), ToDocument(database));
  builder.Close();
  number = 0;
  builder.OpenArray("containers");
  for (const ArchivedContainer& container : catalog.containers)
    builder.AppendDocument(std::to_string(number++), ToDocument(container));
  builder.Close();
  return std::move(builder).Finish();
}

Result<ArchivedDatabase> ArchivedDatabaseFrom(model::DocumentView document) {
  ArchivedDatabase database;
  for (const model::ElementView& field : document) {
    if (field.name() == "name") {
      ORRERY_ASSIGN(database.name, StringField(field));
    } else if (field.name() == "throughput") {
      ORRERY_ASSIGN(const auto throughput, ObjectField(field));
      ORRERY_ASSIGN(database.throughput, ThroughputFrom(throughput));
    } else if (field.name() == "extra") {
      ORRERY_ASSIGN(const auto extra, ObjectField(field));
      database.extra = model::Document::Trusted(std::string(extra.bson()));
    } else {
      return UnknownField("database", field.name(), "name, throughput, extra");
    }
  }
  if (database.name.empty()) ORRERY_TRY(Missing("database", "name"));
  return database;
}

Result<ArchivedContainer> ArchivedContainerFrom(model::DocumentView document) {
  ArchivedContainer container;
  for (const model::ElementView& field : document) {
    if (field.name() == "database") {
      ORRERY_ASSIGN(container.database, StringField(field));
    } else if (field.name() == "commons") {
      ORRERY_ASSIGN(container.shared_pool, BoolField(field));
    } else if (field.name() == "settings") {
      ORRERY_ASSIGN(const auto settings, ObjectField(field));
      ORRERY_ASSIGN(container.settings, ContainerSettingsFrom(settings));
    } else {
      return UnknownField("container", field.name(), "database, commons, settings");
    }
  }
  if (container.database.empty()) ORRERY_TRY(Missing("container", "database"));
  if (container.settings.name.empty()) ORRERY_TRY(Missing("container", "settings"));
  return container;
}

Result<ArchivedCatalog> ArchivedCatalogFrom(model::DocumentView document) {
  ArchivedCatalog catalog;
  int64_t version = 0;
  for (const model::ElementView& field : document) {
    if (field.name() == "version") {
      ORRERY_ASSIGN(version, IntegerField(field, 1, INT32_MAX));
      if (version > kArchiveCatalogVersion) {
        return Fail(Code::kUnsupported,
                    fmt::format("the catalog has version {}; this Orrery reads up to {}", version,
                                kArchiveCatalogVersion));
      }
    } else if (field.name() == "databases") {
      ORRERY_TRY(ForEachObject(field, [&](model::DocumentView object) -> Status {
        ORRERY_ASSIGN(catalog.databases.emplace_back(), ArchivedDatabaseFrom(object));
        return {};
      }));
    } else if (field.name() == "containers") {
      ORRERY_TRY(ForEachObject(field, [&](model::DocumentView object) -> Status {
        ORRERY_ASSIGN(catalog.containers.emplace_back(), ArchivedContainerFrom(object));
        return {};
      }));
    } else {
      return UnknownField("catalog", field.name(), "version, databases, containers");
    }
  }
  if (version == 0) ORRERY_TRY(Missing("catalog", "version"));
  return catalog;
}

Result<bool> Restore(Catalog& catalog, const ArchivedDatabase& database) {
  const auto there = catalog.FindDatabase(database.name);
  if (!there.has_value()) {
    if (there.error().code() != Code::kNotFound) return Fail(there.error());
    ORRERY_TRY(catalog.CreateDatabase(database.name, database.throughput, database.extra));
    return true;
  }
  if (there->extra == database.extra) return false;
  return Fail(Code::kAlreadyExists,
              fmt::format("there is a database '{}' already, and what its API keeps about it "
                          "(keyspace, types, functions, roles, users) is not the same",
                          database.name));
}

Result<bool> Restore(Catalog& catalog, const ArchivedContainer& container) {
  const auto there = catalog.FindContainer(container.database, container.settings.name);
  if (!there.has_value()) {
    if (there.error().code() != Code::kNotFound) return Fail(there.error());
    ContainerSettings settings = container.settings;
    partition::ThroughputSettings fallback;
    if (container.shared_pool) fallback = std::exchange(settings.throughput, {});
    ORRERY_TRY(catalog.CreateContainer(container.database, std::move(settings), fallback));
    return true;
  }
  ContainerSettings wanted = container.settings;
  wanted.throughput = (*there)->settings.throughput;
  if (wanted == (*there)->settings) return false;
  return Fail(Code::kAlreadyExists,
              fmt::format("there is a container '{}' already, with other settings (partition key, "
                          "indexes, columns or others)",
                          container.FullName()));
}

}  // namespace orrery::gateway
