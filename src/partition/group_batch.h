// A GroupBatch is a batch that also answers what it says of a key: a mutation must see what the
// earlier ones of its group have written, before any of it is stored.
//
// The table of keys points into the batch's own encoded bytes, so an entry is kept once however
// often it is looked up.
//
// Not thread-safe while it is written. Any number of threads may call Find while one hands batch()
// to the engine, which changes no entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/batch.h"

namespace orrery::partition {

class GroupBatch {
 public:
  // The value that the batch puts, nullopt when it deletes the key.
  using Word = std::optional<std::string_view>;

  void Put(std::string_view key, std::string_view value);
  void Delete(std::string_view key);
  // The same for keys that are never looked up: Find does not see them.
  void PutUnread(std::string_view key, std::string_view value) { batch_.Put(key, value); }
  void DeleteUnread(std::string_view key) { batch_.Delete(key); }

  // Its last word on the key, nullopt when it has none. Views are good until the next change.
  std::optional<Word> Find(std::string_view key) const;
  // Calls visit(key, word) for each key that Find knows, in no order.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (const Entry& entry : entries_) visit(KeyOf(entry), WordOf(entry));
  }

  // Begin starts a transaction; Rollback takes back all since, Commit keeps it.
  void Begin();
  void Rollback();
  void Commit() { batch_.PopSavePoint(); }
  // Whether anything was written since Begin.
  bool wrote() const { return batch_.count() > count_at_begin_; }

  bool empty() const { return batch_.empty(); }
  void Clear();
  storage::Batch& batch() { return batch_; }

 private:
  static constexpr size_t kDeleted = SIZE_MAX;
  // Where key and value are in the batch's bytes.
  struct Place {
    size_t key_at = 0;
    size_t value_at = kDeleted;
    size_t value_size = 0;
  };
  struct Entry {
    size_t hash = 0;
    size_t key_size = 0;
    Place place;
  };

  std::string_view KeyOf(const Entry& entry) const {
    return batch_.contents().substr(entry.place.key_at, entry.key_size);
  }
  Word WordOf(const Entry& entry) const;
  void Record(std::string_view key, Place place);
  // The slot of `key`, or the free one where it belongs.
  size_t SlotOf(size_t hash, std::string_view key) const;
  void Grow();

  storage::Batch batch_;
  std::vector<Entry> entries_;  // in the order in which the keys first came
  // Open addressing with linear probing: index into entries_ + 1, 0 = free. Keys go only in the
  // reverse order of their coming, so that freeing a slot never hides another key.
  std::vector<uint32_t> slots_;
  // Since Begin: the places of older keys that were written again.
  std::vector<std::pair<uint32_t, Place>> overwritten_;
  size_t entries_at_begin_ = 0;
  size_t count_at_begin_ = 0;
};

}  // namespace orrery::partition
