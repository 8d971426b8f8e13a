#include "partition/key/cassandra_key.h"

#include <fmt/core.h>

#include <bit>
#include <limits>
#include <vector>

#include "base/murmur3.h"

namespace orrery::partition {
namespace {

using model::Kind;
using model::Value;

template <typename Container>
std::string BytesOf(const Container& bytes) {
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

template <typename T>
std::string BigEndian(T number) {
  std::string out;
  AppendBigEndian(out, number);
  return out;
}

Result<std::string> SerializeComponent(const Value& value) {
  switch (value.kind()) {
    case Kind::kBool:
      return std::string(1, value.AsBool() ? '\1' : '\0');
    case Kind::kInt8:
      return BigEndian(static_cast<int8_t>(value.AsInteger()));
    case Kind::kInt16:
      return BigEndian(static_cast<int16_t>(value.AsInteger()));
    case Kind::kInt32:
      return BigEndian(static_cast<int32_t>(value.AsInteger()));
    case Kind::kInt64:
      return BigEndian(value.AsInteger());
    case Kind::kFloat:
      return BigEndian(std::bit_cast<uint32_t>(static_cast<float>(value.AsDouble())));
    case Kind::kDouble:
      return BigEndian(std::bit_cast<uint64_t>(value.AsDouble()));
    case Kind::kDecimal: {
      const model::DecimalView decimal = value.AsDecimal();
      return BigEndian(decimal.scale) + std::string(decimal.unscaled);
    }
    case Kind::kString:
    case Kind::kAscii:
      return value.AsString();
    case Kind::kVarint:
    case Kind::kBinary:
    case Kind::kInet:
      return value.AsBytes();
    case Kind::kUuid:
    case Kind::kTimeUuid:
      return BytesOf(value.AsUuid());
    case Kind::kDateTime:
      return BigEndian(value.AsDateTime());
    case Kind::kDate:
      return BigEndian(value.AsDate());
    case Kind::kTime:
      return BigEndian(value.AsTime());
    case Kind::kArray:
    case Kind::kSet:
    case Kind::kMap:
    case Kind::kObject:
      return Fail(Code::kUnsupported, "a collection must be serialized by its column's type first");
    default:
      return Fail(Code::kInvalidArgument, fmt::format("a {} cannot be part of a partition key",
                                                      model::KindName(value.kind())));
  }
}

// A component that its length of 16 bits cannot tell of; `whole` is what the key would have.
Status CheckComponentSize(std::string_view component, size_t whole) {
  constexpr size_t kBytesMax = std::numeric_limits<uint16_t>::max();
  if (component.size() <= kBytesMax) return {};
  // Cassandra's words.
  return Fail(Code::kInvalidArgument,
              fmt::format("Key length of {} is longer than maximum of {}", whole, kBytesMax));
}

}  // namespace

Result<std::string> SerializeCassandraKey(std::span<const Value> key) {
  if (key.size() == 1) {
    ORRERY_ASSIGN(std::string only, SerializeComponent(key.front()));
    ORRERY_TRY(CheckComponentSize(only, only.size()));
    return only;
  }
  std::vector<std::string> components;
  for (const Value& value : key) {
    ORRERY_ASSIGN(components.emplace_back(), SerializeComponent(value));
  }
  const std::vector<std::string_view> views(components.begin(), components.end());
  return JoinCassandraKey(views);
}

Result<std::string> JoinCassandraKey(std::span<const std::string_view> components) {
  if (components.empty()) return Fail(Code::kInvalidArgument, "a partition key has no columns");
  constexpr size_t kAroundComponent = 3;  // its length, and a zero
  size_t whole = components.size() == 1 ? components.front().size() : 0;
  for (size_t i = 0; components.size() > 1 && i < components.size(); ++i)
    whole += components[i].size() + kAroundComponent;
  std::string joined;
  for (const std::string_view component : components) {
    ORRERY_TRY(CheckComponentSize(component, whole));
    if (components.size() == 1) return std::string(component);
    AppendBigEndian(joined, static_cast<uint16_t>(component.size()));
    joined.append(component);
    joined.push_back('\0');
  }
  return joined;
}

Hash128 CassandraPosition(std::string_view serialized_key) {
  // Cassandra gives the empty key the token that it keeps from all others.
  if (serialized_key.empty()) return Hash128::Min();
  Hash128 position = CassandraMurmur3(serialized_key);
  const auto token = static_cast<int64_t>(position.high);
  if (token == std::numeric_limits<int64_t>::min()) {
    position.high = std::numeric_limits<int64_t>::max();
  }
  position.high ^= kTokenSignBit;
  return position;
}

}  // namespace orrery::partition
