// Makes keys: out of key values that a request names, and out of documents.
//
// Every limit on keys is checked here, before anything is written. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/hash128.h"
#include "base/status.h"
#include "item/container_schema.h"
#include "model/document/document.h"
#include "model/value.h"
#include "partition/limits.h"
#include "partition/map/hash_range.h"

namespace orrery::gateway {

using KeyValues = std::vector<model::Value>;

// Under KeyHashing::kV1 longer keys would be told apart by their first part only.
inline constexpr size_t kV1KeyBytesMax = 101;

// A partition key as bytes, and where it is on the ring.
struct RoutedKey {
  Hash128 hash;
  std::string encoded;
  friend bool operator==(const RoutedKey&, const RoutedKey&) = default;
};

// A container without a partition key has one logical partition, the key of no values, at the
// ring's first position. kInvalidArgument when the number of values is not the schema's or a value
// cannot be part of a key; kTooLarge beyond the limit.
Result<RoutedKey> RoutePartitionKey(const item::ContainerSchema& schema,
                                    std::span<const model::Value> values,
                                    const partition::Limits& limits);

// Fewer values than the schema has paths: where all keys that begin so are. A reader compares
// `encoded` with the beginning of each key it finds, as others may share the range.
struct KeyPrefix {
  partition::HashRange range;
  std::string encoded;
};
// kInvalidArgument unless the key is hierarchical and has more levels.
Result<KeyPrefix> RouteKeyPrefix(const item::ContainerSchema& schema,
                                 std::span<const model::Value> values,
                                 const partition::Limits& limits);

// Returns the range of all documents of a key, or of all keys that begin so. Errors as above.
Result<partition::HashRange> RangeOfKey(const item::ContainerSchema& schema,
                                        std::span<const model::Value> values);

// kInvalidArgument unless it is a string (SQL order), or anything but undefined,
// an array or a regular expression (Mongo order); kTooLarge beyond the limit. What else an
// API forbids in its ids (characters, empty ones) is that API's to refuse.
Result<std::string> EncodeRowKey(const item::ContainerSchema& schema, const model::Value& value,
                                 const partition::Limits& limits);

// Return the keys of a document. A path that leads nowhere gives undefined, which is a valid part
// of a partition key and an invalid row key.
KeyValues PartitionKeyOf(const item::ContainerSchema& schema, model::DocumentView document);
model::Value RowKeyOf(const item::ContainerSchema& schema, model::DocumentView document);

}  // namespace orrery::gateway
