#include "partition/group_batch.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"

namespace orrery::partition {
namespace {

constexpr size_t kSlotsMin = 1'024;  // a power of two
// A group larger than this gives its memory back: an idle partition should be small. A full group
// of items of 1 KB keeps it, or every group of a busy partition would grow anew.
constexpr size_t kKeptBytesMax = 2 << 20;

size_t VarintBytes(size_t value) {
  size_t bytes = 1;
  for (; value >= 0x80; value >>= 7) ++bytes;
  return bytes;
}

}  // namespace

GroupBatch::Place GroupBatch::LastPlace(Kind kind, std::string_view key,
                                        std::string_view value) const {
  const size_t value_at = batch_.bytes() - value.size();
  return {.kind = kind,
          .key_at = value_at - VarintBytes(value.size()) - key.size(),
          .value_at = value_at,
          .value_size = value.size()};
}

// An entry that the batch refuses (4 GB) is not in it; the engine will refuse the whole batch.

void GroupBatch::Put(std::string_view key, std::string_view value) {
  const size_t count = batch_.count();
  batch_.Put(key, value);
  if (batch_.count() > count) Record(key, LastPlace(Kind::kPut, key, value));
}

void GroupBatch::Delete(std::string_view key) {
  const size_t count = batch_.count();
  batch_.Delete(key);
  if (batch_.count() == count) return;
  Record(key, {.kind = Kind::kDelete, .key_at = batch_.bytes() - key.size()});
}

void GroupBatch::Merge(std::string_view key, std::string_view operand) {
  const size_t count = batch_.count();
  batch_.Merge(key, operand);
  if (batch_.count() == count) return;
  Place place = LastPlace(Kind::kMerge, key, operand);
  if (const Entry* entry = Lookup(key); entry != nullptr) {
    ORRERY_CHECK(entry->place.kind == Kind::kMerge);
    earlier_.push_back(entry->place);
    place.earlier = earlier_.size();
  }
  has_merges_ = true;
  Record(key, place);
}

const GroupBatch::Entry* GroupBatch::Lookup(std::string_view key) const {
  if (entries_.empty()) return nullptr;
  const uint32_t found = slots_[SlotOf(std::hash<std::string_view>()(key), key)];
  return found != 0 ? &entries_[found - 1] : nullptr;
}

std::optional<GroupBatch::Word> GroupBatch::Find(std::string_view key) const {
  const Entry* entry = Lookup(key);
  if (entry == nullptr) return std::nullopt;
  return Word{entry->place.kind, ValueAt(entry->place)};
}

void GroupBatch::AppendOperands(std::string_view key,
                                std::vector<std::string_view>& operands) const {
  const Entry* entry = Lookup(key);
  if (entry == nullptr || entry->place.kind != Kind::kMerge) return;
  const auto first = static_cast<ptrdiff_t>(operands.size());
  operands.push_back(ValueAt(entry->place));
  for (size_t at = entry->place.earlier; at != 0; at = earlier_[at - 1].earlier) {
    operands.push_back(ValueAt(earlier_[at - 1]));
  }
  std::reverse(operands.begin() + first, operands.end());
}

void GroupBatch::ForEachMerged(
    const std::function<void(std::string_view key, size_t hash, uint32_t operands)>& visit) const {
  for (const Entry& entry : entries_) {
    if (entry.place.kind != Kind::kMerge) continue;
    uint32_t operands = 1;
    for (size_t at = entry.place.earlier; at != 0; at = earlier_[at - 1].earlier) ++operands;
    visit(KeyOf(entry), entry.hash, operands);
  }
}

void GroupBatch::ForEachKey(const std::function<void(std::string_view key)>& visit) const {
  for (size_t i = entries_at_begin_; i < entries_.size(); ++i) visit(KeyOf(entries_[i]));
  for (const auto& [entry, former] : overwritten_)
    if (entry < entries_at_begin_) visit(KeyOf(entries_[entry]));
}

void GroupBatch::Collect(std::string_view lower, std::string_view upper,
                         std::map<std::string_view, Word>& words) {
  for (auto at = FirstFrom(lower); at != order_.end(); ++at) {
    const Entry& entry = entries_[*at];
    if (!upper.empty() && KeyOf(entry) >= upper) return;
    if (entry.place.kind == Kind::kMerge) continue;
    words[KeyOf(entry)] = {entry.place.kind, ValueAt(entry.place)};
  }
}

void GroupBatch::CollectKeys(std::string_view lower, std::string_view upper,
                             std::map<std::string_view, bool>& keys) {
  for (auto at = FirstFrom(lower); at != order_.end(); ++at) {
    const Entry& entry = entries_[*at];
    if (!upper.empty() && KeyOf(entry) >= upper) return;
    keys[KeyOf(entry)] = entry.place.kind != Kind::kDelete;
  }
}

std::vector<uint32_t>::const_iterator GroupBatch::FirstFrom(std::string_view lower) {
  Sort();
  const auto key_of = [this](uint32_t entry) { return KeyOf(entries_[entry]); };
  return std::ranges::lower_bound(order_, lower, {}, key_of);
}

void GroupBatch::Sort() {
  if (order_.size() == entries_.size()) return;
  const auto key_of = [this](uint32_t entry) { return KeyOf(entries_[entry]); };
  std::vector<uint32_t> added(entries_.size() - order_.size());
  std::iota(added.begin(), added.end(), static_cast<uint32_t>(order_.size()));
  std::ranges::sort(added, {}, key_of);
  std::vector<uint32_t> merged(entries_.size());
  std::ranges::merge(order_, added, merged.begin(), {}, key_of, key_of);
  order_ = std::move(merged);
}

void GroupBatch::Record(std::string_view key, Place place) {
  // Half empty, so that runs of taken slots stay short.
  if (2 * (entries_.size() + 1) > slots_.size()) Grow();
  const size_t hash = std::hash<std::string_view>()(key);
  uint32_t& slot = slots_[SlotOf(hash, key)];
  if (slot == 0) {
    entries_.push_back({.hash = hash, .key_size = key.size(), .place = place});
    slot = static_cast<uint32_t>(entries_.size());
    return;
  }
  Place& before = entries_[slot - 1].place;
  if (slot - 1 < entries_at_begin_) overwritten_.emplace_back(slot - 1, before);
  before = place;
}

size_t GroupBatch::SlotOf(size_t hash, std::string_view key) const {
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const Entry& entry = entries_[slots_[slot] - 1];
    if (entry.hash == hash && KeyOf(entry) == key) break;
  }
  return slot;
}

