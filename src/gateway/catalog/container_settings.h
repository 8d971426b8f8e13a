// The settings that a user gives when creating a container or database, their validation, and their
// meaning for the item layer.
//
// settings_codec.h stores settings; the catalog decides which of them may change later.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/status.h"
#include "item/container_schema.h"
#include "item/index/index_policy.h"
#include "model/compare.h"
#include "model/document/document.h"
#include "partition/key/partition_key.h"
#include "partition/limits.h"
#include "partition/rate/throughput.h"

namespace orrery::gateway {

inline constexpr size_t kNameBytesMax = 255;
inline constexpr size_t kCassandraKeyPathsMax = 32;
inline constexpr size_t kUniqueKeysMax = 10;
inline constexpr size_t kUniqueKeyPathsMax = 16;
inline constexpr size_t kIndexPatternsMax = 1'500;
inline constexpr size_t kNamedIndexesMax = 64;
inline constexpr size_t kNamedIndexPathsMax = 32;
inline constexpr size_t kComputedMax = 64;
inline constexpr size_t kRowIndexesMax = 256;
inline constexpr uint32_t kFeedRetentionMinutesMax = 30 * 24 * 60;
inline constexpr size_t kSettingsBytesMax = size_t{1} << 20;  // as a document, `extra` included

struct IndexingSettings {
  bool automatic = true;  // false: only named indexes
  std::vector<std::string> included_paths = {"/*"};
  std::vector<std::string> excluded_paths = {"/\"_etag\"/?"};
  std::vector<item::NamedIndex> named;
  std::vector<item::ComputedDefinition> computed;  // what paths above may name beside fields

  friend bool operator==(const IndexingSettings& a, const IndexingSettings& b);
};

struct ContainerSettings {
  std::string name;
  std::vector<std::string> partition_key_paths;  // none: a fixed container
  partition::KeyHashing hashing = partition::KeyHashing::kV2;
  model::Order order = model::Order::kSql;
  std::string row_key_path = "/id";
  std::string ttl_path = "/ttl";
  IndexingSettings indexing;
  std::vector<std::vector<std::string>> unique_keys;
  std::optional<int32_t> default_ttl_s;      // -1: items expire only by their own ttl
  uint32_t feed_retention_minutes = 0;       // > 0: all versions and deletes are kept that long
  partition::ThroughputSettings throughput;  // none: the database's when it has one, else unmetered
  std::optional<item::RowRules> rows;        // set: items are rows, not documents
  // Fields that an API keeps about the container; the core does not interpret them.
  std::optional<model::Document> extra;

  friend bool operator==(const ContainerSettings&, const ContainerSettings&) = default;
};

// Of named indexes and those of rows; 0 when there are none.
uint32_t HighestIndexId(const ContainerSettings& settings);

// Names: 1-255 bytes of UTF-8 without '/', '\\', '?', '#', control characters or a trailing space.
// `kind` is "database" or "container", for the message.
Status ValidateName(std::string_view kind, std::string_view name);
// kTooLarge beyond kSettingsBytesMax.
Status ValidateDatabaseExtra(const std::optional<model::Document>& extra);
// All rules that need no look at the catalog, with a message that says what to do.
Status Validate(const ContainerSettings& settings, const partition::Limits& limits);

// The policies by which existing items are indexed: `former` while they are brought to
// settings.indexing.
struct StoredIndexing {
  std::optional<IndexingSettings> former = {};
  bool has_type_index = false;
  bool has_whole_keys = false;  // values at partition key paths are not cut
};
// kInvalidArgument for settings that Validate would refuse because of their paths. `computed` makes
// what they define; without it kUnsupported for those that define something.
Result<item::ContainerSchema> MakeSchema(ContainerId id, const ContainerSettings& settings,
                                         partition::ContainerKind kind,
                                         const StoredIndexing& stored,
                                         const partition::Limits& limits,
                                         const item::ComputedMaker* computed = nullptr);

}  // namespace orrery::gateway
