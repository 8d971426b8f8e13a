#include "cluster/record/partition_record.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/bytes.h"

namespace orrery::cluster {
namespace {

constexpr uint8_t kRecordVersion = 2;
constexpr uint8_t kRecordVersionWithoutEpk = 1;
// More than a partition can sensibly hold; guards the decoder against damaged counts.
constexpr uint64_t kSlicesMax = 1'000'000;
constexpr uint64_t kParentsMax = 10'000;

bool IsKnown(uint8_t version) {
  return version == kRecordVersion || version == kRecordVersionWithoutEpk;
}

bool ReadRange(ByteReader& reader, std::optional<partition::HashRange>& range) {
  std::string_view bytes;
  if (!reader.ReadBytes(2 * Hash128::kBytes, bytes)) return false;
  const Hash128 first = Hash128::Load(bytes.data());
  const Hash128 last = Hash128::Load(bytes.data() + Hash128::kBytes);
  if (last < first) return false;
  range = partition::HashRange::Inclusive(first, last);
  return true;
}

bool Decode(ByteReader& reader, PartitionRecord& record) {
  uint8_t version = 0;
  uint8_t kind = 0;
  uint64_t id = 0;
  uint64_t epoch = 0;
  uint64_t owner = 0;
  uint64_t count = 0;
  if (!reader.ReadBigEndian(version) || !IsKnown(version) || !reader.ReadVarint(id) ||
      !reader.ReadVarint(epoch) || !reader.ReadBigEndian(kind) || kind > 2 ||
      !reader.ReadVarint(owner) || owner > UINT32_MAX || !reader.ReadVarint(count) ||
      count > kSlicesMax) {
    return false;
  }
  record.id = PartitionId(id);
  record.epoch = Epoch(epoch);
  record.throughput_owner = {static_cast<ThroughputOwner::Kind>(kind),
                             static_cast<uint32_t>(owner)};
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t container = 0;
    std::optional<partition::HashRange> range;
    std::string_view epk;
    if (!reader.ReadVarint(container) || container > UINT32_MAX || !ReadRange(reader, range))
      return false;
    if (version != kRecordVersionWithoutEpk && !reader.ReadLengthPrefixed(epk)) return false;
    record.slices.push_back(
        {ContainerId(static_cast<uint32_t>(container)), *range, std::string(epk)});
  }
  if (!reader.ReadVarint(count) || count > kParentsMax) return false;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t parent = 0;
    if (!reader.ReadVarint(parent)) return false;
    record.parents.emplace_back(parent);
  }
  return reader.empty();
}

}  // namespace

std::vector<PartitionId> AncestryFrom(std::initializer_list<const PartitionRecord*> parents) {
  // Ids are handed out rising: their order is that of age.
  std::set<PartitionId> ancestors;
  for (const PartitionRecord* parent : parents) {
    ancestors.insert(parent->parents.begin(), parent->parents.end());
    ancestors.insert(parent->id);
  }
  const size_t forgotten = ancestors.size() - std::min(ancestors.size(), kAncestorsMax);
  return {std::next(ancestors.begin(), static_cast<ptrdiff_t>(forgotten)), ancestors.end()};
}

std::string PartitionRecordName(std::string_view key) {
  ByteReader reader(key.substr(kPartitionRecordPrefix.size()));
  uint64_t id = 0;
  if (!reader.ReadBigEndian(id) || !reader.empty()) return "with key " + ToHex(key);
  return std::string(kPartitionRecordPrefix) + std::to_string(id);
}

std::string PartitionRecordKey(PartitionId id) {
  std::string key(kPartitionRecordPrefix);
  AppendBigEndian(key, id.value());
  return key;
}

std::string EncodePartitionRecord(const PartitionRecord& record) {
  std::string bytes;
  AppendBigEndian(bytes, kRecordVersion);
  AppendVarint(bytes, record.id.value());
  AppendVarint(bytes, record.epoch.value());
  AppendBigEndian(bytes, static_cast<uint8_t>(record.throughput_owner.kind));
  AppendVarint(bytes, record.throughput_owner.id);
  AppendVarint(bytes, record.slices.size());
  for (const Slice& slice : record.slices) {
    AppendVarint(bytes, slice.container.value());
    slice.range.begin().AppendTo(bytes);
    slice.range.last().AppendTo(bytes);
    AppendLengthPrefixed(bytes, slice.begin_epk);
  }
  AppendVarint(bytes, record.parents.size());
  for (const PartitionId parent : record.parents) AppendVarint(bytes, parent.value());
  return bytes;
}

Result<PartitionRecord> DecodePartitionRecord(std::string_view bytes) {
  PartitionRecord record;
  ByteReader reader(bytes);
  if (!Decode(reader, record))
    return Fail(Code::kCorruption, "a partition record in the system store is damaged");
  return record;
}

}  // namespace orrery::cluster
