#include "partition/group_batch.h"

#include <algorithm>
#include <functional>

#include "base/check.h"

namespace orrery::partition {
namespace {

constexpr size_t kSlotsMin = 1'024;  // a power of two
// A group larger than this gives its memory back: an idle partition should be small.
constexpr size_t kKeptBytesMax = 1 << 20;

size_t VarintBytes(size_t value) {
  size_t bytes = 1;
  for (; value >= 0x80; value >>= 7) ++bytes;
  return bytes;
}

}  // namespace

void GroupBatch::Put(std::string_view key, std::string_view value) {
  const size_t count = batch_.count();
  batch_.Put(key, value);
  // One that the batch refuses (4 GB) is not in it; the engine will refuse the whole batch.
  if (batch_.count() == count) return;
  const size_t value_at = batch_.bytes() - value.size();
  Record(key, {.key_at = value_at - VarintBytes(value.size()) - key.size(),
               .value_at = value_at,
               .value_size = value.size()});
}

void GroupBatch::Delete(std::string_view key) {
  const size_t count = batch_.count();
  batch_.Delete(key);
  if (batch_.count() == count) return;
  Record(key, {.key_at = batch_.bytes() - key.size()});
}

std::optional<GroupBatch::Word> GroupBatch::Find(std::string_view key) const {
  if (entries_.empty()) return std::nullopt;
  const uint32_t found = slots_[SlotOf(std::hash<std::string_view>()(key), key)];
  if (found == 0) return std::nullopt;
  return WordOf(entries_[found - 1]);
}

GroupBatch::Word GroupBatch::WordOf(const Entry& entry) const {
  if (entry.place.value_at == kDeleted) return std::nullopt;
  return batch_.contents().substr(entry.place.value_at, entry.place.value_size);
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
  batch_.RollbackToSavePoint();
}

void GroupBatch::Clear() {
  if (batch_.bytes() > kKeptBytesMax) {
    *this = GroupBatch();
    return;
  }
  batch_.Clear();
  entries_.clear();
  std::ranges::fill(slots_, 0);
  overwritten_.clear();
  entries_at_begin_ = 0;
  count_at_begin_ = 0;
}

}  // namespace orrery::partition
