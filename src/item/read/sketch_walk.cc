#include "item/read/sketch_walk.h"

#include <bit>
#include <utility>

#include "item/layout/entry_codec.h"

namespace orrery::item {
namespace {

// Of a part of the tree so many entries are read; what is left of it waits as two halves.
constexpr size_t kEntriesRead = 32;

std::unexpected<Error> DamagedIndexKey() {
  return Fail(Code::kCorruption, "a stored index entry's key is damaged");
}

size_t CommonBits(std::string_view a, std::string_view b) {
  for (size_t i = 0; i < model::kCellBytes; ++i) {
    const auto differing = static_cast<uint8_t>(a[i] ^ b[i]);
    if (differing != 0) return i * 8 + static_cast<size_t>(std::countl_zero(differing));
  }
  return model::kCellBits;
}

// The first `bits` of a cell and then only 0 or only 1.
std::string Filled(std::string_view cell, size_t bits, bool with) {
  std::string filled(cell.substr(0, model::kCellBytes));
  for (size_t i = bits; i < model::kCellBits; ++i) {
    const auto bit = static_cast<uint8_t>(0x80 >> (i % 8));
    const auto byte = static_cast<uint8_t>(filled[i / 8]);
    filled[i / 8] = static_cast<char>(with ? byte | bit : byte & ~bit);
  }
  return filled;
}

}  // namespace

Result<bool> SketchWalk::Begin(size_t entries) {
  const std::string all(model::kCellBytes, '\0');
  return Open({.square = 0, .from = all, .cell = all, .bits = 0, .key = {}}, entries);
}

Result<std::optional<ItemKey>> SketchWalk::Next(double square) {
  while (!waiting_.empty() && waiting_.top().square <= square) {
    const Waiting next = waiting_.top();
    waiting_.pop();
    if (next.cell.empty()) return next.key;
    ORRERY_TRY(Open(next, kEntriesRead));
  }
  return std::nullopt;
}

Result<bool> SketchWalk::Open(const Waiting& part, size_t entries) {
  parts_.cursor.Seek(parts_.prefix + part.from);
  ORRERY_ASSIGN(bool whole, Read(part, entries));
  if (whole) return true;
  const std::string next(parts_.cursor.key().substr(parts_.prefix.size()));
  ORRERY_ASSIGN(const std::string last, LastWithin(part));
  const size_t common = CommonBits(next, last);
  if (common == model::kCellBits) {
    parts_.cursor.Seek(parts_.prefix + next);
    ORRERY_ASSIGN(whole, Read(part, SIZE_MAX));
    return whole;
  }
  for (const bool side : {false, true}) {
    std::string half = Filled(next, common, false);
    if (side) half[common / 8] = static_cast<char>(half[common / 8] | 0x80 >> (common % 8));
    const double square = parts_.comparer.LeastSquareOfCell(half, common + 1);
    waiting_.push({.square = square,
                   .from = side ? half : next,
                   .cell = half,
                   .bits = common + 1,
                   .key = {}});
  }
  return false;
}

Result<bool> SketchWalk::Read(const Waiting& part, size_t entries) {
  storage::Iterator& cursor = parts_.cursor;
  for (; cursor.Valid(); cursor.Next()) {
    const auto sketch = SketchWithin(part);
    if (!sketch.has_value()) break;
    if (entries-- == 0) return false;
    ++entries_passed_;
    bytes_passed_ += cursor.key().size();
    const auto key = DecodeKey(cursor.key());
    if (!key.has_value()) return DamagedIndexKey();
    if (!parts_.range.Contains(key->hash)) continue;
    ORRERY_ASSIGN(const IndexEntry entry, DecodeIndexEntry(cursor.value()));
    if (ExpiredAt(entry.expiry, parts_.now)) continue;
    waiting_.push({.square = parts_.comparer.LeastSquare(*sketch),
                   .from = {},
                   .cell = {},
                   .bits = 0,
                   .key = key->item()});
  }
  ORRERY_TRY(cursor.status());
  return true;
}

Result<std::string> SketchWalk::LastWithin(const Waiting& part) {
  // Behind all entries of the part: what follows the cell in their keys is less.
  parts_.cursor.SeekForPrev(parts_.prefix + Filled(part.cell, part.bits, true) +
                            std::string(model::kSketchBytes + Hash128::kBytes, '\xff'));
  ORRERY_TRY(parts_.cursor.status());
  const auto sketch = parts_.cursor.Valid() ? SketchWithin(part) : std::nullopt;
  if (!sketch.has_value()) return DamagedIndexKey();
  return std::string(sketch->substr(0, model::kCellBytes));
}

std::optional<std::string_view> SketchWalk::SketchWithin(const Waiting& part) const {
  std::string_view key = parts_.cursor.key();
  if (!key.starts_with(parts_.prefix)) return std::nullopt;
  key.remove_prefix(parts_.prefix.size());
  if (key.size() < model::kSketchBytes || CommonBits(key, part.cell) < part.bits)
    return std::nullopt;
  return key.substr(0, model::kSketchBytes);
}

}  // namespace orrery::item
