#include "item/layout/feed_codec.h"

#include "base/bytes.h"

namespace orrery::item {
namespace {

constexpr uint8_t kSuperseded = 1 << 0;
constexpr uint8_t kByExpiry = 1 << 1;
constexpr uint8_t kHasImage = 1 << 2;
constexpr uint8_t kHasNote = 1 << 3;

bool Read(ByteReader& reader, Change& change) {
  uint8_t kind = 0;
  uint8_t flags = 0;
  uint64_t time = 0;
  uint64_t previous = 0;
  if (!reader.ReadBigEndian(kind) || kind < static_cast<uint8_t>(ChangeKind::kCreate) ||
      kind > static_cast<uint8_t>(ChangeKind::kDelete)) {
    return false;
  }
  constexpr uint8_t kKnown = kSuperseded | kByExpiry | kHasImage | kHasNote;
  if (!reader.ReadBigEndian(flags) || (flags & ~kKnown) != 0) return false;
  if (!reader.ReadVarint(time) || time > INT64_MAX || !reader.ReadVarint(previous)) return false;
  if (!reader.ReadLengthPrefixed(change.partition_key) ||
      !reader.ReadLengthPrefixed(change.row_key))
    return false;
  if ((flags & kHasImage) != 0 && !reader.ReadLengthPrefixed(change.image.emplace())) return false;
  if ((flags & kHasNote) != 0 && !reader.ReadLengthPrefixed(change.note)) return false;
  change.kind = static_cast<ChangeKind>(kind);
  change.superseded = (flags & kSuperseded) != 0;
  change.by_expiry = (flags & kByExpiry) != 0;
  change.time = Micros(static_cast<int64_t>(time));
  change.previous_lsn = Lsn(previous);
  return reader.empty();
}

}  // namespace

void AppendChange(std::string& out, const Change& change) {
  out.push_back(static_cast<char>(change.kind));
  out.push_back(static_cast<char>(
      (change.superseded ? kSuperseded : 0) | (change.by_expiry ? kByExpiry : 0) |
      (change.image.has_value() ? kHasImage : 0) | (change.note.empty() ? 0 : kHasNote)));
  AppendVarint(out, static_cast<uint64_t>(change.time.count()));
  AppendVarint(out, change.previous_lsn.value());
  AppendLengthPrefixed(out, change.partition_key);
  AppendLengthPrefixed(out, change.row_key);
  if (change.image.has_value()) AppendLengthPrefixed(out, *change.image);
  if (!change.note.empty()) AppendLengthPrefixed(out, change.note);
}

void WriteChange(std::string& out, const Change& change) {
  out.clear();
  AppendChange(out, change);
}

Result<Change> DecodeChange(std::string_view bytes) {
  ByteReader reader(bytes);
  Change change;
  if (!Read(reader, change)) {
    return Fail(Code::kCorruption, "a stored change feed entry is damaged");
  }
  return change;
}

}  // namespace orrery::item
