#include "item/index/value_filters.h"

#include <algorithm>
#include <utility>

#include "item/index/index_terms.h"
#include "partition/sequencer.h"

namespace orrery::item {
namespace {

bool IsOneWholeValue(const std::optional<ValueBound>& lower,
                     const std::optional<ValueBound>& upper) {
  return lower.has_value() && upper.has_value() && lower->inclusive && upper->inclusive &&
         lower->encoded == upper->encoded && lower->encoded.size() < kIndexValueBytesMax;
}

}  // namespace

std::shared_ptr<ValueFilters::Kept> ValueFilters::Find(std::string_view prefix) const {
  const auto all = all_.Load();
  if (all == nullptr) return nullptr;
  const auto found = std::ranges::find_if(
      *all, [&](const std::shared_ptr<Kept>& kept) { return kept->prefix == prefix; });
  return found == all->end() ? nullptr : *found;
}

void ValueFilters::OnPut(std::string_view key) {
  if (!any_.load(std::memory_order_acquire)) return;
  const auto all = all_.Load();
  for (const std::shared_ptr<Kept>& kept : *all) {
    if (!key.starts_with(kept->prefix)) continue;
    if (const auto decoded = DecodeKey(key); decoded.has_value()) kept->filter.Add(decoded->value);
    return;
  }
}

Result<size_t> ValueFilters::Grow(const storage::Engine& engine, partition::Sequencer& sequencer,
                                  ContainerId container, IndexId index, size_t entries_max) {
  const std::string prefix = IndexPrefix(container, index);
  std::shared_ptr<Kept> kept = Find(prefix);
  if (kept != nullptr && kept->complete.load(std::memory_order_acquire)) return 0;
  const MutexLock lock(grow_mutex_);
  kept = Find(prefix);
  if (kept == nullptr) {
    const auto all = all_.Load();
    if (all != nullptr && all->size() >= kFiltersMax) return 0;
    All next = all == nullptr ? All() : *all;
    kept = std::make_shared<Kept>();
    kept->prefix = prefix;
    kept->next = prefix;
    next.push_back(kept);
    // Writes that were evaluated without it are stored when the sequencer is idle.
    sequencer.Pause();
    all_.Store(std::make_shared<const All>(std::move(next)));
    any_.store(true, std::memory_order_release);
    sequencer.Resume();
  }
  if (kept->complete.load(std::memory_order_acquire)) return 0;
  const auto cursor = engine.NewIterator({.lower = kept->next, .upper = PrefixEnd(prefix)});
  cursor->Seek(kept->next);
  size_t entries = 0;
  for (; cursor->Valid() && entries < entries_max; cursor->Next(), ++entries) {
    const auto key = DecodeKey(cursor->key());
    if (!key.has_value()) return Fail(Code::kCorruption, "a stored index entry's key is damaged");
    kept->filter.Add(key->value);
  }
  ORRERY_TRY(cursor->status());
  if (cursor->Valid()) {
    kept->next = cursor->key();
  } else {
    kept->complete.store(true, std::memory_order_release);
  }
  return entries;
}

bool ValueFilters::Narrow(ContainerId container, IndexRange& range) const {
  if (!any_.load(std::memory_order_acquire)) return true;
  const auto kept = Find(IndexPrefix(container, range.index));
  if (kept == nullptr || !kept->complete.load(std::memory_order_acquire)) return true;
  const auto is_absent = [&](const auto& interval) {
    return IsOneWholeValue(interval.lower, interval.upper) &&
           !kept->filter.MayHave(interval.lower->encoded);
  };
  std::erase_if(range.further, is_absent);
  if (!is_absent(range)) return true;
  if (range.further.empty()) return false;
  range.lower = std::move(range.further.front().lower);
  range.upper = std::move(range.further.front().upper);
  range.further.erase(range.further.begin());
  return true;
}

}  // namespace orrery::item
