// A PersistentIndex is an immutable sorted map whose changed copies share what did not change.
//
// Two levels: a directory of leaves, each a sorted run of at most kLeafEntriesMax entries. A copy
// shares the directory; an edit copies the directory of pointers and the leaves it touches, so
// changing one of a million entries moves a few thousand words instead of the whole map.
//
// Immutable objects are safe to read from any thread. An Editor belongs to one thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace orrery::partition {

template <typename Key, typename Value>
class PersistentIndex {
 public:
  static constexpr size_t kLeafEntriesMax = 256;
  using Entry = std::pair<Key, Value>;

  class Editor;

  // nullptr when there is no such key. The pointer lives as long as any index that shares it.
  const Value* Find(const Key& key) const {
    if (directory_ == nullptr) return nullptr;
    const auto leaf = LeafFor(*directory_, key);
    if (leaf == directory_->end()) return nullptr;
    const auto entry = std::ranges::lower_bound(**leaf, key, {}, &Entry::first);
    return entry != (*leaf)->end() && entry->first == key ? &entry->second : nullptr;
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // Calls `visit(key, value)` in key order.
  template <typename Visit>
  void ForEach(Visit visit) const {
    if (directory_ == nullptr) return;
    for (const auto& leaf : *directory_) {
      for (const auto& [key, value] : *leaf) visit(key, value);
    }
  }

 private:
  using Leaf = std::vector<Entry>;  // never empty inside a directory
  using Directory = std::vector<std::shared_ptr<const Leaf>>;

  // The only leaf that may hold `key`: the first one whose last key is not below it.
  static typename Directory::const_iterator LeafFor(const Directory& directory, const Key& key) {
    return std::partition_point(directory.begin(), directory.end(),
                                [&](const auto& leaf) { return leaf->back().first < key; });
  }

  std::shared_ptr<const Directory> directory_;  // null = empty
  size_t size_ = 0;
};

// Collects changes to an index and makes the changed one. Each leaf is copied once however many
// changes fall into it. Not thread-safe.
template <typename Key, typename Value>
class PersistentIndex<Key, Value>::Editor {
 public:
  explicit Editor(const PersistentIndex& base) : size_(base.size_) {
    if (base.directory_ != nullptr) directory_ = *base.directory_;
    owned_.resize(directory_.size());
  }

  // Inserts, or replaces the value of `key`.
  void Put(const Key& key, Value value) {
    if (directory_.empty()) {
      auto leaf = std::make_shared<Leaf>();
      leaf->emplace_back(key, std::move(value));
      owned_.push_back(leaf.get());
      directory_.push_back(std::move(leaf));
      ++size_;
      return;
    }
    const size_t at = std::min(IndexFor(key), directory_.size() - 1);
    Leaf& leaf = Own(at);
    const auto entry = std::ranges::lower_bound(leaf, key, {}, &Entry::first);
    if (entry != leaf.end() && entry->first == key) {
      entry->second = std::move(value);
      return;
    }
    leaf.emplace(entry, key, std::move(value));
    ++size_;
    if (leaf.size() > kLeafEntriesMax) Halve(at);
  }

  // False when there is no such key.
  bool Erase(const Key& key) {
    const size_t at = IndexFor(key);
    if (at == directory_.size()) return false;
    const Leaf& shared = *directory_[at];
    const auto entry = std::ranges::lower_bound(shared, key, {}, &Entry::first);
    if (entry == shared.end() || entry->first != key) return false;
    const auto offset = entry - shared.begin();
    Leaf& leaf = Own(at);
    leaf.erase(leaf.begin() + offset);
    --size_;
    if (leaf.empty()) {
      directory_.erase(directory_.begin() + static_cast<std::ptrdiff_t>(at));
      owned_.erase(owned_.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return true;
  }

  // nullptr when there is no such key; valid until the next change.
  const Value* Find(const Key& key) const {
    const size_t at = IndexFor(key);
    if (at == directory_.size()) return nullptr;
    const auto entry = std::ranges::lower_bound(*directory_[at], key, {}, &Entry::first);
    return entry != directory_[at]->end() && entry->first == key ? &entry->second : nullptr;
  }

  // Ends the editor.
  PersistentIndex Finish() && {
    PersistentIndex index;
    index.size_ = size_;
    if (!directory_.empty()) {
      index.directory_ = std::make_shared<const Directory>(std::move(directory_));
    }
    return index;
  }

 private:
  size_t IndexFor(const Key& key) const {
    return static_cast<size_t>(LeafFor(directory_, key) - directory_.begin());
  }

  Leaf& Own(size_t at) {
    if (owned_[at] == nullptr) {
      auto copy = std::make_shared<Leaf>(*directory_[at]);
      owned_[at] = copy.get();
      directory_[at] = std::move(copy);
    }
    return *owned_[at];
  }

  void Halve(size_t at) {
    Leaf& lower = *owned_[at];
    const auto middle = lower.begin() + static_cast<std::ptrdiff_t>(lower.size() / 2);
    auto upper = std::make_shared<Leaf>(std::make_move_iterator(middle),
                                        std::make_move_iterator(lower.end()));
    lower.erase(middle, lower.end());
    const auto next = static_cast<std::ptrdiff_t>(at + 1);
    owned_.insert(owned_.begin() + next, upper.get());
    directory_.insert(directory_.begin() + next, std::move(upper));
  }

  Directory directory_;
  std::vector<Leaf*> owned_;  // beside directory_: the leaf when this editor made it, else null
  size_t size_;
};

}  // namespace orrery::partition
