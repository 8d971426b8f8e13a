#include "item/maintenance/recount.h"

#include <algorithm>

#include "base/check.h"
#include "item/layout/key_layout.h"
#include "item/write/ledger.h"

namespace orrery::item {
namespace {

std::unexpected<Error> DamagedEntryKey() {
  return Fail(Code::kCorruption, "a stored entry has a damaged key");
}

std::unique_ptr<storage::Iterator> SizesIn(const storage::Engine& engine, ContainerId container,
                                           const partition::HashRange& range,
                                           const storage::Snapshot* snapshot) {
  KeyBounds bounds = RingBounds(Space::kSizes, container, range);
  auto iterator = engine.NewIterator({.lower = std::move(bounds.lower),
                                      .upper = std::move(bounds.upper),
                                      .snapshot = snapshot,
                                      .fill_cache = false});
  iterator->SeekToFirst();
  return iterator;
}

// Goes from one logical partition to the next. Those of rows do not all have a size entry
// (row/size_sample.h), so it steps from row to row there.
class LogicalPartitionWalk {
 public:
  LogicalPartitionWalk(const storage::Engine& engine, ContainerId container,
                       const partition::HashRange& range) {
    KeyBounds bounds = RingBounds(Space::kRow, container, range);
    cursor_ = engine.NewIterator(
        {.lower = std::move(bounds.lower), .upper = std::move(bounds.upper), .fill_cache = false});
    cursor_->SeekToFirst();
    // A container has documents or rows, never both.
    of_rows_ = cursor_->Valid();
    if (!of_rows_ && cursor_->status().has_value()) {
      cursor_ = SizesIn(engine, container, range, nullptr);
    }
  }

  bool Valid() const { return cursor_->Valid(); }
  Status status() const { return cursor_->status(); }
  // REQUIRES: Valid().
  Result<LogicalPartition> Get() const {
    const auto key = DecodeKey(cursor_->key());
    if (!key.has_value()) return DamagedEntryKey();
    return LogicalPartition{key->hash, std::string(key->partition_key)};
  }
  void Next() {
    const auto key = DecodeKey(cursor_->key());
    if (!of_rows_ || !key.has_value()) {
      cursor_->Next();
    } else {
      cursor_->Seek(PrefixEnd(
          LogicalPartitionPrefix(key->space, key->container, key->hash, key->partition_key)));
    }
  }

