#include "item/outbox/follower_codec.h"

#include "base/bytes.h"
#include "item/outbox/follower_check.h"

namespace orrery::item {
namespace {

constexpr uint8_t kVersion = 2;
constexpr uint8_t kVersionUnattended = 1;

Error Damaged() { return Error(Code::kCorruption, "a stored outbox entry is damaged"); }

void AppendFollower(std::string& out, const Follower& follower) {
  AppendVarint(out, follower.container.value());
  AppendBigEndian<uint8_t>(out, follower.attended ? 1 : 0);
  AppendLengthPrefixed(out, follower.partition_key);
  AppendVarint(out, follower.changes.rows.size());
  for (const RowChange& change : follower.changes.rows) {
    AppendLengthPrefixed(out, change.clustering);
    AppendLengthPrefixed(out, change.row);
  }
  AppendVarint(out, follower.changes.cleared.size());
  std::string cleared;
  for (const ClearedRange& range : follower.changes.cleared) {
    AppendLengthPrefixed(out, range.lower);
    WriteClearedValue(cleared, range);
    AppendLengthPrefixed(out, cleared);
  }
}

bool ReadContainer(ByteReader& reader, ContainerId& container) {
  uint64_t id = 0;
  if (!reader.ReadVarint(id) || id > UINT32_MAX) return false;
  container = ContainerId(static_cast<uint32_t>(id));
  return true;
}

bool ReadAttended(ByteReader& reader, bool& attended) {
  uint8_t flag = 0;
  if (!reader.ReadBigEndian(flag) || flag > 1) return false;
  attended = flag == 1;
  return true;
}

bool ReadRow(ByteReader& reader, RowChange& change) {
  std::string_view clustering;
  std::string_view row;
  if (!reader.ReadLengthPrefixed(clustering) || !reader.ReadLengthPrefixed(row)) return false;
  change.clustering = clustering;
  change.row = row;
  return true;
}

Result<ClearedRange> ReadRange(ByteReader& reader) {
  std::string_view lower;
  std::string_view cleared;
  if (!reader.ReadLengthPrefixed(lower) || !reader.ReadLengthPrefixed(cleared)) {
    return Fail(Damaged());
  }
  return DecodeCleared(lower, cleared);
}

// Counts are not trusted with memory: each thing counted takes bytes, and the bytes run out.
Result<Follower> ReadFollower(ByteReader& reader, uint8_t version) {
  Follower follower;
  std::string_view partition_key;
  uint64_t rows = 0;
  uint64_t ranges = 0;
  if (!ReadContainer(reader, follower.container) ||
      (version != kVersionUnattended && !ReadAttended(reader, follower.attended)) ||
      !reader.ReadLengthPrefixed(partition_key) || !reader.ReadVarint(rows)) {
    return Fail(Damaged());
  }
  follower.partition_key = partition_key;
  for (uint64_t i = 0; i < rows; ++i) {
    if (!ReadRow(reader, follower.changes.rows.emplace_back())) return Fail(Damaged());
  }
  if (!reader.ReadVarint(ranges)) return Fail(Damaged());
  for (uint64_t i = 0; i < ranges; ++i) {
    ORRERY_ASSIGN(ClearedRange range, ReadRange(reader));
    follower.changes.cleared.push_back(std::move(range));
  }
  return follower;
}

}  // namespace

void EncodeFollowers(std::string& out, std::span<const Follower> first,
                     std::span<const Follower> second) {
  out.clear();
  AppendBigEndian(out, kVersion);
  for (const Follower& follower : first) AppendFollower(out, follower);
  for (const Follower& follower : second) AppendFollower(out, follower);
}

Result<std::vector<Follower>> DecodeFollowers(std::string_view bytes) {
  ByteReader reader(bytes);
  uint8_t version = 0;
  if (!reader.ReadBigEndian(version) || version == 0 || version > kVersion) return Fail(Damaged());
  std::vector<Follower> followers;
  while (!reader.empty()) {
    if (followers.size() == kFollowersMax) return Fail(Damaged());
    ORRERY_ASSIGN(Follower follower, ReadFollower(reader, version));
    followers.push_back(std::move(follower));
  }
  // Rows of any bytes would end the process further down, and empty keys lead nowhere.
  if (!FollowerCheck({}).Add(followers).has_value()) return Fail(Damaged());
  return followers;
}

}  // namespace orrery::item
