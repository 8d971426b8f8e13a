#include "item/row/range_tombstones.h"

#include <algorithm>
#include <chrono>

#include "base/bytes.h"

namespace orrery::item {
namespace {

constexpr uint8_t kHasUpper = 1;

bool Ends(const std::optional<std::string>& upper, std::string_view at) {
  return upper.has_value() && *upper <= at;
}

// The nearer of two ends.
std::optional<std::string> Nearer(const std::optional<std::string>& a,
                                  const std::optional<std::string>& b) {
  if (!a.has_value()) return b;
  if (!b.has_value()) return a;
  return std::min(*a, *b);
}

// Returns whether `ranges`, in rising order, contain exactly this one.
bool Has(const std::vector<RangeTombstone>& ranges, const RangeTombstone& range) {
  const auto found = std::ranges::lower_bound(ranges, range.lower, {}, &RangeTombstone::lower);
  return found != ranges.end() && *found == range;
}

Result<RangeTombstone> DecodeEntry(std::string_view key, std::string_view value) {
  const auto decoded = DecodeKey(key);
  if (!decoded.has_value()) return Fail(Code::kCorruption, "a range deletion's key is damaged");
  return DecodeRangeTombstone(decoded->row_key, value);
}

// One bound may begin another, and then what follows it in the key decides about their places.
std::vector<RangeTombstone> Sorted(std::vector<RangeTombstone> ranges) {
  std::ranges::sort(ranges, {}, &RangeTombstone::lower);
  return ranges;
}

class Collector {
 public:
  void Add(RangeTombstone range) {
    if (range.upper.has_value() && *range.upper <= range.lower) return;
    if (!ranges_.empty() && ranges_.back().upper == range.lower &&
        ranges_.back().deletion == range.deletion) {
      ranges_.back().upper = std::move(range.upper);
      return;
    }
    ranges_.push_back(std::move(range));
  }
  std::vector<RangeTombstone> Take() && { return std::move(ranges_); }

