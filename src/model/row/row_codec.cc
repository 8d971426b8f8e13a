#include "model/row/row_codec.h"

#include "base/check.h"

namespace orrery::model {
namespace {

constexpr uint8_t kVersion = 1 << 4;
constexpr uint8_t kVersionMask = 0xf0;
constexpr uint8_t kHasLiveness = 1 << 0;
constexpr uint8_t kHasDeletion = 1 << 1;
constexpr uint8_t kHasDropped = 1 << 2;

constexpr uint8_t kLivenessOwnTime = 1 << 0;
constexpr uint8_t kLivenessExpires = 1 << 1;

constexpr uint8_t kCellPath = 1 << 0;
constexpr uint8_t kCellOwnTime = 1 << 1;
constexpr uint8_t kCellExpires = 1 << 2;
constexpr uint8_t kCellTombstone = 1 << 3;
constexpr uint8_t kCellCounter = 1 << 4;
constexpr uint8_t kCellBits = 0x1f;

constexpr size_t kLsnOffset = 1;

Error Damaged() { return Error(Code::kCorruption, "a stored row is damaged"); }

void AppendTime(std::string& out, int64_t time) {
  AppendVarint(out, (static_cast<uint64_t>(time) << 1) ^ static_cast<uint64_t>(time >> 63));
}

void AppendDeletion(std::string& out, const Deletion& deletion) {
  AppendTime(out, deletion.timestamp);
  AppendVarint(out, deletion.local_s);
}

void AppendLiveness(std::string& out, const Liveness& live, int64_t base) {
  out.push_back(static_cast<char>((live.timestamp != base ? kLivenessOwnTime : 0) |
                                  (live.ttl_s != 0 ? kLivenessExpires : 0)));
  if (live.timestamp != base) AppendTime(out, live.timestamp);
  if (live.ttl_s != 0) {
    AppendVarint(out, live.ttl_s);
    AppendVarint(out, live.expiry_s);
  }
}

uint8_t BitsOf(const Cell& cell, int64_t base) {
  uint8_t bits = 0;
  if (cell.has_path) bits |= kCellPath;
  if (cell.timestamp != base) bits |= kCellOwnTime;
  if (cell.kind == CellKind::kTombstone) return bits | kCellTombstone;
  if (cell.ttl_s != 0) bits |= kCellExpires;
  if (cell.kind == CellKind::kCounter) bits |= kCellCounter;
  return bits;
}

void AppendCell(std::string& out, const Cell& cell, int64_t base) {
  const uint8_t bits = BitsOf(cell, base);
  AppendVarint(out, cell.column);
  out.push_back(static_cast<char>(bits));
  if (cell.has_path) AppendLengthPrefixed(out, cell.path);
  if ((bits & kCellOwnTime) != 0) AppendTime(out, cell.timestamp);
  if ((bits & kCellExpires) != 0) AppendVarint(out, cell.ttl_s);
  if ((bits & (kCellExpires | kCellTombstone)) != 0) AppendVarint(out, cell.expiry_s);
  if ((bits & kCellTombstone) == 0) AppendLengthPrefixed(out, cell.value);
}

// The time that most of the row has: it is written once.
int64_t BaseOf(const Row& row) {
  if (row.liveness.has_value()) return row.liveness->timestamp;
  return row.cells.empty() ? 0 : row.cells.front().timestamp;
}

bool ReadU32(ByteReader& reader, uint32_t& value) {
  uint64_t wide = 0;
  if (!reader.ReadVarint(wide) || wide > UINT32_MAX) return false;
  value = static_cast<uint32_t>(wide);
  return true;
}

bool ReadTtl(ByteReader& reader, uint32_t& ttl_s) { return ReadU32(reader, ttl_s) && ttl_s != 0; }

// At least the bytes that the row takes, so that its buffer need not grow with it.
size_t RoomFor(const Row& row) {
  constexpr size_t kHeadBytes = 64;
  constexpr size_t kCellBytes = 32;
  size_t bytes = kHeadBytes + kCellBytes * (row.column_deletions.size() + row.cells.size());
  for (const Cell& cell : row.cells) bytes += cell.path.size() + cell.value.size();
  return bytes;
}

}  // namespace

void EncodeRow(std::string& out, const Row& row) {
  const int64_t base = BaseOf(row);
  out.clear();
  out.reserve(RoomFor(row));
  out.push_back(static_cast<char>(kVersion | (row.liveness.has_value() ? kHasLiveness : 0) |
                                  (row.deletion.exists() ? kHasDeletion : 0) |
                                  (row.column_deletions.empty() ? 0 : kHasDropped)));
  AppendBigEndian(out, row.lsn.value());
  AppendTime(out, base);
  if (row.liveness.has_value()) AppendLiveness(out, *row.liveness, base);
  if (row.deletion.exists()) AppendDeletion(out, row.deletion);
  if (!row.column_deletions.empty()) {
    AppendVarint(out, row.column_deletions.size());
    for (const ColumnDeletion& dropped : row.column_deletions) {
      AppendVarint(out, dropped.column);
      AppendDeletion(out, dropped.deletion);
    }
  }
  for (const Cell& cell : row.cells) AppendCell(out, cell, base);
}

void StampRow(std::string& encoded, Lsn lsn) {
  ORRERY_CHECK(encoded.size() >= kLsnOffset + sizeof(uint64_t));
  const uint64_t value = lsn.value();
  for (size_t i = 0; i < sizeof(value); ++i) {
    encoded[kLsnOffset + i] = static_cast<char>(value >> (8 * (sizeof(value) - 1 - i)));
  }
}

Status DecodeRow(std::string_view bytes, Row& row) {
  ORRERY_ASSIGN(RowCursor cursor, RowCursor::Open(bytes));
  row.lsn = cursor.lsn();
  row.liveness = cursor.liveness();
  row.deletion = cursor.deletion();
  row.column_deletions = cursor.column_deletions();
  row.cells.clear();
  for (Cell cell;;) {
    ORRERY_ASSIGN(const bool found, cursor.Next(cell));
    if (!found) return {};
    row.cells.push_back(cell);
  }
}

Result<RowCursor> RowCursor::Open(std::string_view bytes) {
  RowCursor cursor(bytes);
  if (!cursor.ReadHead()) return Fail(Damaged());
  return cursor;
}

Result<bool> RowCursor::Next(Cell& cell) {
  if (reader_.empty()) return false;
  if (!ReadCell(cell)) return Fail(Damaged());
  return true;
}

bool RowCursor::ReadHead() {
  uint8_t head = 0;
  uint64_t lsn = 0;
  if (!reader_.ReadBigEndian(head) || (head & kVersionMask) != kVersion) return false;
  if ((head & ~(kVersionMask | kHasLiveness | kHasDeletion | kHasDropped)) != 0) return false;
  if (!reader_.ReadBigEndian(lsn) || !ReadTime(base_)) return false;
  lsn_ = Lsn(lsn);
  if ((head & kHasLiveness) != 0) {
    uint8_t bits = 0;
    Liveness live{.timestamp = base_};
    if (!reader_.ReadBigEndian(bits) || (bits & ~(kLivenessOwnTime | kLivenessExpires)) != 0) {
      return false;
    }
    if ((bits & kLivenessOwnTime) != 0 && !ReadTime(live.timestamp)) return false;
    if ((bits & kLivenessExpires) != 0 &&
        (!ReadTtl(reader_, live.ttl_s) || !ReadU32(reader_, live.expiry_s))) {
      return false;
    }
    liveness_ = live;
  }
  if ((head & kHasDeletion) != 0 && !ReadDeletion(deletion_)) return false;
  if ((head & kHasDropped) == 0) return true;
  uint64_t count = 0;
  if (!reader_.ReadVarint(count)) return false;
  for (uint64_t i = 0; i < count; ++i) {  // each takes bytes, so `count` is bounded by the input
    ColumnDeletion& dropped = column_deletions_.emplace_back();
    if (!ReadU32(reader_, dropped.column) || !ReadDeletion(dropped.deletion)) return false;
  }
  return true;
}

bool RowCursor::ReadCell(Cell& cell) {
  uint8_t bits = 0;
  if (!ReadU32(reader_, cell.column) || !reader_.ReadBigEndian(bits)) return false;
  if ((bits & ~kCellBits) != 0) return false;
  if ((bits & kCellTombstone) != 0 && (bits & (kCellExpires | kCellCounter)) != 0) return false;
  cell.has_path = (bits & kCellPath) != 0;
  cell.path = {};
  cell.value = {};
  cell.timestamp = base_;
  cell.ttl_s = 0;
  cell.expiry_s = 0;
  cell.kind = (bits & kCellTombstone) != 0 ? CellKind::kTombstone
              : (bits & kCellCounter) != 0 ? CellKind::kCounter
                                           : CellKind::kValue;
  if (cell.has_path && !reader_.ReadLengthPrefixed(cell.path)) return false;
  if ((bits & kCellOwnTime) != 0 && !ReadTime(cell.timestamp)) return false;
  if ((bits & kCellExpires) != 0 && !ReadTtl(reader_, cell.ttl_s)) return false;
  if ((bits & (kCellExpires | kCellTombstone)) != 0 && !ReadU32(reader_, cell.expiry_s)) {
    return false;
  }
  if ((bits & kCellTombstone) != 0) return true;
  if (!reader_.ReadLengthPrefixed(cell.value)) return false;
  return cell.kind != CellKind::kCounter || cell.value.size() == sizeof(int64_t);
}

bool RowCursor::ReadTime(int64_t& time) {
  uint64_t coded = 0;
  if (!reader_.ReadVarint(coded)) return false;
  time = static_cast<int64_t>((coded >> 1) ^ (~(coded & 1) + 1));
  return true;
}

bool RowCursor::ReadDeletion(Deletion& deletion) {
  return ReadTime(deletion.timestamp) && deletion.exists() && ReadU32(reader_, deletion.local_s);
}

}  // namespace orrery::model
