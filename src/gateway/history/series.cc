#include "gateway/history/series.h"

#include <algorithm>

namespace orrery::gateway {
namespace {

// The weight of the load of a second after another: a week for the share of 1/e.
constexpr double kWeightFading = 1.0 - 1.0 / (7 * 24 * 3'600);
constexpr size_t kRowsAtFirst = 4;
constexpr uint64_t kWholeBlock = (uint64_t{1} << 60) - 1;

bool IsIdle(const SeriesRow& row) {
  return row.used == 0 && row.used_highest == 0 && row.throttled == 0;
}

}  // namespace

void Series::Add(int64_t second, const SeriesRow& row) {
  if (second <= last_second_) return;
  last_second_ = second;
  weight_ = weight_ * kWeightFading + row.used;
  for (size_t i = finest_; i < tiers_.size(); ++i) AddToTier(i, second, row);
}

void Series::AddToTier(size_t index, int64_t second, const SeriesRow& row) {
  const SeriesTier& shape = kSeriesTiers[index];
  Tier& tier = tiers_[index];
  const int64_t step = second / shape.step_s;
  if (step != tier.step) {
    if (tier.seconds > 0) Put(tier, tier.step, MeanOf(tier));
    tier.step = step;
    tier.sum = {};
    tier.seconds = 0;
    Expire(tier, (second - shape.kept_s) / shape.step_s);
  }
  tier.sum.used += row.used;
  tier.sum.used_highest = std::max(tier.sum.used_highest, row.used_highest);
  tier.sum.throttled += row.throttled;
  tier.sum.bytes = row.bytes;
  ++tier.seconds;
}

SeriesRow Series::MeanOf(const Tier& tier) {
  SeriesRow row = tier.sum;
  row.used /= static_cast<float>(tier.seconds);
  return row;
}

void Series::Put(Tier& tier, int64_t step, const SeriesRow& row) {
  const int64_t first = step - step % static_cast<int64_t>(kBlockRows);
  if (tier.blocks.empty() || tier.blocks.back().first + tier.blocks.back().steps <= step) {
    // Blocks in which nothing happened become one.
    if (tier.blocks.size() >= 2) {
      Block& last = tier.blocks[tier.blocks.size() - 1];
      Block& before = tier.blocks[tier.blocks.size() - 2];
      const bool joins = last.rows.empty() && before.rows.empty() && last.known == kWholeBlock &&
                         before.known == kWholeBlock && last.idle_bytes == before.idle_bytes &&
                         before.first + before.steps == last.first;
      if (joins) {
        before.steps += last.steps;
        tier.blocks.pop_back();
        Count(-static_cast<ptrdiff_t>(sizeof(Block)));
      }
    }
    tier.blocks.push_back({.first = first, .steps = kBlockRows, .idle_bytes = row.bytes});
    Count(sizeof(Block));
  }
  Block& block = tier.blocks.back();
  const auto place = static_cast<size_t>(step - block.first);
  if (!block.rows.empty() || !(IsIdle(row) && row.bytes == block.idle_bytes)) {
    if (block.rows.capacity() <= place) {
      const size_t before = block.rows.capacity();
      block.rows.reserve(std::clamp(2 * (place + 1), kRowsAtFirst, kBlockRows));
      Count(static_cast<ptrdiff_t>((block.rows.capacity() - before) * sizeof(SeriesRow)));
    }
    if (block.rows.size() <= place) block.rows.resize(place + 1, {.bytes = block.idle_bytes});
    block.rows[place] = row;
  }
  block.known |= uint64_t{1} << place;
}

void Series::Expire(Tier& tier, int64_t first_kept) {
  while (!tier.blocks.empty()) {
    Block& oldest = tier.blocks.front();
    if (oldest.first + oldest.steps > first_kept) return;
    Count(-static_cast<ptrdiff_t>(oldest.rows.capacity() * sizeof(SeriesRow)));
    Count(-static_cast<ptrdiff_t>(sizeof(Block)));
    tier.blocks.pop_front();
  }
}

std::optional<SeriesRow> Series::Find(const Tier& tier, int64_t step) {
  if (step == tier.step && tier.seconds > 0) return MeanOf(tier);
  const auto after = std::ranges::upper_bound(tier.blocks, step, {}, &Block::first);
  if (after == tier.blocks.begin()) return std::nullopt;
  const Block& block = *std::prev(after);
  const int64_t place = step - block.first;
  if (place >= block.steps) return std::nullopt;
  const bool is_run = block.steps > static_cast<int64_t>(kBlockRows);
  if (!is_run && (block.known >> place & 1) == 0) return std::nullopt;
  if (static_cast<size_t>(place) >= block.rows.size()) return SeriesRow{.bytes = block.idle_bytes};
  return block.rows[static_cast<size_t>(place)];
}

std::vector<std::optional<SeriesRow>> Series::Rows(size_t tier, int64_t from_s,
                                                   size_t count) const {
  std::vector<std::optional<SeriesRow>> rows;
  rows.reserve(count);
  const int64_t step_s = kSeriesTiers[tier].step_s;
  const int64_t oldest = (last_second_ - kSeriesTiers[tier].kept_s) / step_s;
  for (size_t i = 0; i < count; ++i) {
    const int64_t step = from_s / step_s + static_cast<int64_t>(i);
    rows.push_back(step < oldest ? std::nullopt : Find(tiers_[tier], step));
  }
  return rows;
}

bool Series::DropFinest() {
  if (finest_ + 1 >= tiers_.size()) return false;
  Expire(tiers_[finest_], INT64_MAX / 2);
  tiers_[finest_] = {};
  ++finest_;
  return true;
}

bool Series::DropOlderHalf() {
  Tier& tier = tiers_[finest_];
  if (tier.blocks.size() < 2) return false;
  Expire(tier, tier.blocks[tier.blocks.size() / 2].first);
  return true;
}

}  // namespace orrery::gateway
