#include "gateway/row/row_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.h"
#include "base/murmur3.h"
#include "model/key/key_codec.h"
#include "partition/key/cassandra_key.h"

namespace orrery::gateway {
namespace {

// Cassandra's own limit.
constexpr size_t kSerializedKeyBytesMax = 65'535;

// Every part is self-delimiting, so that no two questions have the same bytes.
void AppendOptional(std::string& shape, const std::optional<std::string>& bytes) {
  shape.push_back(bytes.has_value() ? 1 : 0);
  if (bytes.has_value()) AppendLengthPrefixed(shape, *bytes);
}

void AppendRange(std::string& shape, const partition::HashRange& range) {
  range.begin().AppendTo(shape);
  range.last().AppendTo(shape);
}

}  // namespace

Result<RoutedKey> RouteSerializedKey(std::string_view serialized, const partition::Limits& limits) {
  if (serialized.empty()) return Fail(Code::kInvalidArgument, "Key may not be empty");
  if (serialized.size() > limits.partition_key_bytes_max) {
    // Keys that Cassandra refuses, too, are refused with its own message.
    const size_t bytes_max =
        std::max(limits.partition_key_bytes_max,
                 serialized.size() > kSerializedKeyBytesMax ? kSerializedKeyBytesMax : 0);
    return Fail(Code::kInvalidArgument, fmt::format("Key length of {} is longer than maximum of {}",
                                                    serialized.size(), bytes_max));
  }
  RoutedKey key;
  key.hash = partition::CassandraPosition(serialized);
  model::AppendKey(key.encoded, model::Value::Binary(std::string(serialized)), model::Order::kCql);
  return key;
}

Result<std::string> SerializedKey(std::string_view encoded) {
  ByteReader reader(encoded);
  ORRERY_ASSIGN(const model::Value value, model::ReadKey(reader));
  if (value.kind() != model::Kind::kBinary || !reader.empty()) {
    return Fail(Code::kCorruption, "a stored partition key is damaged");
  }
  return value.AsBytes();
}

uint64_t ShapeOf(const RowScanSpec& spec) {
  std::string shape;
  AppendOptional(shape, spec.partition_key);
  AppendRange(shape, spec.range);
  shape.push_back(spec.descending ? 1 : 0);
  AppendVarint(shape, spec.rows_per_partition_max);
  if (spec.index.has_value()) {
    AppendVarint(shape, spec.index->id.value());
    AppendLengthPrefixed(shape, spec.index->value);
  }
  return Murmur3(shape).high;
}

uint64_t ShapeOf(const RowFeedSpec& spec) {
  std::string shape;
  AppendOptional(shape, spec.partition_key);
  AppendRange(shape, spec.range);
  return Murmur3(shape).high;
}

}  // namespace orrery::gateway
