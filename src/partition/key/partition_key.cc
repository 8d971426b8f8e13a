#include "partition/key/partition_key.h"

#include <fmt/core.h>

#include <array>

#include "partition/key/cassandra_key.h"
#include "partition/key/effective_key.h"

namespace orrery::partition {
namespace {

using model::Value;

constexpr size_t kV1ValueBytes = 12;
constexpr std::string_view kTopEpk = "FF";

Status CheckComponents(KeyHashing hashing, std::span<const Value> key) {
  if (key.empty()) return Fail(Code::kInvalidArgument, "a partition key has no components");
  if (hashing == KeyHashing::kMultiHash && key.size() > kMultiHashPathsMax) {
    return Fail(Code::kInvalidArgument,
                fmt::format("a hierarchical key has {} levels, the most is {}", key.size(),
                            kMultiHashPathsMax));
  }
  return {};
}

Hash128 PositionV1(const ShortHashedKey& key) {
  std::string bytes;
  AppendBigEndian(bytes, key.hash);
  bytes.append(key.value, 0, kV1ValueBytes);
  bytes.resize(Hash128::kBytes);
  return Hash128::Load(bytes.data());
}

// The 32 bits below the two that every V2 hash has clear.
uint64_t Lower32Of(const Value& component) {
  return HashV2({&component, 1}).high >> 30 & 0xffffffff;
}

// The lowest V2 hash whose 32 bits are `bits`.
std::string LowestEpk(uint64_t bits) { return Hash128{bits << 30, 0}.ToString(); }

HashRange RangeMultiHash(std::span<const Value> prefix) {
  const uint64_t first = HashV2(prefix.first(1)).high;
  if (prefix.size() == 1) return HashRange::Inclusive({first, 0}, {first, UINT64_MAX});
  const uint64_t second = Lower32Of(prefix[1]) << 32;
  if (prefix.size() == 2)
    return HashRange::Inclusive({first, second}, {first, second | 0xffffffff});
  const Hash128 position{first, second | Lower32Of(prefix[2])};
  return HashRange::Inclusive(position, position);
}

std::string HexV1(Hash128 boundary) {
  std::string bytes;
  boundary.AppendTo(bytes);
  std::string epk;
  AppendEpkNumber(epk, static_cast<double>(LoadBigEndian<uint32_t>(bytes.data())));
  // A value that ends early is padded with zeros on the ring; without them the boundary compares
  // with EPKs as the padded one does with positions.
  bytes.erase(bytes.find_last_not_of('\0') + 1);
  if (bytes.size() > sizeof(uint32_t)) epk.append(bytes, sizeof(uint32_t));
  return ToHex(epk, /*upper=*/true);
}

}  // namespace

Result<Hash128> HashOf(KeyHashing hashing, std::span<const Value> key) {
  ORRERY_TRY(CheckComponents(hashing, key));
  switch (hashing) {
    case KeyHashing::kCassandra: {
      ORRERY_ASSIGN(const std::string serialized, SerializeCassandraKey(key));
      return CassandraPosition(serialized);
    }
    case KeyHashing::kV1: {
      ORRERY_ASSIGN(const ShortHashedKey hashed, HashV1(key.front()));
      return PositionV1(hashed);
    }
    case KeyHashing::kV2:
      return HashV2(key);
    case KeyHashing::kMultiHash:
      return RangeMultiHash(key).begin();
  }
  return Fail(Code::kInternal, "unknown key hashing");
}

Result<HashRange> RangeOfPrefix(KeyHashing hashing, std::span<const Value> prefix) {
  ORRERY_TRY(CheckComponents(hashing, prefix));
  if (hashing == KeyHashing::kMultiHash) return RangeMultiHash(prefix);
  ORRERY_ASSIGN(const Hash128 position, HashOf(hashing, prefix));
  return HashRange::Inclusive(position, position);
}

Result<std::string> EffectivePartitionKey(KeyHashing hashing, std::span<const Value> key) {
  ORRERY_TRY(CheckComponents(hashing, key));
  switch (hashing) {
    case KeyHashing::kCassandra:
      return Fail(Code::kUnsupported, "keys of Cassandra tables have tokens, not effective keys");
    case KeyHashing::kV1: {
      ORRERY_ASSIGN(const ShortHashedKey hashed, HashV1(key.front()));
      std::string epk;
      AppendEpkNumber(epk, static_cast<double>(hashed.hash));
      return ToHex(epk + hashed.value, /*upper=*/true);
    }
    case KeyHashing::kV2:
      return HashV2(key).ToString();
    case KeyHashing::kMultiHash: {
      std::string epk;
      for (const Value& component : key) epk += HashV2({&component, 1}).ToString();
      return epk;
    }
  }
  return Fail(Code::kInternal, "unknown key hashing");
}

std::string EpkOfCut(Hash128 cut, std::span<const Value> key) {
  const uint64_t second = cut.low >> 32;
  const uint64_t third = cut.low & 0xffffffff;
  std::string epk = HashV2(key.first(1)).ToString();
  if (third == 0) return epk + LowestEpk(second);
  if (key.size() > 1 && Lower32Of(key[1]) == second) {
    return epk + HashV2(key.subspan(1, 1)).ToString() + LowestEpk(third);
  }
  // No stored key has the cut's second level at or above the cut: all that have it are below.
  return epk + LowestEpk(second + 1);
}

HashRange UsedSpan(KeyHashing hashing) {
  switch (hashing) {
    case KeyHashing::kV2:
    case KeyHashing::kMultiHash:
      return HashRange::Inclusive(Hash128::Min(), {0x3fffffffffffffff, UINT64_MAX});
    case KeyHashing::kCassandra:
    case KeyHashing::kV1:
      break;
  }
  return HashRange();
}

std::string EpkHex(KeyHashing hashing, std::optional<Hash128> boundary) {
  if (!boundary.has_value()) return std::string(kTopEpk);
  if (*boundary == Hash128::Min()) return "";
  switch (hashing) {
    case KeyHashing::kV1:
      return HexV1(*boundary);
    case KeyHashing::kMultiHash:
      return Hash128{boundary->high, 0}.ToString();
    case KeyHashing::kCassandra:
      return Hash128{boundary->high >> 2, boundary->high << 62 | boundary->low >> 2}.ToString();
    case KeyHashing::kV2:
      break;
  }
  return boundary->ToString();
}

}  // namespace orrery::partition
