// A Batch is the list of changes that become visible and durable together, or not at all.
//
// It is also the unit that a sequencer builds for a whole group of callers: a save point lets it
// take back what one of them wrote without touching the others.
//
// Not thread-safe. Movable; one that was moved from may only be destroyed or assigned to.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace orrery::storage {

class Batch {
 public:
  Batch();
  ~Batch();
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;

  void Put(std::string_view key, std::string_view value);
  void Delete(std::string_view key);
  // Hands `operand` to the engine's MergeRule when the key is read. REQUIRES: the engine has one.
  void Merge(std::string_view key, std::string_view operand);
  // Removes every key in [begin, end); nothing when begin >= end.
  void DeleteRange(std::string_view begin, std::string_view end);

  void SetSavePoint();
  // Undoes everything since the last save point, and drops it. REQUIRES: one is set.
  void RollbackToSavePoint();
  // Forgets the last save point, keeping what was written. REQUIRES: one is set.
  void PopSavePoint();

  void Clear();
  bool empty() const;
  size_t count() const;
  size_t bytes() const;
  // The encoded entries, good until the next change. Right after a Put or Merge it ends with the
  // key, the value's size as a varint and the value, right after a Delete with the key.
  std::string_view contents() const;

 private:
  friend class Engine;
  friend class Overlay;
  struct Rep;
  std::unique_ptr<Rep> rep_;
};

}  // namespace orrery::storage
