#include "portal/json/catalog_json.h"

#include <string_view>

#include "gateway/catalog/settings_codec.h"

namespace orrery::portal {
namespace {

// Returns whose RU/s requests to the container use.
std::string_view ThroughputOf(const gateway::ContainerEntry& container) {
  switch (container.throughput_owner.kind) {
    case cluster::ThroughputOwner::Kind::kContainer:
      return "container";
    case cluster::ThroughputOwner::Kind::kDatabase:
      return "database";
    case cluster::ThroughputOwner::Kind::kSharedPool:
      break;
  }
  if (container.budget != nullptr) return "container";
  return "nobody";
}

}  // namespace

void WriteThroughput(JsonWriter& json, const partition::ThroughputSettings& throughput) {
  switch (throughput.kind) {
    case partition::ThroughputKind::kNone:
      json.Null();
      return;
    case partition::ThroughputKind::kManual:
      json.BeginObject().Field("manual", throughput.request_units_per_second).EndObject();
      return;
    case partition::ThroughputKind::kAutoscale:
      json.BeginObject().Field("autoscaleMax", throughput.request_units_per_second).EndObject();
      return;
  }
}

void WriteDatabase(JsonWriter& json, const gateway::DatabaseEntry& database, size_t containers) {
  json.BeginObject().Field("id", database.name);
  if (database.throughput.kind != partition::ThroughputKind::kNone) {
    json.Key("throughput");
    WriteThroughput(json, database.throughput);
  }
  json.Field("containers", containers).EndObject();
}

void WriteContainer(JsonWriter& json, const gateway::ContainerEntry& container,
                    int index_progress) {
  json.BeginObject()
      .Field("database", container.database_name)
      .Field("id", container.settings.name)
      .Field("kind", container.kind == partition::ContainerKind::kFixed ? "fixed" : "unlimited")
      .Field("throughputOf", ThroughputOf(container))
      .Field("version", container.version)
      .Field("indexProgress", index_progress);
  json.Key("settings").Document(gateway::ToDocument(container.settings)).EndObject();
}

}  // namespace orrery::portal
