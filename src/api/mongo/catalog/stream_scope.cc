#include "api/mongo/catalog/stream_scope.h"

#include <optional>
#include <utility>

#include "api/mongo/error/error_map.h"
#include "base/log.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

constexpr std::string_view kDeploymentMark = "config";  // the database that has it
constexpr std::string_view kWatchedField = "watched";
constexpr int kMarkAttemptsMax = 10;

bool HasMark(const gateway::DatabaseEntry& database) {
  if (!database.extra.has_value()) return false;
  const auto kept = database.extra->view().Find("mongo");
  if (!kept.has_value() || kept->kind() != model::Kind::kObject) return false;
  const auto mark = kept->AsDocument().Find(kWatchedField);
  return mark.has_value() && mark->kind() == model::Kind::kBool && mark->AsBool();
}

model::Document WithMark(const std::optional<model::Document>& extra) {
  model::DocumentBuilder builder;
  std::optional<model::DocumentView> ours;
  if (extra.has_value()) {
    for (const model::ElementView field : extra->view()) {
      if (field.name() == "mongo" && field.kind() == model::Kind::kObject) {
        ours = field.AsDocument();
      } else {
        builder.Append(field.name(), field);
      }
    }
  }
  builder.OpenObject("mongo");
  if (ours.has_value()) {
    for (const model::ElementView field : *ours) {
      if (field.name() != kWatchedField) builder.Append(field.name(), field);
    }
  }
  builder.AppendBool(kWatchedField, true).Close();
  return std::move(builder).Finish();
}

// Notes that new collections of a database are watched; makes the database if there is none.
Status Mark(gateway::Catalog& catalog, std::string_view name) {
  for (int i = 0; i < kMarkAttemptsMax; ++i) {
    const auto entry = catalog.FindDatabase(name);
    if (!entry.has_value()) {
      const auto made = catalog.CreateDatabase(std::string(name), {}, WithMark(std::nullopt));
      if (made.has_value()) return {};
      if (made.error().code() != Code::kAlreadyExists) return Fail(made.error());
      continue;
    }
    if (HasMark(*entry)) return {};
    const auto updated = catalog.UpdateDatabase(name, WithMark(entry->extra), &*entry);
    if (updated.has_value()) return {};
    if (updated.error().code() != Code::kPreconditionFailed) return Fail(updated.error());
  }
  return Fail(Code::kUnavailable, "the database is being changed by others; retry");
}

Status KeepAll(gateway::Gateway& gateway, const StreamScope& scope) {
  const auto snapshot = gateway.catalog().snapshot();
  for (const gateway::DatabaseRef& database : snapshot->ListDatabases()) {
    for (const gateway::ContainerRef& container : snapshot->ListContainers(database->id)) {
      if (!IsWatchable(*container) || !scope.Has(database->name, container->settings.name))
        continue;
      const Status kept = KeepHistory(gateway, *container);
      if (!kept.has_value() && kept.error().code() != Code::kNotFound) return kept;
    }
  }
  return {};
}

}  // namespace

bool WantsImages(model::DocumentView options) {
  const auto images = options.Find("changeStreamPreAndPostImages");
  if (!images.has_value() || images->kind() != model::Kind::kObject) return false;
  const auto enabled = images->AsDocument().Find("enabled");
  return enabled.has_value() && enabled->kind() == model::Kind::kBool && enabled->AsBool();
}

bool IsInternalDatabase(std::string_view database) {
  return database == "admin" || database == "config" || database == "local";
}

bool IsWatchable(const gateway::ContainerEntry& container) {
  return !container.settings.rows.has_value() && !IsInternalDatabase(container.database_name) &&
         !container.settings.name.starts_with("system.");
}

bool StreamScope::Has(std::string_view database, std::string_view collection) const {
  switch (kind) {
    case Kind::kCollection:
      return database == name.database && collection == name.collection;
    case Kind::kDatabase:
      return database == name.database;
    case Kind::kDeployment:
      return !IsInternalDatabase(database);
  }
  return false;
}

bool IsWatched(const gateway::CatalogSnapshot& catalog, std::string_view database) {
  const gateway::DatabaseRef own = catalog.Database(database);
  if (own != nullptr && HasMark(*own)) return true;
  const gateway::DatabaseRef all = catalog.Database(kDeploymentMark);
  return all != nullptr && HasMark(*all);
}

Status KeepHistory(gateway::Gateway& gateway, const gateway::ContainerEntry& container) {
  for (int i = 0; i < kMarkAttemptsMax; ++i) {
    const auto snapshot = gateway.catalog().snapshot();
    const gateway::ContainerRef newest = snapshot->Newest(container);
    if (newest == nullptr) return Fail(Code::kNotFound, "the collection was dropped");
    if (newest->settings.feed_retention_minutes > 0) return {};
    gateway::ContainerSettings settings = newest->settings;
    settings.feed_retention_minutes = kHistoryMinutes;
    const auto updated =
        gateway.catalog().UpdateContainer(newest->database_name, settings, newest.get());
    if (updated.has_value()) return {};
    if (updated.error().code() != Code::kPreconditionFailed) return Fail(updated.error());
    gateway.catalog().WaitForIndexes(*newest);
  }
  return Fail(Code::kUnavailable, "the collection is being changed by others; retry");
}

Outcome Watch(gateway::Gateway& gateway, const StreamScope& scope) {
  gateway::Catalog& catalog = gateway.catalog();
  const auto watch = [&]() -> Status {
    if (scope.kind == StreamScope::Kind::kCollection) {
      const auto found = catalog.FindContainer(scope.name.database, scope.name.collection);
      if (found.has_value()) return KeepHistory(gateway, **found);
    }
    // Before the collections: one that is made meanwhile sees the mark, or is seen below.
    const bool is_all = scope.kind == StreamScope::Kind::kDeployment;
    ORRERY_TRY(Mark(catalog, is_all ? kDeploymentMark : std::string_view(scope.name.database)));
    return KeepAll(gateway, scope);
  };
  if (const Status status = watch(); !status.has_value()) return Refuse(status.error());
  return {};
}

void PurgeStreamHistory(gateway::Gateway& gateway) {
  const Micros now = gateway.times().Latest();
  const Status purged = gateway.catalog().PurgeHistory(now - kStreamHistory, now - kDroppedHistory);
  if (!purged.has_value())
    LogWarn("what change streams need no more was not forgotten: {}", purged.error().message());
}

}  // namespace orrery::mongo