 private:
  std::vector<RangeTombstone> ranges_;
};

}  // namespace

void WriteRangeTombstoneValue(std::string& out, const RangeTombstone& range) {
  out.clear();
  out.push_back(range.upper.has_value() ? kHasUpper : 0);
  if (range.upper.has_value()) AppendLengthPrefixed(out, *range.upper);
  const int64_t time = range.deletion.timestamp;
  AppendVarint(out, (static_cast<uint64_t>(time) << 1) ^ static_cast<uint64_t>(time >> 63));
  AppendVarint(out, range.deletion.local_s);
}

Result<RangeTombstone> DecodeRangeTombstone(std::string_view lower, std::string_view value) {
  ByteReader reader(value);
  RangeTombstone range;
  range.lower = lower;
  uint8_t bits = 0;
  std::string_view upper;
  uint64_t time = 0;
  uint64_t local = 0;
  bool sound = reader.ReadBigEndian(bits) && (bits & ~kHasUpper) == 0;
  if (sound && bits == kHasUpper) {
    sound = reader.ReadLengthPrefixed(upper);
    range.upper = std::string(upper);
  }
  sound = sound && reader.ReadVarint(time) && reader.ReadVarint(local) && local <= UINT32_MAX &&
          reader.empty();
  if (!sound) return Fail(Code::kCorruption, "a stored range deletion is damaged");
  range.deletion.timestamp = static_cast<int64_t>((time >> 1) ^ (~(time & 1) + 1));
  range.deletion.local_s = static_cast<uint32_t>(local);
  return range;
}

std::vector<RangeTombstone> AddRangeTombstone(std::vector<RangeTombstone> ranges,
                                              const RangeTombstone& added) {
  Collector out;
  RangeTombstone rest = added;  // what of it is still to be placed
  bool placed = false;
  for (RangeTombstone& range : ranges) {
    if (placed || Ends(range.upper, rest.lower)) {
      out.Add(std::move(range));
      continue;
    }
    if (Ends(rest.upper, range.lower)) {
      out.Add(rest);
      placed = true;
      out.Add(std::move(range));
      continue;
    }
    // They overlap: the part before, the common part, and what is left of either.
    const std::string& meeting = std::max(range.lower, rest.lower);
    if (range.lower < meeting) out.Add({range.lower, meeting, range.deletion});
    if (rest.lower < meeting) out.Add({rest.lower, meeting, rest.deletion});
    const std::optional<std::string> parting = Nearer(range.upper, rest.upper);
    const bool newer = rest.deletion.timestamp >= range.deletion.timestamp;
    out.Add({meeting, parting, newer ? rest.deletion : range.deletion});
    if (parting != range.upper) {
      out.Add({*parting, range.upper, range.deletion});
      placed = true;
    } else if (parting == rest.upper) {
      placed = true;
    } else {
      rest.lower = *parting;
    }
  }
  if (!placed) out.Add(rest);
  return std::move(out).Take();
}

Result<std::vector<RangeTombstone>> ReadRangeTombstones(partition::GroupWriter& writer,
                                                        ContainerId container, Hash128 hash,
                                                        std::string_view partition_key) {
  const std::string prefix =
      LogicalPartitionPrefix(Space::kRangeTombstone, container, hash, partition_key);
  std::vector<RangeTombstone> ranges;
  Status read;
  ORRERY_TRY(writer.Scan(prefix, PrefixEnd(prefix), kRangeTombstonesMax,
                         [&](std::string_view key, std::string_view value) {
                           auto range = DecodeEntry(key, value);
                           if (range.has_value()) {
                             ranges.push_back(*std::move(range));
                           } else {
                             read = Fail(std::move(range).error());
                           }
                           return read.has_value();
                         }));
  ORRERY_TRY(std::move(read));
  return Sorted(std::move(ranges));
}

Status InsertRangeTombstone(partition::GroupWriter& writer, ContainerId container, Hash128 hash,
                            std::string_view partition_key, const RangeTombstone& added) {
  ORRERY_ASSIGN(const std::vector<RangeTombstone> before,
                ReadRangeTombstones(writer, container, hash, partition_key));
  // The server's time counts, not the client's: a range that seems to be older than the last sweep
  // would be forgotten before its own rows were swept.
  RangeTombstone learned = added;
  const auto now = std::chrono::duration_cast<std::chrono::seconds>(writer.now());
  learned.deletion.local_s = std::max(learned.deletion.local_s, static_cast<uint32_t>(now.count()));
  const std::vector<RangeTombstone> after = AddRangeTombstone(before, learned);
  std::string key;
  std::string value;
  for (const RangeTombstone& range : before) {
    if (Has(after, range)) continue;
    WriteRangeTombstoneKey(key, container, {hash, partition_key, range.lower});
    writer.Delete(key);
  }
  for (const RangeTombstone& range : after) {
    if (Has(before, range)) continue;
    WriteRangeTombstoneKey(key, container, {hash, partition_key, range.lower});
    WriteRangeTombstoneValue(value, range);
    writer.Put(key, value);
  }
  return {};
}

Result<std::vector<RangeTombstone>> ReadRangeTombstones(const storage::Engine& engine,
                                                        ContainerId container, Hash128 hash,
                                                        std::string_view partition_key,
                                                        storage::ReadMode mode) {
  const std::string prefix =
      LogicalPartitionPrefix(Space::kRangeTombstone, container, hash, partition_key);
  const auto cursor =
      engine.NewIterator({.lower = prefix, .upper = PrefixEnd(prefix), .mode = mode});
  std::vector<RangeTombstone> ranges;
  for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
    ORRERY_ASSIGN(RangeTombstone range, DecodeEntry(cursor->key(), cursor->value()));
    ranges.push_back(std::move(range));
  }
  ORRERY_TRY(cursor->status());
  return Sorted(std::move(ranges));
}

model::Deletion RangeTombstoneAt(const std::vector<RangeTombstone>& ranges,
                                 std::string_view clustering) {
  const auto after = std::ranges::upper_bound(
      ranges, clustering, {},
      [](const RangeTombstone& range) { return std::string_view(range.lower); });
  if (after == ranges.begin()) return {};
  const RangeTombstone& range = *std::prev(after);
  return range.Contains(clustering) ? range.deletion : model::Deletion{};
}

}  // namespace orrery::item
