// A ContainerSchema is everything that the item layer must know of a container to store and read
// its items. Immutable; the gateway's catalog makes a new one for each change and publishes it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "item/index/index_policy.h"
#include "item/row/row_index.h"
#include "model/compare.h"
#include "model/path/path.h"
#include "partition/key/partition_key.h"

namespace orrery::item {

// A set of paths whose values together are unique within a logical partition.
struct UniqueKeyRule {
  std::vector<model::Path> paths;
};
// A rule's number is one byte in keys. Rules are fixed when the container is created.
inline constexpr size_t kUniqueRulesMax = 255;

// The rules by which a container of rows differs from one of documents.
struct RowRules {
  bool composite_key = false;                // several columns make the partition key
  std::vector<model::Direction> clustering;  // one for each clustering column; none: one row a key
  std::vector<RowIndex> indexes;
  // The time that deletions are kept to meet writes that come late.
  uint32_t gc_grace_s = 864'000;

  friend bool operator==(const RowRules&, const RowRules&) = default;
};

struct ContainerSchema {
  ContainerId id;
  partition::KeyHashing hashing = partition::KeyHashing::kV2;
  model::Order order = model::Order::kSql;       // of keys and index values
  std::vector<model::Path> partition_key_paths;  // empty: a fixed container without a key
  model::Path row_key_path;                      // "/id", "/_id", "/RowKey"
  IndexPolicy indexing;
  // Set while existing items are brought from that policy to `indexing` (index_build.h): writers
  // then remove entries of both and put all of the new. Scans may use what both index.
  std::optional<IndexPolicy> former_indexing;
  std::vector<UniqueKeyRule> unique_keys;
  // nullopt: items never expire and their own ttl is ignored; -1: only items with a ttl of their
  // own expire; n: seconds after the last write.
  std::optional<int32_t> default_ttl_s;
  model::Path ttl_path;  // where an item's own ttl is, "/ttl"
  // The time that superseded versions and deletes stay in the change feed; 0: latest versions only.
  Micros feed_retention{0};
  bool fixed = false;            // lives in one partition for ever: never split
  std::optional<RowRules> rows;  // set: items are rows (model/row), not documents
  // The limit in force for this kind of container; 0: none.
  uint64_t logical_partition_bytes_max = 0;
};

}  // namespace orrery::item
