#include "gateway/account/key_maker.h"

#include <fmt/format.h>

#include "model/key/key_codec.h"
#include "partition/key/partition_key.h"

namespace orrery::gateway {
namespace {

using model::Kind;
using model::Order;
using model::Value;

// Returns the size as a user counts it: the bytes of a text, not its encoding.
size_t BytesOf(const Value& value, std::string_view encoded) {
  return value.kind() == Kind::kString || value.kind() == Kind::kAscii ? value.AsString().size()
                                                                       : encoded.size();
}

std::string PathsText(const item::ContainerSchema& schema) {
  std::string text;
  for (const model::Path& path : schema.partition_key_paths) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", path.ToString());
  }
  return text;
}

Status CheckKeyPart(const item::ContainerSchema& schema, const Value& value) {
  const Kind kind = value.kind();
  const bool bad = schema.order == Order::kSql     ? kind == Kind::kArray || kind == Kind::kObject
                   : schema.order == Order::kMongo ? kind == Kind::kArray || kind == Kind::kRegex
                                                   : false;
  if (!bad) return {};
  return Fail(Code::kInvalidArgument,
              fmt::format("the partition key ({}) is of kind {}; use a {}", PathsText(schema),
                          model::KindName(kind),
                          schema.order == Order::kSql ? "string, number, boolean or null"
                                                      : "value that is no array"));
}

Result<std::string> EncodeKeyParts(const item::ContainerSchema& schema,
                                   std::span<const Value> values, const partition::Limits& limits) {
  std::string encoded;
  size_t bytes = 0;
  for (const Value& value : values) {
    ORRERY_TRY(CheckKeyPart(schema, value));
    const size_t before = encoded.size();
    model::AppendKey(encoded, value, schema.order);
    bytes += BytesOf(value, std::string_view(encoded).substr(before));
  }
  const size_t bytes_max = limits.partition_key_bytes_max;
  if (bytes > bytes_max) {
    return Fail(Code::kTooLarge, fmt::format("the partition key ({}) has {} bytes, the most is {}",
                                             PathsText(schema), bytes, bytes_max));
  }
  return encoded;
}

}  // namespace

Result<RoutedKey> RoutePartitionKey(const item::ContainerSchema& schema,
                                    std::span<const Value> values,
                                    const partition::Limits& limits) {
  if (values.size() != schema.partition_key_paths.size()) {
    return Fail(
        Code::kInvalidArgument,
        schema.partition_key_paths.empty()
            ? std::string("the container has no partition key: give none")
            : fmt::format("{} partition key values are given, the container's key ({}) has {}",
                          values.size(), PathsText(schema), schema.partition_key_paths.size()));
  }
  if (values.empty()) return RoutedKey{Hash128::Min(), ""};
  RoutedKey key;
  ORRERY_ASSIGN(key.encoded, EncodeKeyParts(schema, values, limits));
  ORRERY_ASSIGN(key.hash, partition::HashOf(schema.hashing, values));
  return key;
}

Result<KeyPrefix> RouteKeyPrefix(const item::ContainerSchema& schema, std::span<const Value> values,
                                 const partition::Limits& limits) {
  if (schema.hashing != partition::KeyHashing::kMultiHash || values.empty() ||
      values.size() >= schema.partition_key_paths.size()) {
    return Fail(Code::kInvalidArgument,
                fmt::format("{} partition key values are given, the container's key ({}) has {}",
                            values.size(), PathsText(schema), schema.partition_key_paths.size()));
  }
  KeyPrefix prefix;
  ORRERY_ASSIGN(prefix.encoded, EncodeKeyParts(schema, values, limits));
  ORRERY_ASSIGN(prefix.range, partition::RangeOfPrefix(schema.hashing, values));
  return prefix;
}

Result<partition::HashRange> RangeOfKey(const item::ContainerSchema& schema,
                                        std::span<const Value> values) {
  if (values.size() < schema.partition_key_paths.size()) {
    ORRERY_ASSIGN(const KeyPrefix prefix, RouteKeyPrefix(schema, values, {}));
    return prefix.range;
  }
  ORRERY_ASSIGN(const RoutedKey key, RoutePartitionKey(schema, values, {}));
  return partition::HashRange::Inclusive(key.hash, key.hash);
}

Result<std::string> EncodeRowKey(const item::ContainerSchema& schema, const Value& value,
                                 const partition::Limits& limits) {
  const Kind kind = value.kind();
  const bool good = schema.order == Order::kSql
                        ? kind == Kind::kString
                        : kind != Kind::kUndefined && kind != Kind::kArray && kind != Kind::kRegex;
  if (!good) {
    return Fail(
        Code::kInvalidArgument,
        fmt::format(
            "the item's '{}' is {}; it must be {}", schema.row_key_path.ToString(),
            kind == Kind::kUndefined ? "missing" : fmt::format("of kind {}", model::KindName(kind)),
            schema.order == Order::kSql ? "a string" : "there and no array or regular expression"));
  }
  std::string encoded;
  model::AppendKey(encoded, value, schema.order);
  if (const size_t bytes = BytesOf(value, encoded); bytes > limits.id_bytes_max) {
    return Fail(Code::kTooLarge,
                fmt::format("the item's '{}' has {} bytes, the most is {}",
                            schema.row_key_path.ToString(), bytes, limits.id_bytes_max));
  }
  return encoded;
}

KeyValues PartitionKeyOf(const item::ContainerSchema& schema, model::DocumentView document) {
  KeyValues values;
  values.reserve(schema.partition_key_paths.size());
  for (const model::Path& path : schema.partition_key_paths) {
    Value value = path.Get(document);
    // To clients that hash on their own side, what is no key is not there.
    const bool no_key = schema.order == Order::kSql &&
                        (value.kind() == Kind::kArray || value.kind() == Kind::kObject);
    values.push_back(no_key ? Value() : std::move(value));
  }
  return values;
}

Value RowKeyOf(const item::ContainerSchema& schema, model::DocumentView document) {
  return schema.row_key_path.Get(document);
}

}  // namespace orrery::gateway