void GroupBatch::Grow() {
  slots_.assign(std::max(kSlotsMin, 2 * slots_.size()), 0);
  const size_t mask = slots_.size() - 1;
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    size_t slot = entries_[i].hash & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = i + 1;
  }
}

void GroupBatch::Begin() {
  count_at_begin_ = batch_.count();
  entries_at_begin_ = entries_.size();
  earlier_at_begin_ = earlier_.size();
  overwritten_.clear();
  batch_.SetSavePoint();
}

void GroupBatch::Rollback() {
  // Keys are found by their bytes: these must be there until the last one is gone.
  while (entries_.size() > entries_at_begin_) {
    const Entry& last = entries_.back();
    uint32_t& slot = slots_[SlotOf(last.hash, KeyOf(last))];
    ORRERY_CHECK(slot == entries_.size());
    slot = 0;
    entries_.pop_back();
  }
  for (auto step = overwritten_.rbegin(); step != overwritten_.rend(); ++step) {
    entries_[step->first].place = step->second;
  }
  overwritten_.clear();
  earlier_.resize(earlier_at_begin_);
  if (order_.size() > entries_.size()) {
    std::erase_if(order_, [this](uint32_t entry) { return entry >= entries_.size(); });
  }
  batch_.RollbackToSavePoint();
}

void GroupBatch::Clear() {
  if (batch_.bytes() > kKeptBytesMax) {
    *this = GroupBatch();
    return;
  }
  batch_.Clear();
  has_merges_ = false;
  if (!entries_.empty()) std::ranges::fill(slots_, 0);
  entries_.clear();
  order_.clear();
  earlier_.clear();
  overwritten_.clear();
  entries_at_begin_ = 0;
  earlier_at_begin_ = 0;
  count_at_begin_ = 0;
}

}  // namespace orrery::partition
