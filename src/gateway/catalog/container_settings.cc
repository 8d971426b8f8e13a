#include "gateway/catalog/container_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "gateway/catalog/parse_paths.h"
#include "gateway/catalog/settings_codec.h"
#include "model/document/document_builder.h"
#include "model/path/path.h"

namespace orrery::gateway {
namespace {

using partition::KeyHashing;

std::unexpected<Error> Invalid(std::string message) {
  return Fail(Code::kInvalidArgument, std::move(message));
}

Status ValidatePaths(std::string_view what, const std::vector<std::string>& paths) {
  std::set<std::string_view> seen;
  for (const std::string& path : paths) {
    const auto parsed = model::Path::Parse(path);
    if (!parsed.has_value()) {
      return Invalid(fmt::format("{} path '{}': {}", what, path, parsed.error().message()));
    }
    if (parsed->steps().empty())
      return Invalid(fmt::format("a {} path must name a field, for example '/name'", what));
    if (!seen.insert(path).second)
      return Invalid(fmt::format("{} path '{}' is given twice", what, path));
  }
  return {};
}

Status ValidateKey(const ContainerSettings& settings) {
  const size_t count = settings.partition_key_paths.size();
  ORRERY_TRY(ValidatePaths("partition key", settings.partition_key_paths));
  switch (settings.hashing) {
    case KeyHashing::kCassandra:
      if (count == 0 || count > kCassandraKeyPathsMax) {
        return Invalid(
            fmt::format("a Cassandra table's partition key has {} columns; it needs 1 to {}", count,
                        kCassandraKeyPathsMax));
      }
      break;
    case KeyHashing::kMultiHash:
      if (count == 0 || count > partition::kMultiHashPathsMax) {
        return Invalid(fmt::format(
            "Too many partition key paths, or none: a hierarchical partition key (kind MultiHash) "
            "has {} paths; it needs 1 to {}",
            count, partition::kMultiHashPathsMax));
      }
      break;
    case KeyHashing::kV1:
    case KeyHashing::kV2:
      if (count > 1) {
        return Invalid(fmt::format(
            "the partition key has {} paths; use one, or kind MultiHash for up to {} levels", count,
            partition::kMultiHashPathsMax));
      }
      break;
  }
  return ValidatePaths("row key", {settings.row_key_path});
}

Status ValidateUniqueKeys(const ContainerSettings& settings) {
  if (settings.unique_keys.size() > kUniqueKeysMax) {
    return Invalid(fmt::format("{} unique keys are given, the most is {}",
                               settings.unique_keys.size(), kUniqueKeysMax));
  }
  std::set<std::vector<std::string>> seen;
  for (const std::vector<std::string>& paths : settings.unique_keys) {
    if (paths.empty() || paths.size() > kUniqueKeyPathsMax) {
      return Invalid(fmt::format("a unique key has {} paths; it needs 1 to {}", paths.size(),
                                 kUniqueKeyPathsMax));
    }
    ORRERY_TRY(ValidatePaths("unique key", paths));
    if (!seen.insert(paths).second) {
      return Invalid(
          fmt::format("the unique key over '{}' is given twice", fmt::join(paths, "', '")));
    }
  }
  return {};
}

Status ValidateIndexing(const IndexingSettings& indexing) {
  if (indexing.included_paths.size() + indexing.excluded_paths.size() > kIndexPatternsMax) {
    return Invalid(fmt::format("the indexing policy has more than {} included and excluded paths",
                               kIndexPatternsMax));
  }
  if (indexing.automatic) {
    auto policy = item::IndexPolicy::FromPatterns(indexing.included_paths, indexing.excluded_paths);
    if (!policy.has_value()) return Fail(std::move(policy).error().Annotate("indexing policy"));
  }
  if (indexing.computed.size() > kComputedMax)
    return Invalid(fmt::format("{} computed values are given, the most is {}",
                               indexing.computed.size(), kComputedMax));
  if (indexing.named.size() > kNamedIndexesMax) {
    return Invalid(fmt::format("{} named indexes are given, the most is {}", indexing.named.size(),
                               kNamedIndexesMax));
  }
  std::set<uint32_t> ids;
  std::set<std::string_view> names;
  for (const item::NamedIndex& index : indexing.named) {
    if (index.name.empty() || !names.insert(index.name).second) {
      return Invalid(
          fmt::format("each named index needs a name of its own; '{}' is not", index.name));
    }
    if (index.id == 0 || !ids.insert(index.id).second) {
      return Invalid(
          fmt::format("index '{}' needs an id above 0 that no other index has", index.name));
    }
    if (index.paths.empty() || index.paths.size() > kNamedIndexPathsMax) {
      return Invalid(fmt::format("index '{}' has {} paths; it needs 1 to {}", index.name,
                                 index.paths.size(), kNamedIndexPathsMax));
    }
    const bool is_at_root = index.kind != item::IndexKind::kWildcard &&
                            index.kind != item::IndexKind::kSearchTerms && !index.paths.empty() &&
                            index.paths.front().steps().empty();
    if (index.kind != item::IndexKind::kValues && (index.paths.size() != 1 || is_at_root)) {
      return Invalid(fmt::format("index '{}' is of one path, below the document", index.name));
    }
    if (index.kind == item::IndexKind::kVectors &&
        (index.vectors.dimensions == 0 || index.vectors.dimensions > model::kVectorDimensionsMax)) {
      return Invalid(fmt::format("index '{}' is of vectors with {} dimensions; it needs 1 to {}",
                                 index.name, index.vectors.dimensions,
                                 model::kVectorDimensionsMax));
    }
    if (index.kind != item::IndexKind::kValues && (index.unique || index.sparse)) {
      return Invalid(fmt::format("index '{}' is neither unique nor sparse, as it is not of values",
                                 index.name));
    }
    if (!index.directions.empty() && index.directions.size() != index.paths.size()) {
      return Invalid(fmt::format("index '{}' has {} paths and {} directions", index.name,
                                 index.paths.size(), index.directions.size()));
    }
  }
  return {};
}

Status ValidateRowIndexes(const item::RowRules& rows) {
  if (rows.indexes.size() > kRowIndexesMax) {
    return Invalid(fmt::format("{} indexes of rows are given, the most is {}", rows.indexes.size(),
                               kRowIndexesMax));
  }
  std::set<uint32_t> ids;
  for (const item::RowIndex& index : rows.indexes) {
    if (index.id == 0 || !ids.insert(index.id).second) {
      return Invalid(fmt::format(
          "each index of rows needs an id above 0 that no other has; {} is not", index.id));
    }
  }
  return {};
}

Result<item::IndexPolicy> PolicyOf(const IndexingSettings& indexing, const StoredIndexing& stored,
                                   std::span<const model::Path> key_paths,
                                   const item::ComputedMaker* computed) {
  item::IndexPolicy policy;
  if (indexing.automatic) {
    ORRERY_ASSIGN(
        policy, item::IndexPolicy::FromPatterns(indexing.included_paths, indexing.excluded_paths));
  }
  policy = policy.WithNamed(indexing.named);
  if (stored.has_type_index) policy = policy.WithTypeIndex();
  if (stored.has_whole_keys) policy = policy.WithWholeValues(key_paths);
  if (indexing.computed.empty()) return policy;
  if (computed == nullptr)
    return Fail(Code::kUnsupported, "nobody here can compute what the container has indexes of");
  ORRERY_ASSIGN(auto values, computed->Make(indexing.computed));
  return policy.WithComputed(indexing.computed, std::move(values));
}

}  // namespace

uint32_t HighestIndexId(const ContainerSettings& settings) {
  uint32_t highest = 0;
  for (const item::NamedIndex& index : settings.indexing.named)
    highest = std::max(highest, index.id);
  if (settings.rows.has_value()) {
    for (const item::RowIndex& index : settings.rows->indexes)
      highest = std::max(highest, index.id);
  }
  return highest;
}

Status ValidateName(std::string_view kind, std::string_view name) {
  if (name.empty())
    return Invalid(
        fmt::format("the {} has no name: give one of 1 to {} bytes", kind, kNameBytesMax));
  if (name.size() > kNameBytesMax) {
    return Invalid(
        fmt::format("the {0}'s name has {1} bytes, the most is {2}. Ensure to provide a unique "
                    "non-empty string "
                    "less than '{2}' characters.",
                    kind, name.size(), kNameBytesMax));
  }
  const auto forbidden = [](char c) {
    return static_cast<uint8_t>(c) < 0x20 || c == 0x7f || c == '/' || c == '\\' || c == '?' ||
           c == '#';
  };
  if (std::ranges::any_of(name, forbidden)) {
    return Invalid(fmt::format(
        "the {}'s name must not contain '/', '\\', '?', '#' or control characters", kind));
  }
  if (name.ends_with(' '))
    return Invalid(fmt::format("the {}'s name must not end with a space", kind));
  // Names are kept in BSON, whose strings are UTF-8.
  model::DocumentBuilder builder;
  builder.AppendString("id", name);
  if (!model::DocumentView::FromBson(std::move(builder).Finish().bson()).has_value()) {
    return Invalid(fmt::format("the {}'s name is not valid UTF-8", kind));
  }
  return {};
}

Status ValidateDatabaseExtra(const std::optional<model::Document>& extra) {
  const size_t bytes = extra.has_value() ? extra->bson().size() : 0;
  if (bytes <= kSettingsBytesMax) return {};
  return Fail(Code::kTooLarge, fmt::format("the database's settings take {} bytes, the most is {}",
                                           bytes, kSettingsBytesMax));
}

Status Validate(const ContainerSettings& settings, const partition::Limits& limits) {
  ORRERY_TRY(ValidateName("container", settings.name));
  ORRERY_TRY(ValidateKey(settings));
  ORRERY_TRY(ValidatePaths("ttl", {settings.ttl_path}));
  ORRERY_TRY(ValidateUniqueKeys(settings));
  ORRERY_TRY(ValidateIndexing(settings.indexing));
  if (settings.rows.has_value()) ORRERY_TRY(ValidateRowIndexes(*settings.rows));
  if (settings.default_ttl_s.has_value() && *settings.default_ttl_s != -1 &&
      *settings.default_ttl_s <= 0) {
    return Invalid(fmt::format(
        "the default ttl is {}; give -1 (only items with a ttl of their own expire), a number "
        "of seconds above 0, or none",
        *settings.default_ttl_s));
  }
  if (settings.feed_retention_minutes > kFeedRetentionMinutesMax) {
    return Invalid(fmt::format("the feed retention is {} minutes, the most is {} (30 days)",
                               settings.feed_retention_minutes, kFeedRetentionMinutesMax));
  }
  ORRERY_TRY(partition::ValidateThroughput(settings.throughput, limits));
  if (const size_t bytes = ToDocument(settings).bson().size(); bytes > kSettingsBytesMax) {
    return Fail(Code::kTooLarge,
                fmt::format("the container's settings take {} bytes, the most is {}", bytes,
                            kSettingsBytesMax));
  }
  return {};
}

bool operator==(const IndexingSettings& a, const IndexingSettings& b) {
  return a.automatic == b.automatic && a.included_paths == b.included_paths &&
         a.excluded_paths == b.excluded_paths && a.named == b.named && a.computed == b.computed;
}

Result<item::ContainerSchema> MakeSchema(ContainerId id, const ContainerSettings& settings,
                                         partition::ContainerKind kind,
                                         const StoredIndexing& stored,
                                         const partition::Limits& limits,
                                         const item::ComputedMaker* computed) {
  item::ContainerSchema schema;
  schema.id = id;
  schema.hashing = settings.hashing;
  schema.order = settings.order;
  ORRERY_ASSIGN(schema.partition_key_paths, ParsePaths(settings.partition_key_paths));
  ORRERY_ASSIGN(schema.row_key_path, model::Path::Parse(settings.row_key_path));
  ORRERY_ASSIGN(schema.ttl_path, model::Path::Parse(settings.ttl_path));
  ORRERY_ASSIGN(schema.indexing,
                PolicyOf(settings.indexing, stored, schema.partition_key_paths, computed));
  if (stored.former.has_value()) {
    ORRERY_ASSIGN(schema.former_indexing,
                  PolicyOf(*stored.former, stored, schema.partition_key_paths, computed));
  }
  for (const std::vector<std::string>& paths : settings.unique_keys) {
    ORRERY_ASSIGN(std::vector<model::Path> parsed, ParsePaths(paths));
    schema.unique_keys.push_back({std::move(parsed)});
  }
  schema.default_ttl_s = settings.default_ttl_s;
  schema.feed_retention = std::chrono::minutes(settings.feed_retention_minutes);
  schema.rows = settings.rows;
  schema.fixed = kind == partition::ContainerKind::kFixed;
  // One key cannot be split, so it must fit into a physical partition.
  schema.logical_partition_bytes_max =
      std::min(schema.fixed ? limits.fixed_container_bytes_max : limits.logical_partition_bytes_max,
               limits.physical_partition_bytes_max);
  return schema;
}

}  // namespace orrery::gateway
