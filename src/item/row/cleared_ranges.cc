#include "item/row/cleared_ranges.h"

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

// Whether `ranges`, rising, have exactly this one.
bool Has(const std::vector<ClearedRange>& ranges, const ClearedRange& range) {
  const auto found = std::ranges::lower_bound(ranges, range.lower, {}, &ClearedRange::lower);
  return found != ranges.end() && *found == range;
}

Result<ClearedRange> DecodeEntry(std::string_view key, std::string_view value) {
  const auto decoded = DecodeKey(key);
  if (!decoded.has_value()) return Fail(Code::kCorruption, "a range deletion's key is damaged");
  return DecodeCleared(decoded->row_key, value);
}

// One bound may begin another, and then what follows it in the key decides about their places.
std::vector<ClearedRange> Sorted(std::vector<ClearedRange> ranges) {
  std::ranges::sort(ranges, {}, &ClearedRange::lower);
  return ranges;
}

class Collector {
 public:
  void Add(ClearedRange range) {
    if (range.upper.has_value() && *range.upper <= range.lower) return;
    if (!ranges_.empty() && ranges_.back().upper == range.lower &&
        ranges_.back().deletion == range.deletion) {
      ranges_.back().upper = std::move(range.upper);
      return;
    }
    ranges_.push_back(std::move(range));
  }
  std::vector<ClearedRange> Take() && { return std::move(ranges_); }

 private:
  std::vector<ClearedRange> ranges_;
};

}  // namespace

void WriteClearedValue(std::string& out, const ClearedRange& range) {
  out.clear();
  out.push_back(range.upper.has_value() ? kHasUpper : 0);
  if (range.upper.has_value()) AppendLengthPrefixed(out, *range.upper);
  const int64_t time = range.deletion.timestamp;
  AppendVarint(out, (static_cast<uint64_t>(time) << 1) ^ static_cast<uint64_t>(time >> 63));
  AppendVarint(out, range.deletion.local_s);
}

Result<ClearedRange> DecodeCleared(std::string_view lower, std::string_view value) {
  ByteReader reader(value);
  ClearedRange range;
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

std::vector<ClearedRange> AddCleared(std::vector<ClearedRange> ranges, const ClearedRange& added) {
  Collector out;
  ClearedRange rest = added;  // what of it is still to be placed
  bool placed = false;
  for (ClearedRange& range : ranges) {
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

Result<std::vector<ClearedRange>> ReadCleared(partition::GroupWriter& writer, ContainerId container,
                                              Hash128 hash, std::string_view partition_key) {
  const std::string prefix =
      LogicalPartitionPrefix(Space::kCleared, container, hash, partition_key);
  std::vector<ClearedRange> ranges;
  Status read;
  ORRERY_TRY(writer.Scan(prefix, PrefixEnd(prefix), kClearedRangesMax,
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

Status ClearRange(partition::GroupWriter& writer, ContainerId container, Hash128 hash,
                  std::string_view partition_key, const ClearedRange& added) {
  ORRERY_ASSIGN(const std::vector<ClearedRange> before,
                ReadCleared(writer, container, hash, partition_key));
  // Whatever time the client goes by: a range that seems to be older than the last sweep of what
  // ranges hide would be forgotten before its own rows were swept.
  ClearedRange learned = added;
  const auto now = std::chrono::duration_cast<std::chrono::seconds>(writer.now());
  learned.deletion.local_s = std::max(learned.deletion.local_s, static_cast<uint32_t>(now.count()));
  const std::vector<ClearedRange> after = AddCleared(before, learned);
  std::string key;
  std::string value;
  for (const ClearedRange& range : before) {
    if (Has(after, range)) continue;
    WriteClearedKey(key, container, {hash, partition_key, range.lower});
    writer.Delete(key);
  }
  for (const ClearedRange& range : after) {
    if (Has(before, range)) continue;
    WriteClearedKey(key, container, {hash, partition_key, range.lower});
    WriteClearedValue(value, range);
    writer.Put(key, value);
  }
  return {};
}

Result<std::vector<ClearedRange>> ReadCleared(const storage::Engine& engine, ContainerId container,
                                              Hash128 hash, std::string_view partition_key,
                                              storage::ReadMode mode) {
  const std::string prefix =
      LogicalPartitionPrefix(Space::kCleared, container, hash, partition_key);
  const auto cursor =
      engine.NewIterator({.lower = prefix, .upper = PrefixEnd(prefix), .mode = mode});
  std::vector<ClearedRange> ranges;
  for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
    ORRERY_ASSIGN(ClearedRange range, DecodeEntry(cursor->key(), cursor->value()));
    ranges.push_back(std::move(range));
  }
  ORRERY_TRY(cursor->status());
  return Sorted(std::move(ranges));
}

model::Deletion ClearedAt(const std::vector<ClearedRange>& ranges, std::string_view clustering) {
  const auto after = std::ranges::upper_bound(
      ranges, clustering, {},
      [](const ClearedRange& range) { return std::string_view(range.lower); });
  if (after == ranges.begin()) return {};
  const ClearedRange& range = *std::prev(after);
  return range.Contains(clustering) ? range.deletion : model::Deletion{};
}

}  // namespace orrery::item
