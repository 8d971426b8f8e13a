// A GroupBatch is a batch that also answers what it says of a key: a mutation must see what the
// earlier ones of its group have written, before any of it is stored.
//
// The table of keys points into the batch's own encoded bytes, so an entry is kept once however
// often it is looked up.
//
// For one thread at a time; but another may hand batch() to the engine, which changes no entry,
// while this one looks keys up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/batch.h"

namespace orrery::partition {

class GroupBatch {
 public:
  enum class Kind : uint8_t { kPut, kDelete, kMerge };
  struct Word {
    Kind kind = Kind::kDelete;
    std::string_view value{};  // kPut: the value; kMerge: the last operand
    friend bool operator==(const Word&, const Word&) = default;
  };

  void Put(std::string_view key, std::string_view value);
  void Delete(std::string_view key);
  // REQUIRES: the key is only ever merged, never put or deleted.
  void Merge(std::string_view key, std::string_view operand);
  // The same for keys that are never looked up: Find does not see them.
  void PutUnread(std::string_view key, std::string_view value) { batch_.Put(key, value); }
  void DeleteUnread(std::string_view key) { batch_.Delete(key); }

  // Its last word on the key, nullopt when it has none. Views are good until the next change; so
  // are those of the next two.
  std::optional<Word> Find(std::string_view key) const;
  // Appends what was merged into the key, oldest first.
  void AppendOperands(std::string_view key, std::vector<std::string_view>& operands) const;
  // Calls `visit` with each key that was merged, its hash, and how often it was.
  void ForEachMerged(
      const std::function<void(std::string_view key, size_t hash, uint32_t operands)>& visit) const;
  // Sets in `words` those on all keys of [lower, upper) that were put or deleted; an empty upper is
  // the end.
  void Collect(std::string_view lower, std::string_view upper,
               std::map<std::string_view, Word>& words);
  // Sets in `keys`, for all keys of [lower, upper) that it has a word on, whether they are there
  // now: put or merged.
  void CollectKeys(std::string_view lower, std::string_view upper,
                   std::map<std::string_view, bool>& keys);

  // Begin starts a transaction; Rollback takes back all since, Commit keeps it.
  void Begin();
  void Rollback();
  void Commit() { batch_.PopSavePoint(); }
  // Calls `visit` with each key that was put, deleted or merged since Begin.
  void ForEachKey(const std::function<void(std::string_view key)>& visit) const;
  // Returns whether anything was written since Begin.
  bool wrote() const { return batch_.count() > count_at_begin_; }

  bool empty() const { return batch_.empty(); }
  bool has_merges() const { return has_merges_; }
  void Clear();
  storage::Batch& batch() { return batch_; }

 private:
  // The position of key and value in the batch's bytes.
  struct Place {
    Kind kind = Kind::kDelete;
    size_t key_at = 0;
    size_t value_at = 0;
    size_t value_size = 0;
    size_t earlier = 0;  // kMerge: index into earlier_ + 1 of the operand before, 0 = none
  };
  struct Entry {
    size_t hash = 0;
    size_t key_size = 0;
    Place place;
  };

  std::string_view KeyOf(const Entry& entry) const {
    return batch_.contents().substr(entry.place.key_at, entry.key_size);
  }
  std::string_view ValueAt(const Place& place) const {
    return batch_.contents().substr(place.value_at, place.value_size);
  }
  const Entry* Lookup(std::string_view key) const;
  // The place of what was just written with a value.
  Place LastPlace(Kind kind, std::string_view key, std::string_view value) const;
  void Record(std::string_view key, Place place);
  // The slot of `key`, or the free one where it belongs.
  size_t SlotOf(size_t hash, std::string_view key) const;
  void Grow();
  // The first in order_ whose key is not before `lower`; brings order_ up to date.
  std::vector<uint32_t>::const_iterator FirstFrom(std::string_view lower);
  // Brings order_ up to date.
  void Sort();

  storage::Batch batch_;
  bool has_merges_ = false;
  std::vector<Entry> entries_;  // in the order in which the keys first came
  // Open addressing with linear probing: index into entries_ + 1, 0 = free. Keys go only in the
  // reverse order of their coming, so that freeing a slot never hides another key.
  std::vector<uint32_t> slots_;
  std::vector<uint32_t> order_;  // the first so many of entries_, by key; made when asked for
  std::vector<Place> earlier_;   // operands that are not their key's last
  // Since Begin: the places of older keys that were written again.
  std::vector<std::pair<uint32_t, Place>> overwritten_;
  size_t entries_at_begin_ = 0;
  size_t earlier_at_begin_ = 0;
  size_t count_at_begin_ = 0;
};

}  // namespace orrery::partition
