#include "item/row/size_counts.h"

#include <algorithm>

namespace orrery::item {

bool SizeCounts::Refuses(const CountedKey& key, uint64_t bytes, uint64_t bytes_max, Micros now) {
  MutexLock lock(mutex_);
  if (!counts_.contains(key) && counts_.size() >= kKeysMax && !MakeRoomLocked()) return true;
  Count& count = counts_[key];
  const auto ask = [&count] {
    if (count.next == Count::Next::kNothing) count.next = Count::Next::kDue;
  };
  if (!count.time.has_value() || now - *count.time >= kCountHolds) {
    ask();
    return false;
  }
  if (now - *count.time >= kCountAgain) ask();
  if (count.bytes > bytes_max) return true;
  // It had room when it was counted. What it got since may be the same rows again, but a little
  // more of it is not worth a count each.
  if (bytes - std::min(bytes, count.bytes) <= bytes_max / kGrowthDivisor) return true;
  ask();
  return false;
}

bool SizeCounts::AnyDue() const {
  MutexLock lock(mutex_);
  return std::ranges::any_of(
      counts_, [](const auto& entry) { return entry.second.next == Count::Next::kDue; });
}

std::vector<CountedKey> SizeCounts::TakeDue() {
  MutexLock lock(mutex_);
  std::vector<CountedKey> due;
  for (auto& [key, count] : counts_) {
    if (count.next != Count::Next::kDue) continue;
    count.next = Count::Next::kUnderWay;
    due.push_back(key);
  }
  return due;
}

void SizeCounts::Counted(const CountedKey& key, uint64_t bytes, Micros now) {
  MutexLock lock(mutex_);
  counts_[key] = {.next = Count::Next::kNothing, .time = now, .bytes = bytes};
}

void SizeCounts::GaveUp(const CountedKey& key) {
  MutexLock lock(mutex_);
  counts_[key].next = Count::Next::kDue;
}

bool SizeCounts::MakeRoomLocked() {
  auto oldest = counts_.end();
  for (auto entry = counts_.begin(); entry != counts_.end(); ++entry) {
    if (entry->second.next != Count::Next::kNothing) continue;
    if (oldest == counts_.end() || entry->second.time < oldest->second.time) oldest = entry;
  }
  if (oldest == counts_.end()) return false;
  counts_.erase(oldest);
  return true;
}

}  // namespace orrery::item
