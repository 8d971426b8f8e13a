// An EntryList keeps the entries of one memtable in order: a skip list whose nodes lie apart from
// the entries, close together, each with the head of its entry's key. A search reads few cache
// lines and seldom an entry; values of a kilobyte between the keys do not slow it down.
//
// One writer at a time; any number of readers beside it, without locks. An entry is seen by readers
// from some moment within Insert on, and by all that begin after Insert has returned. Nothing is
// ever removed: entries and nodes live until the memory does, which must outlive the list and its
// cursors. An entry's key must not change once it is inserted.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "storage/memtable/entry_key.h"

namespace orrery::storage {

// The allocator of nodes.
class EntryMemory {
 public:
  virtual ~EntryMemory() = default;
  // Bytes at any alignment, never given back. Called by the writer only.
  virtual char* Allocate(size_t bytes) = 0;
};

class EntryList {
  struct Node;

 public:
  class Cursor;

  // Takes no memory before the first Insert.
  explicit EntryList(EntryMemory& memory);  // must outlive the list
  EntryList(const EntryList&) = delete;
  EntryList& operator=(const EntryList&) = delete;

  // False when an entry of the same key and sequence is there; then nothing has changed.
  // REQUIRES: a whole entry; no other Insert at the same time.
  bool Insert(const char* entry);

  bool Contains(const EntryKey& key) const;
  // Estimates how many entries come before `key`, from the towers passed on the way there: right on
  // average, and zero where nothing comes before.
  uint64_t EstimateBefore(const EntryKey& key) const;

 private:
  static constexpr int kHeightMax = 12;
  static constexpr int kBranching = 4;  // of so many nodes one reaches the next level: 16 M entries
  static constexpr size_t kNodeHeaderBytes = 24;
  static constexpr size_t kHeadBytes = kNodeHeaderBytes + kHeightMax * sizeof(std::atomic<Node*>);
  static constexpr size_t kSlabBytes = 4096;  // a quarter of the smallest arena block

  // The position of a key: the last node before it (or head()) and the first that is not (or null).
  // Both from one search: asked for its successor a moment later, `before` may name a node that was
  // inserted meanwhile and is before the key as well.
  struct Gap {
    Node* before;
    Node* after;
  };
  // Of one gap, the last node before it on each level in use.
  using Place = std::array<Node*, kHeightMax>;

  Node* head() const;
  Gap FindGap(const EntryKey& key, Place* place = nullptr) const;
  Node* FindLast() const;
  int DrawHeight();
  Node* MakeNode(const EntryKey& key, const char* entry, int height);

  // Stands before all entries, and has every level.
  alignas(std::atomic<Node*>) std::array<std::byte, kHeadBytes> head_;
  // Levels in use. A reader that sees an old one starts lower, and walks further.
  std::atomic<int> height_{1};

  // Of the writer.
  EntryMemory& memory_;
  char* slab_ = nullptr;  // what is left of the newest slab
  size_t slab_bytes_ = 0;
  uint64_t random_;
};

// A position in the list. Not thread-safe itself; copies are independent. Sees what is inserted
// while it moves.
class EntryList::Cursor {
 public:
  explicit Cursor(const EntryList& list) : list_(&list) {}  // must outlive the cursor

  bool Valid() const { return node_ != nullptr; }
  // REQUIRES: Valid(), for these three. Next and Prev may leave the list, and Valid() false.
  const char* entry() const;
  void Next();
  void Prev();

  // The first entry that is not before `key`.
  void Seek(const EntryKey& key);
  // The last entry that is not after `key`.
  void SeekForPrev(const EntryKey& key);
  void SeekToFirst();
  void SeekToLast();

 private:
  void MoveTo(Node* node);

  const EntryList* list_;
  Node* node_ = nullptr;
};

}  // namespace orrery::storage
