#include "item/maintenance/largest_keys.h"

#include <algorithm>
#include <utility>

namespace orrery::item {

void LargestKeys::Note(LargeKey key) {
  const auto known = std::ranges::find_if(keys_, [&](const LargeKey& other) {
    return other.hash == key.hash && other.container == key.container &&
           other.partition_key == key.partition_key;
  });
  if (known != keys_.end()) {
    known->bytes = key.bytes;
    if (key.bytes == 0) keys_.erase(known);
  } else if (keys_.size() < kLargestKeysMax) {
    if (key.bytes != 0) keys_.push_back(std::move(key));
  } else if (const auto least = std::ranges::min_element(keys_, {}, &LargeKey::bytes);
             least->bytes < key.bytes) {
    *least = std::move(key);
  }
  const bool full = keys_.size() == kLargestKeysMax;
  floor_ = full ? std::ranges::min(keys_, {}, &LargeKey::bytes).bytes : 0;
}

std::vector<LargeKey> LargestKeys::Top(size_t count) const {
  std::vector<LargeKey> top = keys_;
  std::ranges::sort(top, std::ranges::greater{}, &LargeKey::bytes);
  if (top.size() > count) top.resize(count);
  return top;
}

}  // namespace orrery::item
