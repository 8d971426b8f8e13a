#include "gateway/catalog/catalog_codec.h"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "gateway/catalog/document_fields.h"
#include "gateway/catalog/settings_codec.h"
#include "model/document/document.h"
#include "model/document/document_builder.h"

namespace orrery::gateway {
namespace {

using cluster::ThroughputOwner;
using model::DocumentBuilder;
using model::DocumentView;
using model::ElementView;
using partition::ContainerKind;

constexpr int32_t kRecordVersion = 3;
constexpr int32_t kVersionWithoutWholeKeys = 2;
constexpr int32_t kVersionWithoutTypeIndex = 1;
constexpr int64_t kInt64Max = std::numeric_limits<int64_t>::max();
constexpr int64_t kIdMax = std::numeric_limits<uint32_t>::max();

constexpr std::string_view kFixed = "fixed";
constexpr std::string_view kUnlimited = "unlimited";
constexpr std::string_view kOwn = "container";
constexpr std::string_view kShared = "database";
constexpr std::string_view kSharedPool = "commons";

std::string RecordKey(std::string_view prefix, uint32_t id) {
  std::string key(prefix);
  AppendBigEndian(key, id);
  return key;
}

std::string_view NameOf(ThroughputOwner::Kind kind) {
  switch (kind) {
    case ThroughputOwner::Kind::kContainer:
      return kOwn;
    case ThroughputOwner::Kind::kDatabase:
      return kShared;
    case ThroughputOwner::Kind::kSharedPool:
      break;
  }
  return kSharedPool;
}

Result<ThroughputOwner::Kind> ThroughputOwnerKindFrom(const ElementView& field) {
  ORRERY_ASSIGN(const std::string name, StringField(field));
  if (name == kOwn) return ThroughputOwner::Kind::kContainer;
  if (name == kShared) return ThroughputOwner::Kind::kDatabase;
  if (name == kSharedPool) return ThroughputOwner::Kind::kSharedPool;
  return Fail(Code::kInvalidArgument, fmt::format("unknown throughput owner '{}'", name));
}

Result<ContainerKind> ContainerKindFrom(const ElementView& field) {
  ORRERY_ASSIGN(const std::string name, StringField(field));
  if (name == kFixed) return ContainerKind::kFixed;
  if (name == kUnlimited) return ContainerKind::kUnlimited;
  return Fail(Code::kInvalidArgument, fmt::format("unknown kind '{}'", name));
}

ThroughputOwner ThroughputOwnerOf(ThroughputOwner::Kind kind, const ContainerEntry& entry) {
  switch (kind) {
    case ThroughputOwner::Kind::kContainer:
      return ThroughputOwner::Of(entry.id);
    case ThroughputOwner::Kind::kDatabase:
      return ThroughputOwner::Of(entry.database);
    case ThroughputOwner::Kind::kSharedPool:
      break;
  }
  return ThroughputOwner::SharedPool();
}

// Looks at the version before anything else: other fields may mean something else in a newer one.
Status CheckVersion(DocumentView record) {
  const auto version = record.Find("version");
  if (!version.has_value()) return Fail(Code::kInvalidArgument, "it has no version");
  ORRERY_ASSIGN(const int64_t number, IntegerField(*version, 1, kInt64Max));
  if (number > kRecordVersion) {
    return Fail(Code::kUnsupported,
                fmt::format("it was written by a newer version of Orrery (format {}); use that one",
                            number));
  }
  return {};
}

Result<std::vector<uint32_t>> IdsField(const ElementView& field) {
  ORRERY_ASSIGN(const DocumentView array, ArrayField(field));
  std::vector<uint32_t> ids;
  for (const ElementView element : array) {
    ORRERY_ASSIGN(const int64_t id, IntegerField(element, 1, kIdMax));
    ids.push_back(static_cast<uint32_t>(id));
  }
  return ids;
}

void AppendIds(DocumentBuilder& builder, std::string_view name, const std::vector<uint32_t>& ids) {
  if (ids.empty()) return;
  builder.OpenArray(name);
  for (size_t i = 0; i < ids.size(); ++i) builder.AppendInt64(std::to_string(i), ids[i]);
  builder.Close();
}

Status ReadDatabaseField(const ElementView& field, DatabaseEntry& entry) {
  const std::string_view name = field.name();
  if (name == "id") {
    ORRERY_ASSIGN(const int64_t id, IntegerField(field, 1, kIdMax));
    entry.id = DatabaseId(static_cast<uint32_t>(id));
  } else if (name == "name") {
    ORRERY_ASSIGN(entry.name, StringField(field));
  } else if (name == "throughput") {
    ORRERY_ASSIGN(const DocumentView throughput, ObjectField(field));
    ORRERY_ASSIGN(entry.throughput, ThroughputFrom(throughput));
  } else if (name == "highestThroughput") {
    ORRERY_ASSIGN(entry.highest_throughput, IntegerField(field, 0, kInt64Max));
  } else if (name == "extra") {
    ORRERY_ASSIGN(const DocumentView extra, ObjectField(field));
    entry.extra = model::Document::Trusted(std::string(extra.bson()));
  } else if (name != "version") {
    return Fail(Code::kCorruption, fmt::format("it has an unknown field '{}'", name));
  }
  return {};
}

Status ReadContainerField(const ElementView& field, ContainerEntry& entry,
                          ThroughputOwner::Kind& throughput_owner) {
  const std::string_view name = field.name();
  if (name == "id") {
    ORRERY_ASSIGN(const int64_t id, IntegerField(field, 1, kIdMax));
    entry.id = ContainerId(static_cast<uint32_t>(id));
  } else if (name == "database") {
    ORRERY_ASSIGN(const int64_t id, IntegerField(field, 1, kIdMax));
    entry.database = DatabaseId(static_cast<uint32_t>(id));
  } else if (name == "settings") {
    ORRERY_ASSIGN(const DocumentView settings, ObjectField(field));
    ORRERY_ASSIGN(entry.settings, ContainerSettingsFrom(settings));
  } else if (name == "kind") {
    ORRERY_ASSIGN(entry.kind, ContainerKindFrom(field));
  } else if (name == "tenancy") {
    ORRERY_ASSIGN(throughput_owner, ThroughputOwnerKindFrom(field));
  } else if (name == "highestThroughput") {
    ORRERY_ASSIGN(entry.highest_throughput, IntegerField(field, 0, kInt64Max));
  } else if (name == "highestIndexId") {
    ORRERY_ASSIGN(const int64_t id, IntegerField(field, 0, kIdMax));
    entry.highest_index_id = static_cast<uint32_t>(id);
  } else if (name == "changes") {
    ORRERY_ASSIGN(const int64_t changes, IntegerField(field, 1, kInt64Max));
    entry.version = static_cast<uint64_t>(changes);
  } else if (name == "indexesKinds") {
    ORRERY_ASSIGN(entry.has_type_index, BoolField(field));
  } else if (name == "indexesWholeKeys") {
    ORRERY_ASSIGN(entry.indexes_whole_keys, BoolField(field));
  } else if (name == "formerIndexing") {
    ORRERY_ASSIGN(const DocumentView former, ObjectField(field));
    ORRERY_ASSIGN(entry.former_indexing, IndexingFrom(former));
  } else if (name == "rowIndexesBuilding") {
    ORRERY_ASSIGN(entry.row_indexes.building, IdsField(field));
  } else if (name == "rowIndexesDropping") {
    ORRERY_ASSIGN(entry.row_indexes.dropping, IdsField(field));
  } else if (name == "droppedAt") {
    ORRERY_ASSIGN(const int64_t time, IntegerField(field, 0, kInt64Max));
    entry.dropped_at = Micros(time);
  } else if (name == "feedSince") {
    ORRERY_ASSIGN(const int64_t time, IntegerField(field, 0, kInt64Max));
    entry.feed_since = Micros(time);
  } else if (name == "droppedFrom") {
    ORRERY_ASSIGN(entry.database_name, StringField(field));
  } else if (name != "version") {
    return Fail(Code::kCorruption, fmt::format("it has an unknown field '{}'", name));
  }
  return {};
}

// Any error in a stored record is damage for the process that opens the data directory.
Error Damaged(std::string_view what, const Error& error) {
  const Code code = error.code() == Code::kUnsupported ? Code::kUnsupported : Code::kCorruption;
  return Error(
      code, fmt::format("the catalog's record of a {} cannot be read: {}", what, error.message()));
}

Result<DatabaseEntry> ReadDatabase(std::string_view bytes) {
  ORRERY_ASSIGN(const DocumentView record, DocumentView::FromBson(bytes));
  ORRERY_TRY(CheckVersion(record));
  DatabaseEntry entry;
  for (const ElementView field : record) ORRERY_TRY(ReadDatabaseField(field, entry));
  if (entry.id == DatabaseId() || entry.name.empty())
    return Fail(Code::kCorruption, "its id or name is missing");
  return entry;
}

Result<ContainerEntry> ReadContainer(std::string_view bytes) {
  ORRERY_ASSIGN(const DocumentView record, DocumentView::FromBson(bytes));
  ORRERY_TRY(CheckVersion(record));
  ContainerEntry entry;
  ThroughputOwner::Kind throughput_owner = ThroughputOwner::Kind::kSharedPool;
  for (const ElementView field : record)
    ORRERY_TRY(ReadContainerField(field, entry, throughput_owner));
  if (entry.id == ContainerId() || entry.database == DatabaseId() || entry.settings.name.empty()) {
    return Fail(Code::kCorruption, "its id, database or settings are missing");
  }
  entry.throughput_owner = ThroughputOwnerOf(throughput_owner, entry);
  return entry;
}

}  // namespace

std::string DatabaseRecordKey(DatabaseId id) { return RecordKey(kDatabasePrefix, id.value()); }
std::string ContainerRecordKey(ContainerId id) { return RecordKey(kContainerPrefix, id.value()); }

std::string EncodeDatabase(const DatabaseEntry& entry) {
  DocumentBuilder builder;
  builder.AppendInt32("version", kVersionWithoutTypeIndex);
  builder.AppendInt64("id", entry.id.value());
  builder.AppendString("name", entry.name);
  AppendThroughput(builder, "throughput", entry.throughput);
  if (entry.highest_throughput > 0)
    builder.AppendInt64("highestThroughput", entry.highest_throughput);
  if (entry.extra.has_value()) builder.AppendDocument("extra", *entry.extra);
  return std::move(builder).Finish().Release();
}

std::string EncodeContainer(const ContainerEntry& entry) {
  DocumentBuilder builder;
  builder.AppendInt32("version", entry.indexes_whole_keys ? kRecordVersion
                                 : entry.has_type_index   ? kVersionWithoutWholeKeys
                                                          : kVersionWithoutTypeIndex);
  builder.AppendInt64("id", entry.id.value());
  builder.AppendInt64("database", entry.database.value());
  builder.AppendDocument("settings", ToDocument(entry.settings));
  builder.AppendString("kind", entry.kind == ContainerKind::kFixed ? kFixed : kUnlimited);
  builder.AppendString("tenancy", NameOf(entry.throughput_owner.kind));
  if (entry.highest_throughput > 0)
    builder.AppendInt64("highestThroughput", entry.highest_throughput);
  if (entry.highest_index_id > 0) builder.AppendInt64("highestIndexId", entry.highest_index_id);
  builder.AppendInt64("changes", static_cast<int64_t>(entry.version));
  if (entry.has_type_index) builder.AppendBool("indexesKinds", true);
  if (entry.indexes_whole_keys) builder.AppendBool("indexesWholeKeys", true);
  if (entry.former_indexing.has_value())
    AppendIndexing(builder, "formerIndexing", *entry.former_indexing);
  AppendIds(builder, "rowIndexesBuilding", entry.row_indexes.building);
  AppendIds(builder, "rowIndexesDropping", entry.row_indexes.dropping);
  if (entry.feed_since > Micros(0)) builder.AppendInt64("feedSince", entry.feed_since.count());
  if (entry.dropped_at.has_value()) {
    builder.AppendInt64("droppedAt", entry.dropped_at->count());
    builder.AppendString("droppedFrom", entry.database_name);
  }
  return std::move(builder).Finish().Release();
}

Result<DatabaseEntry> DecodeDatabase(std::string_view bytes) {
  auto entry = ReadDatabase(bytes);
  if (!entry.has_value()) return Fail(Damaged("database", std::move(entry).error()));
  return entry;
}

Result<ContainerEntry> DecodeContainer(std::string_view bytes) {
  auto entry = ReadContainer(bytes);
  if (!entry.has_value()) return Fail(Damaged("container", std::move(entry).error()));
  return entry;
}

std::string EncodeCatalogVersion(uint64_t version) {
  std::string bytes;
  AppendVarint(bytes, version);
  return bytes;
}

Result<uint64_t> DecodeCatalogVersion(std::string_view bytes) {
  ByteReader reader(bytes);
  uint64_t version = 0;
  if (!reader.ReadVarint(version) || !reader.empty())
    return Fail(Code::kCorruption, "the catalog's version in the system store is damaged");
  return version;
}

}  // namespace orrery::gateway
