#include "gateway/history/history.h"

#include <algorithm>
#include <map>
#include <set>

namespace orrery::gateway {
namespace {

// The bytes of a partition beside its series: its life, its node in the map, its record.
constexpr size_t kLifeBytes = 640;
// A history that was full is brought to this part of its bound, so that the next seconds fit.
constexpr double kShrunkTo = 0.95;
// With so much room again, all tiers are kept.
constexpr double kRoomAgain = 0.5;
constexpr int64_t kDeadKept_s = kSeriesTiers.back().kept_s;

int64_t ToMs(int64_t second) { return second * 1'000; }

}  // namespace

void History::Recount(Life& life) {
  const size_t now = kLifeBytes + life.series.bytes() +
                     life.rates.capacity() * sizeof(life.rates.front()) +
                     life.children.capacity() * sizeof(PartitionId);
  bytes_ += now - life.counted_bytes;
  life.counted_bytes = now;
}

void History::Add(int64_t second, const std::vector<PartitionSample>& samples) {
  if (!is_kept()) return;
  const MutexLock lock(mutex_);
  const bool is_first = !since_.has_value();
  if (is_first) since_ = second;
  const bool has_room = static_cast<double>(bytes_) < static_cast<double>(bytes_max_) * kRoomAgain;
  std::set<PartitionId> alive;
  for (const PartitionSample& sample : samples) {
    alive.insert(sample.id);
    const auto [place, is_new] = lives_.try_emplace(sample.id);
    Life& life = place->second;
    if (is_new && !is_first) life.born_s = second;
    life.died_s.reset();
    life.record = sample.record;
    life.node = sample.node;
    if (life.rates.empty() || life.rates.back().second != sample.rate) {
      if (life.rates.size() == kRateChangesMax) life.rates.erase(life.rates.begin());
      life.rates.emplace_back(ToMs(second), sample.rate);
    }
    if (has_room && life.series.finest() > 0) life.series.KeepAll();
    life.series.Add(second, sample.row);
    Recount(life);
  }
  for (auto each = lives_.begin(); each != lives_.end();) {
    Life& life = each->second;
    if (!alive.contains(each->first) && !life.died_s.has_value()) life.died_s = second;
    if (life.died_s.has_value() && second - *life.died_s > kDeadKept_s) {
      bytes_ -= life.counted_bytes;
      each = lives_.erase(each);
    } else {
      ++each;
    }
  }
  if (bytes_ > bytes_max_) Shrink();
}

void History::Shrink() {
  const auto goal = static_cast<size_t>(static_cast<double>(bytes_max_) * kShrunkTo);
  for (size_t tier = 0; tier < kSeriesTiers.size() && bytes_ > goal; ++tier) {
    std::vector<Life*> candidates;
    for (auto& [id, life] : lives_)
      if (life.series.finest() == tier) candidates.push_back(&life);
    std::ranges::sort(candidates, {}, [](const Life* life) { return life->series.weight(); });
    for (Life* life : candidates) {
      if (bytes_ <= goal) return;
      if (!life->series.DropFinest()) break;
      Recount(*life);
    }
  }
  // Only the coarsest tier is left of all: what ended first goes, and then the older halves.
  while (bytes_ > goal) {
    const auto oldest = std::ranges::min_element(
        lives_, {}, [](const auto& entry) { return entry.second.died_s.value_or(INT64_MAX); });
    if (oldest != lives_.end() && oldest->second.died_s.has_value()) {
      bytes_ -= oldest->second.counted_bytes;
      lives_.erase(oldest);
      continue;
    }
    bool is_shorter = false;
    for (auto& [id, life] : lives_) {
      if (bytes_ <= goal) return;
      if (!life.series.DropOlderHalf()) continue;
      is_shorter = true;
      Recount(life);
    }
    if (!is_shorter) return;  // nothing but the lives themselves, which are as many as partitions
  }
}

void History::NoteChange(const std::vector<PartitionId>& before,
                         const std::vector<PartitionId>& after) {
  const MutexLock lock(mutex_);
  for (const PartitionId id : before) {
    const auto found = lives_.find(id);
    if (found != lives_.end()) found->second.children = after;
  }
}

std::optional<int64_t> History::since() const {
  const MutexLock lock(mutex_);
  return since_;
}

size_t History::bytes() const {
  const MutexLock lock(mutex_);
  return bytes_;
}

double History::HighestOf(PartitionId id) const {
  const MutexLock lock(mutex_);
  const auto found = lives_.find(id);
  if (found == lives_.end()) return 0;
  const Series& series = found->second.series;
  // By the tier of ten seconds, which the bound of memory leaves longer.
  const size_t tier = std::max<size_t>(series.finest(), 1);
  const int64_t step_s = kSeriesTiers[tier].step_s;
  const int64_t span_s = kSeriesTiers[0].kept_s;
  double highest = 0;
  for (const auto& row : series.Rows(tier, series.last_second() - span_s + step_s,
                                     static_cast<size_t>(std::max<int64_t>(span_s / step_s, 1))))
    if (row.has_value()) highest = std::max(highest, static_cast<double>(row->used_highest));
  return highest;
}

size_t History::TierFor(int64_t age_s) {
  for (size_t tier = 0; tier < kSeriesTiers.size(); ++tier)
    if (age_s <= kSeriesTiers[tier].kept_s) return tier;
  return kSeriesTiers.size() - 1;
}

std::vector<PartitionPast> History::Of(ContainerId container, size_t tier, int64_t from_s,
                                       int64_t to_s) const {
  const int64_t step_s = kSeriesTiers[tier].step_s;
  const auto count = static_cast<size_t>(std::max<int64_t>(to_s / step_s - from_s / step_s, 0));
  std::vector<PartitionPast> pasts;
  const MutexLock lock(mutex_);
  std::map<PartitionId, std::vector<PartitionId>> parents;
  for (const auto& [id, life] : lives_)
    for (const PartitionId child : life.children) parents[child].push_back(id);
  for (const auto& [id, life] : lives_) {
    if (life.died_s.value_or(INT64_MAX) < from_s || life.born_s.value_or(0) > to_s) continue;
    PartitionPast past;
    past.id = id;
    past.node = life.node;
    for (const cluster::Slice& slice : life.record->slices)
      if (slice.container == container) past.ranges.push_back(slice.range);
    if (past.ranges.empty()) continue;
    if (life.born_s.has_value()) past.born_ms = ToMs(*life.born_s);
    if (life.died_s.has_value()) past.died_ms = ToMs(*life.died_s);
    past.children = life.children;
    if (const auto found = parents.find(id); found != parents.end()) past.parents = found->second;
    past.rates = life.rates;
    past.rows = life.series.Rows(tier, from_s, count);
    pasts.push_back(std::move(past));
  }
  std::ranges::sort(pasts, {}, [](const PartitionPast& past) {
    return std::pair(past.born_ms.value_or(0), past.id);
  });
  return pasts;
}

}  // namespace orrery::gateway
