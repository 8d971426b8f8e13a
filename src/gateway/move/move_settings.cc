#include "gateway/move/move_settings.h"

#include <fmt/format.h>

#include <array>
#include <ranges>

#include "gateway/catalog/document_fields.h"
#include "gateway/catalog/settings_codec.h"
#include "gateway/view/key_naming.h"
#include "model/document/document_builder.h"
#include "model/path/path.h"

namespace orrery::gateway {
namespace {

constexpr std::string_view kMongoExtra = "mongo";
constexpr std::array<std::string_view, 4> kMovable = {"partitionKey", "throughput", "uniqueKeys",
                                                      "indexingPolicy"};

// MongoDB's collections keep their shard key among the fields of their API, too.
void NameShardKey(ContainerSettings& settings) {
  if (!settings.extra.has_value()) return;
  const auto kept = settings.extra->view().Find(kMongoExtra);
  if (!kept.has_value() || kept->kind() != model::Kind::kObject) return;
  model::DocumentBuilder builder;
  for (const model::ElementView field : settings.extra->view()) {
    if (field.name() != kMongoExtra) {
      builder.Append(field.name(), field);
      continue;
    }
    builder.OpenObject(kMongoExtra);
    for (const model::ElementView inner : kept->AsDocument())
      if (inner.name() != "shardKey" && inner.name() != "hashed") builder.Append(inner.name(), inner);
    if (!settings.partition_key_paths.empty()) {
      std::string dotted;
      if (const auto path = model::Path::Parse(settings.partition_key_paths.front());
          path.has_value()) {
        for (const std::string& step : path->steps()) dotted += (dotted.empty() ? "" : ".") + step;
      }
      builder.AppendString("shardKey", dotted).AppendBool("hashed", true);
    }
    builder.Close();
  }
  settings.extra = std::move(builder).Finish();
}

bool IsMovable(std::string_view name) {
  return std::ranges::find(kMovable, name) != kMovable.end();
}

}  // namespace

bool HasSameKeys(const ContainerSettings& a, const ContainerSettings& b) {
  return a.partition_key_paths == b.partition_key_paths && a.hashing == b.hashing &&
         a.row_key_path == b.row_key_path;
}

Result<ContainerSettings> SettingsOfMove(const ContainerEntry& source,
                                         model::DocumentView changes) {
  if (source.settings.rows.has_value()) {
    return Fail(Code::kUnsupported,
                fmt::format("'{}' is a Cassandra table: containers of documents can be moved, as "
                            "the key of a table is part of its schema",
                            source.settings.name));
  }
  model::DocumentBuilder builder;
  const model::Document today = ToDocument(source.settings);
  for (const model::ElementView field : today.view())
    if (!changes.Find(field.name()).has_value()) builder.Append(field.name(), field);
  for (const model::ElementView field : changes) {
    if (!IsMovable(field.name()))
      return UnknownField("a move", field.name(),
                          "partitionKey, throughput, uniqueKeys, indexingPolicy");
    if (field.kind() != model::Kind::kNull) builder.Append(field.name(), field);
  }
  const model::Document merged = std::move(builder).Finish();
  ORRERY_ASSIGN(ContainerSettings settings, ContainerSettingsFrom(merged));
  if (settings == source.settings) {
    return Fail(Code::kInvalidArgument,
                fmt::format("nothing would change: name another partitionKey or throughput for '{}'",
                            source.settings.name));
  }
  if (ApiOf(source) == "table" && !HasSameKeys(settings, source.settings)) {
    return Fail(Code::kInvalidArgument,
                "the key of a table of the Table API is PartitionKey, always: its throughput can "
                "be moved, its key cannot");
  }
  if (!HasSameKeys(settings, source.settings)) {
    if (ApiOf(source) == "mongo" && settings.partition_key_paths.size() > 1)
      return Fail(Code::kInvalidArgument, "a collection's shard key is one field");
    NameShardKey(settings);
  }
  return settings;
}

}  // namespace orrery::gateway
