// A map of bounded size that forgets what was used longest ago.
//
// Not thread-safe. Values stay where they are until forgotten: pointers to them are good until the
// next Insert or EraseIf.
#pragma once

#include <cstddef>
#include <list>
#include <unordered_map>
#include <utility>

#include "base/check.h"

namespace orrery::script {

template <typename Key, typename Value>
class LruMap {
 public:
  explicit LruMap(size_t size_max) : size_max_(size_max) { ORRERY_CHECK(size_max > 0); }

  size_t size() const { return entries_.size(); }

  // The value, now the latest used; or nullptr.
  Value* Find(const Key& key) {
    const auto found = index_.find(key);
    if (found == index_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return &found->second->second;
  }

  // REQUIRES: the key is not there. `forget` is told the key that had to go, before it goes.
  template <typename Forget>
  Value& Insert(const Key& key, Value value, Forget&& forget) {
    if (entries_.size() >= size_max_) {
      forget(entries_.back().first);
      index_.erase(entries_.back().first);
      entries_.pop_back();
    }
    entries_.emplace_front(key, std::move(value));
    const bool is_new = index_.emplace(key, entries_.begin()).second;
    ORRERY_CHECK(is_new);
    return entries_.front().second;
  }

  template <typename Predicate>
  void EraseIf(Predicate&& predicate) {
    for (auto entry = entries_.begin(); entry != entries_.end();) {
      if (predicate(entry->second)) {
        index_.erase(entry->first);
        entry = entries_.erase(entry);
      } else {
        ++entry;
      }
    }
  }

  void Clear() {
    index_.clear();
    entries_.clear();
  }

 private:
  using Entries = std::list<std::pair<const Key, Value>>;

  const size_t size_max_;
  Entries entries_;  // latest used first
  std::unordered_map<Key, typename Entries::iterator> index_;
};

}  // namespace orrery::script