 private:
  std::unique_ptr<storage::Iterator> cursor_;
  bool of_rows_ = false;
};

Result<Totals> CountRange(const storage::Engine& engine, ContainerId container,
                          const partition::HashRange& range, const storage::Snapshot& snapshot) {
  Totals sum;
  const auto sizes = SizesIn(engine, container, range, &snapshot);
  for (; sizes->Valid(); sizes->Next()) {
    ORRERY_ASSIGN(const Totals totals, DecodeTotals(sizes->value()));
    sum += totals;
  }
  ORRERY_TRY(sizes->status());
  return sum;
}

// nullopt when there are more than kSizeEntriesWalkedMax entries.
Result<std::optional<std::vector<partition::KeySample>>> WalkSizes(
    const storage::Engine& engine, ContainerId container, const partition::HashRange& range) {
  std::vector<partition::KeySample> samples;
  uint64_t sum = 0;
  size_t walked = 0;
  const auto sizes = SizesIn(engine, container, range, nullptr);
  for (; sizes->Valid(); sizes->Next()) {
    if (++walked > kSizeEntriesWalkedMax) return std::nullopt;
    ORRERY_ASSIGN(const Totals totals, DecodeTotals(sizes->value()));
    const auto key = DecodeKey(sizes->key());
    if (!key.has_value()) return DamagedEntryKey();
    sum += static_cast<uint64_t>(totals.bytes);
    if (!samples.empty() && samples.back().hash == key->hash) {
      samples.back().bytes_through = sum;
    } else {
      samples.push_back({key->hash, sum});
    }
  }
  ORRERY_TRY(sizes->status());
  return samples;
}

// Every n-th sample, always with the last.
std::vector<partition::KeySample> Thin(const std::vector<partition::KeySample>& samples,
                                       size_t max_samples) {
  if (samples.size() <= max_samples) return samples;
  std::vector<partition::KeySample> thinned;
  for (size_t i = 1; i <= max_samples; ++i) {
    thinned.push_back(samples[samples.size() * i / max_samples - 1]);
  }
  return thinned;
}

unsigned __int128 Widen(Hash128 hash) {
  return static_cast<unsigned __int128>(hash.high) << 64 | hash.low;
}

// The last position of each of `pieces` even pieces of the range.
std::vector<Hash128> EvenPositions(const partition::HashRange& range, size_t pieces) {
  using Wide = unsigned __int128;
  const Wide begin = Widen(range.begin());
  const Wide span = Widen(range.last()) - begin;
  const Wide step = span / pieces;
  std::vector<Hash128> positions;
  for (size_t i = 1; i < pieces; ++i) {
    const Wide at = begin + step * i;
    positions.push_back({static_cast<uint64_t>(at >> 64), static_cast<uint64_t>(at)});
  }
  positions.push_back(range.last());
  return positions;
}

std::vector<partition::KeySample> EstimateSizes(const storage::Engine& engine,
                                                ContainerId container,
                                                const partition::HashRange& range,
                                                size_t max_samples) {
  std::vector<partition::KeySample> samples;
  uint64_t sum = 0;
  // A container has documents or rows, never both.
  std::pair<Space, std::string> from[] = {{Space::kData, {}}, {Space::kRow, {}}};
  for (auto& [space, key] : from) key = RingPrefix(space, container, range.begin());
  for (const Hash128 position : EvenPositions(range, max_samples)) {
    for (auto& [space, key] : from) {
      std::string to = PrefixEnd(RingPrefix(space, container, position));
      sum += engine.ApproximateBytes(key, to);
      key = std::move(to);
    }
    samples.push_back({position, sum});
  }
  return samples;
}

}  // namespace

Result<std::map<ContainerId, Totals>> Recount(const storage::Engine& engine,
                                              const SliceRanges& slices) {
  const auto snapshot = engine.TakeSnapshot();
  std::map<ContainerId, Totals> corrections;
  for (const auto& [container, ranges] : slices) {
    for (const auto& range : ranges) {
      ORRERY_ASSIGN(const Totals counted, CountRange(engine, container, range, *snapshot));
      corrections[container] += counted;
    }
  }
  ORRERY_ASSIGN(const auto stored, ReadStoredTotals(engine, snapshot.get()));
  for (const auto& [container, totals] : stored) corrections[container] += -totals;
  std::erase_if(corrections, [](const auto& entry) { return entry.second == Totals{}; });
  return corrections;
}

Result<std::vector<partition::KeySample>> SampleSizes(const storage::Engine& engine,
                                                      ContainerId container,
                                                      const partition::HashRange& range,
                                                      size_t max_samples) {
  ORRERY_CHECK(max_samples > 0);
  ORRERY_ASSIGN(const auto walked, WalkSizes(engine, container, range));
  if (walked.has_value()) return Thin(*walked, max_samples);
  return EstimateSizes(engine, container, range, max_samples);
}

Result<uint64_t> EstimateLogicalPartitions(const storage::Engine& engine, ContainerId container,
                                           const partition::HashRange& range) {
  uint64_t seen = 0;
  Hash128 last = range.begin();
  LogicalPartitionWalk walk(engine, container, range);
  for (; walk.Valid() && seen < kDensityEntriesMax; walk.Next(), ++seen) {
    ORRERY_ASSIGN(const LogicalPartition found, walk.Get());
    last = found.hash;
  }
  ORRERY_TRY(walk.status());
  if (!walk.Valid()) return seen;
  const auto covered = static_cast<double>(Widen(last) - Widen(range.begin())) + 1;
  const auto whole = static_cast<double>(Widen(range.last()) - Widen(range.begin())) + 1;
  return static_cast<uint64_t>(static_cast<double>(seen) * (whole / covered));
}

Result<std::optional<LogicalPartition>> FirstLogicalPartition(const storage::Engine& engine,
                                                              ContainerId container,
                                                              const partition::HashRange& range) {
  const LogicalPartitionWalk walk(engine, container, range);
  ORRERY_TRY(walk.status());
  if (!walk.Valid()) return std::nullopt;
  return walk.Get();
}

Result<std::optional<LogicalPartition>> SoleLogicalPartition(const storage::Engine& engine,
                                                             ContainerId container,
                                                             const partition::HashRange& range) {
  LogicalPartitionWalk walk(engine, container, range);
  ORRERY_TRY(walk.status());
  if (!walk.Valid()) return std::nullopt;
  ORRERY_ASSIGN(LogicalPartition found, walk.Get());
  walk.Next();
  ORRERY_TRY(walk.status());
  if (walk.Valid()) return std::nullopt;
  return found;
}

}  // namespace orrery::item
