#include "item/index/value_filter.h"

#include <functional>

#include "base/scramble.h"

namespace orrery::item {
namespace {

constexpr int kProbes = 7;

uint64_t FilterHash(std::string_view value) {
  return Scramble(std::hash<std::string_view>()(value));
}

// Calls `visit` with the word and the bit of each probe until it returns false.
template <typename Visit>
bool ForEachProbe(uint64_t hash, size_t words, const Visit& visit) {
  const uint64_t step = (hash >> 32) | 1;
  uint64_t at = hash;
  for (int i = 0; i < kProbes; ++i) {
    const uint64_t bit = at % (words * 64);
    if (!visit(bit / 64, uint64_t{1} << (bit % 64))) return false;
    at += step;
    at ^= at >> 29;
  }
  return true;
}

}  // namespace

ValueFilter::Level::Level(size_t values) : words(values * kBitsPerValue / 64), room(values) {}

bool ValueFilter::IsSet(const Level& level, uint64_t hash) {
  return ForEachProbe(hash, level.words.size(), [&](size_t word, uint64_t bit) {
    return (level.words[word].load(std::memory_order_relaxed) & bit) != 0;
  });
}

bool ValueFilter::HasHash(uint64_t hash) const {
  const size_t count = level_count_.load(std::memory_order_acquire);
  for (size_t i = 0; i < count; ++i) {
    if (IsSet(*levels_[i], hash)) return true;
  }
  return false;
}

bool ValueFilter::MayHave(std::string_view value) const { return HasHash(FilterHash(value)); }

void ValueFilter::Add(std::string_view value) {
  const uint64_t hash = FilterHash(value);
  const MutexLock lock(mutex_);
  if (HasHash(hash)) return;
  size_t count = level_count_.load(std::memory_order_relaxed);
  // The last level takes more than it is made for: it says "may be" too often, never wrongly "no".
  if (count == 0 || (levels_[count - 1]->room == 0 && count < kLevelsMax)) {
    levels_[count] = std::make_unique<Level>(kFirstLevelValues << count);
    level_count_.store(++count, std::memory_order_release);
  }
  Level& last = *levels_[count - 1];
  ForEachProbe(hash, last.words.size(), [&](size_t word, uint64_t bit) {
    last.words[word].fetch_or(bit, std::memory_order_relaxed);
    return true;
  });
  if (last.room > 0) --last.room;
}

size_t ValueFilter::bytes() const {
  size_t bytes = 0;
  const size_t count = level_count_.load(std::memory_order_acquire);
  for (size_t i = 0; i < count; ++i) bytes += levels_[i]->words.size() * sizeof(uint64_t);
  return bytes;
}

}  // namespace orrery::item
