#include "api/sql/container/container_form.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "api/sql/container/full_text_policy.h"
#include "api/sql/container/indexing_policy.h"
#include "api/sql/container/kept_properties.h"
#include "api/sql/container/partition_key_definition.h"
#include "api/sql/container/policy_indexes.h"
#include "api/sql/container/spatial_indexes.h"
#include "api/sql/container/vector_policy.h"
#include "api/sql/document/container_names.h"
#include "api/sql/document/etag.h"
#include "api/sql/query/computed/computed_definition.h"
#include "api/sql/query/computed/computed_index.h"

namespace orrery::sql {
namespace {

using gateway::ContainerSettings;
using model::Kind;
using model::Value;

constexpr std::string_view kPolicy = "indexingPolicy";
constexpr std::string_view kTime = "_ts";
constexpr std::string_view kKeyVersion = "partitionKeyVersion";
constexpr std::string_view kComputed = "computedProperties";
constexpr std::string_view kEmbeddings = "vectorEmbeddingPolicy";
constexpr std::string_view kEncryption = "clientEncryptionPolicy";

// Kept as they come and given back.
constexpr std::array<std::string_view, 8> kKept = {
    "conflictResolutionPolicy", "changeFeedPolicy", "geospatialConfig",
    "analyticalStorageTtl",     kComputed,          kEmbeddings,
    "fullTextPolicy",           kEncryption};

std::unexpected<Error> BadContainer(std::string message) {
  return Fail(Code::kInvalidArgument, std::move(message));
}

Value Seconds(Micros time) {
  return Value::Int64(std::chrono::duration_cast<std::chrono::seconds>(time).count());
}

Result<int64_t> IntegerOf(const Value& value, std::string_view name, int64_t low, int64_t high) {
  const bool integer = value.kind() == Kind::kInt32 || value.kind() == Kind::kInt64;
  if (!integer || value.AsInteger() < low || value.AsInteger() > high)
    return BadContainer(fmt::format("'{}' must be a whole number from {} to {}", name, low, high));
  return value.AsInteger();
}

Result<std::optional<int32_t>> DefaultTtl(const Value& body) {
  const Value* ttl = body.Find("defaultTtl");
  if (ttl == nullptr || ttl->is_null()) return std::nullopt;
  ORRERY_ASSIGN(const int64_t seconds,
                IntegerOf(*ttl, "defaultTtl", -1, std::numeric_limits<int32_t>::max()));
  if (seconds == 0) return BadContainer("'defaultTtl' must be -1 or above 0");
  return static_cast<int32_t>(seconds);
}

Result<std::vector<std::vector<std::string>>> UniqueKeys(const Value& policy) {
  std::vector<std::vector<std::string>> keys;
  const Value* listed = policy.Find("uniqueKeys");
  if (listed == nullptr) return keys;
  if (listed->kind() != Kind::kArray)
    return BadContainer("uniqueKeyPolicy: 'uniqueKeys' must be an array");
  for (const Value& key : listed->AsValues()) {
    const Value* paths = key.Find("paths");
    if (paths == nullptr || paths->kind() != Kind::kArray)
      return BadContainer("uniqueKeyPolicy: each of 'uniqueKeys' needs 'paths'");
    keys.emplace_back();
    for (const Value& path : paths->AsValues()) {
      if (path.kind() != Kind::kString)
        return BadContainer("uniqueKeyPolicy: a path must be a string");
      keys.back().push_back(path.AsString());
    }
  }
  return keys;
}

Result<uint32_t> FeedRetention(const Value& body) {
  const Value* policy = body.Find("changeFeedPolicy");
  const Value* minutes = policy == nullptr ? nullptr : policy->Find("retentionDuration");
  if (minutes == nullptr || minutes->is_null()) return 0;
  ORRERY_ASSIGN(const int64_t number, IntegerOf(*minutes, "changeFeedPolicy.retentionDuration", 0,
                                                gateway::kFeedRetentionMinutesMax));
  return static_cast<uint32_t>(number);
}

// Shapes are on the earth (Geography) or on a plane (Geometry), whose part that counts must be
// said.
Status CheckSpatialPolicy(const Value& body) {
  const Value* policy = body.Find(kPolicy);
  const Value* indexes = policy == nullptr ? nullptr : policy->Find("spatialIndexes");
  if (indexes == nullptr) return {};
  const Value* config = body.Find("geospatialConfig");
  const Value* type = config == nullptr ? nullptr : config->Find("type");
  const bool geometry =
      type != nullptr && type->kind() == Kind::kString && type->AsString() == "Geometry";
  return CheckBoundingBoxes(*indexes, geometry);
}

// Reads the properties that may change later as well: everything but names, keys and unique keys.
// `index_id`: the highest that an index of the container has had.
Status ReadChangeable(const Value& body, Micros now, const std::optional<model::Document>& extra,
                      uint32_t index_id, ContainerSettings& settings) {
  ORRERY_TRY(CheckFullTextPolicy(body));
  ORRERY_TRY(CheckVectorPolicy(body));
  const auto part = [&](std::string_view name) {
    const Value* json = body.Find(name);
    return json == nullptr ? Value() : *json;
  };
  ORRERY_ASSIGN(IndexingPolicy policy, IndexingPolicyFrom(part(kPolicy), part(kEmbeddings)));
  policy.settings.named = WithPolicyIndexes(std::move(settings.indexing.named),
                                            std::move(policy.settings.named), index_id);
  settings.indexing = std::move(policy.settings);
  ORRERY_ASSIGN(settings.default_ttl_s, DefaultTtl(body));
  if (settings.default_ttl_s.has_value() && !policy.is_indexed)
    return BadContainer("'defaultTtl' cannot be set where the indexingMode is none");
  ORRERY_ASSIGN(settings.feed_retention_minutes, FeedRetention(body));
  ORRERY_TRY(CheckSpatialPolicy(body));
  if (const Value* computed = body.Find(kComputed); computed != nullptr) {
    ORRERY_TRY(CheckComputedProperties(*computed, FunctionRegistry()));
    settings.indexing.computed = IndexedComputed(*computed, settings.indexing);
  }
  Value kept = KeptProperties(extra);
  SetField(kept, kPolicy, std::move(policy.shown));
  for (const std::string_view name : kKept) {
    const Value* value = body.Find(name);
    SetField(kept, name, value == nullptr || value->is_null() ? Value() : *value);
  }
  SetField(kept, kTime, Seconds(now));
  settings.extra = WithKeptProperties(extra, kept);
  return {};
}

// The first version of hashing is shown only to whoever has asked for it by its number.
bool SaysFirstVersion(const Value* key) {
  const Value* version = key == nullptr || key->is_null() ? nullptr : key->Find("version");
  return version != nullptr && version->kind() == Kind::kInt32 && version->AsInteger() == 1;
}

Result<std::string> IdOf(const Value& body) {
  const Value* id = body.Find("id");
  if (id == nullptr || id->kind() != Kind::kString)
    return BadContainer("'id' is required and must be a string");
  return id->AsString();
}

Value SeenUniqueKeys(const std::vector<std::vector<std::string>>& keys) {
  model::Values shown;
  for (const std::vector<std::string>& paths : keys) {
    model::Values texts;
    for (const std::string& path : paths) texts.push_back(Value::String(path));
    shown.push_back(Value::Object({{"paths", Value::Array(std::move(texts))}}));
  }
  return Value::Object({{"uniqueKeys", Value::Array(std::move(shown))}});
}

Value DefaultConflictPolicy() {
  return Value::Object({{"mode", Value::String("LastWriterWins")},
                        {"conflictResolutionPath", Value::String("/_ts")},
                        {"conflictResolutionProcedure", Value::String("")}});
}

}  // namespace

Result<ContainerSettings> NewContainer(model::DocumentView document, Micros now) {
  const Value body = document.ToObject();
  ContainerSettings settings;
  ORRERY_ASSIGN(settings.name, IdOf(body));
  const Value* key = body.Find("partitionKey");
  if (key != nullptr && !key->is_null()) ORRERY_TRY(ReadPartitionKey(*key, settings));
  if (const Value* unique = body.Find("uniqueKeyPolicy"); unique != nullptr) {
    ORRERY_ASSIGN(settings.unique_keys, UniqueKeys(*unique));
  }
  ORRERY_TRY(ReadChangeable(body, now, std::nullopt, 0, settings));
  if (SaysFirstVersion(key)) {
    Value kept = KeptProperties(settings.extra);
    SetField(kept, kKeyVersion, Value::Int32(1));
    settings.extra = WithKeptProperties(settings.extra, kept);
  }
  return settings;
}

Result<ContainerSettings> ChangedContainer(const gateway::ContainerEntry& entry,
                                           model::DocumentView document, Micros now) {
  const Value body = document.ToObject();
  ContainerSettings settings = entry.settings;
  ORRERY_ASSIGN(const std::string id, IdOf(body));
  if (id != settings.name)
    return BadContainer(
        fmt::format("the id in the body is '{}', the container's is '{}'", id, settings.name));
  if (const Value* key = body.Find("partitionKey"); key != nullptr && !key->is_null()) {
    ContainerSettings given;
    ORRERY_TRY(ReadPartitionKey(*key, given));
    if (given.partition_key_paths != settings.partition_key_paths ||
        given.hashing != settings.hashing) {
      return BadContainer(
          "the partition key of a container cannot be changed: create a new container and copy the "
          "documents over");
    }
  }
  if (const Value* unique = body.Find("uniqueKeyPolicy"); unique != nullptr) {
    ORRERY_ASSIGN(const auto keys, UniqueKeys(*unique));
    if (keys != settings.unique_keys)
      return BadContainer("the unique keys of a container are fixed when it is created");
  }
  ORRERY_TRY(ReadChangeable(body, now, entry.settings.extra, entry.highest_index_id, settings));
  ORRERY_TRY(CheckVectorPolicyChange(KeptProperties(entry.settings.extra), body));
  if (EncryptionPolicyOf(settings) != EncryptionPolicyOf(entry.settings))
    return BadContainer(
        "'clientEncryptionPolicy' cannot be changed as part of collection replace operation.");
  return settings;
}

Value SeenContainer(const gateway::ContainerEntry& entry) {
  const ContainerSettings& settings = entry.settings;
  const ContainerNames names(entry);
  const Value kept = KeptProperties(settings.extra);
  Value seen = Value::Object({{"id", Value::String(settings.name)}});
  const auto add = [&](std::string_view name, Value value) {
    SetField(seen, name, std::move(value));
  };
  const Value* policy = kept.Find(kPolicy);
  add(kPolicy, policy == nullptr ? ShownPolicy(settings.indexing) : *policy);
  Value key = SeenPartitionKey(settings);
  if (const Value* version = kept.Find(kKeyVersion); version != nullptr)
    SetField(key, "version", *version);
  add("partitionKey", std::move(key));
  if (settings.default_ttl_s.has_value()) add("defaultTtl", Value::Int32(*settings.default_ttl_s));
  if (!settings.unique_keys.empty()) add("uniqueKeyPolicy", SeenUniqueKeys(settings.unique_keys));
  add("conflictResolutionPolicy", DefaultConflictPolicy());
  add("geospatialConfig", Value::Object({{"type", Value::String("Geography")}}));
  for (const std::string_view name : kKept)
    if (const Value* value = kept.Find(name); value != nullptr) add(name, *value);
  const Value* time = kept.Find(kTime);
  add("_rid", Value::String(names.rid()));
  add("_ts", time == nullptr ? Value::Int64(0) : *time);
  add("_self", Value::String(names.self()));
  add("_etag", Value::String(ContainerEtag(entry)));
  for (const char* feed : {"docs", "sprocs", "triggers", "udfs", "conflicts"})
    add(fmt::format("_{}", feed), Value::String(fmt::format("{}/", feed)));
  return seen;
}

ComputedProperties ComputedPropertiesOf(const gateway::ContainerEntry& entry) {
  return ComputedProperties(KeptProperty(entry.settings.extra, kComputed));
}

VectorDefaults VectorDefaultsOf(const gateway::ContainerEntry& entry) {
  return VectorDefaults(KeptProperty(entry.settings.extra, "vectorEmbeddingPolicy"));
}

Value EncryptionPolicyOf(const ContainerSettings& settings) {
  return KeptProperty(settings.extra, kEncryption);
}

std::string ContainerEtag(const gateway::ContainerEntry& entry) {
  return FormatEtag(Lsn(uint64_t{entry.id.value()} << 32 | (entry.version & 0xffffffff)));
}

}  // namespace orrery::sql
