#include "item/outbox/derived_write_codec.h"

#include "base/bytes.h"
#include "item/outbox/derived_write_check.h"

namespace orrery::item {
namespace {

constexpr uint8_t kOutboxVersion = 2;
constexpr uint8_t kOutboxVersionWithoutViews = 1;

Error DamagedOutbox() { return Error(Code::kCorruption, "a stored outbox entry is damaged"); }

void AppendDerivedWrite(std::string& out, const DerivedWrite& derived_write) {
  AppendVarint(out, derived_write.container.value());
  AppendBigEndian<uint8_t>(out, derived_write.maintains_views ? 1 : 0);
  AppendLengthPrefixed(out, derived_write.partition_key);
  AppendVarint(out, derived_write.changes.rows.size());
  for (const RowChange& change : derived_write.changes.rows) {
    AppendLengthPrefixed(out, change.clustering);
    AppendLengthPrefixed(out, change.row);
  }
  AppendVarint(out, derived_write.changes.range_tombstones.size());
  std::string value;
  for (const RangeTombstone& range : derived_write.changes.range_tombstones) {
    AppendLengthPrefixed(out, range.lower);
    WriteRangeTombstoneValue(value, range);
    AppendLengthPrefixed(out, value);
  }
}

bool ReadContainer(ByteReader& reader, ContainerId& container) {
  uint64_t id = 0;
  if (!reader.ReadVarint(id) || id > UINT32_MAX) return false;
  container = ContainerId(static_cast<uint32_t>(id));
  return true;
}

bool ReadMaintainsViews(ByteReader& reader, bool& maintains_views) {
  uint8_t flag = 0;
  if (!reader.ReadBigEndian(flag) || flag > 1) return false;
  maintains_views = flag == 1;
  return true;
}

bool ReadRowChange(ByteReader& reader, RowChange& change) {
  std::string_view clustering;
  std::string_view row;
  if (!reader.ReadLengthPrefixed(clustering) || !reader.ReadLengthPrefixed(row)) return false;
  change.clustering = clustering;
  change.row = row;
  return true;
}

Result<RangeTombstone> ReadRange(ByteReader& reader) {
  std::string_view lower;
  std::string_view value;
  if (!reader.ReadLengthPrefixed(lower) || !reader.ReadLengthPrefixed(value)) {
    return Fail(DamagedOutbox());
  }
  return DecodeRangeTombstone(lower, value);
}

// Counts are not trusted with memory: each thing counted takes bytes, and the bytes run out.
Result<DerivedWrite> ReadDerivedWrite(ByteReader& reader, uint8_t version) {
  DerivedWrite derived_write;
  std::string_view partition_key;
  uint64_t rows = 0;
  uint64_t ranges = 0;
  if (!ReadContainer(reader, derived_write.container) ||
      (version != kOutboxVersionWithoutViews &&
       !ReadMaintainsViews(reader, derived_write.maintains_views)) ||
      !reader.ReadLengthPrefixed(partition_key) || !reader.ReadVarint(rows)) {
    return Fail(DamagedOutbox());
  }
  derived_write.partition_key = partition_key;
  for (uint64_t i = 0; i < rows; ++i) {
    if (!ReadRowChange(reader, derived_write.changes.rows.emplace_back()))
      return Fail(DamagedOutbox());
  }
  if (!reader.ReadVarint(ranges)) return Fail(DamagedOutbox());
  for (uint64_t i = 0; i < ranges; ++i) {
    ORRERY_ASSIGN(RangeTombstone range, ReadRange(reader));
    derived_write.changes.range_tombstones.push_back(std::move(range));
  }
  return derived_write;
}

}  // namespace

void EncodeDerivedWrites(std::string& out, std::span<const DerivedWrite> first,
                         std::span<const DerivedWrite> second) {
  out.clear();
  AppendBigEndian(out, kOutboxVersion);
  for (const DerivedWrite& derived_write : first) AppendDerivedWrite(out, derived_write);
  for (const DerivedWrite& derived_write : second) AppendDerivedWrite(out, derived_write);
}

Result<std::vector<DerivedWrite>> DecodeDerivedWrites(std::string_view bytes) {
  ByteReader reader(bytes);
  uint8_t version = 0;
  if (!reader.ReadBigEndian(version) || version == 0 || version > kOutboxVersion)
    return Fail(DamagedOutbox());
  std::vector<DerivedWrite> derived_writes;
  while (!reader.empty()) {
    if (derived_writes.size() == kDerivedWritesMax) return Fail(DamagedOutbox());
    ORRERY_ASSIGN(DerivedWrite derived_write, ReadDerivedWrite(reader, version));
    derived_writes.push_back(std::move(derived_write));
  }
  // Rows of any bytes would end the process further down, and empty keys lead nowhere.
  if (!DerivedWriteCheck({}).Add(derived_writes).has_value()) return Fail(DamagedOutbox());
  return derived_writes;
}

}  // namespace orrery::item
