// A SketchWalk meets the items of a sketched index of vectors by how near their sketches say they
// may be, the most promising first, and reads only the parts of the index that promise enough.
//
// Sketches are a tree in the order of their bytes (model/vector/vector_sketch.h). Of a part of it a
// few entries are read; what is left waits as its two halves, each with the least distance that
// anything in it may have. What waits, halves and items, is taken by that distance.
//
// Not thread-safe; lives for one page of a search. All must outlive it.
#pragma once

#include <functional>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "item/layout/key_layout.h"
#include "model/vector/vector_sketch.h"
#include "partition/map/hash_range.h"
#include "storage/iterator.h"

namespace orrery::item {

class SketchWalk {
 public:
  struct Parts {
    storage::Iterator& cursor;  // over all sketches of the index
    std::string prefix;         // of their keys
    const model::SketchComparer& comparer;
    partition::HashRange range;  // items outside of it are skipped
    Micros now;                  // so are expired ones
  };
  explicit SketchWalk(Parts parts) : parts_(std::move(parts)) {}

  // Reads so many entries, one or more; whether these are all. REQUIRES: nothing was called before.
  Result<bool> Begin(size_t entries);

  // The next item, unless all that is left is farther away than `square` (SquareOf): nothing then.
  Result<std::optional<ItemKey>> Next(double square);
  // Returns whether all items were met.
  bool done() const { return waiting_.empty(); }

  size_t entries_passed() const { return entries_passed_; }
  size_t bytes_passed() const { return bytes_passed_; }

 private:
  // A part of the tree, or an item.
  struct Waiting {
    double square = 0;
    std::string from;  // of the part, what is at or behind this (in keys, behind the prefix)
    std::string cell;  // empty: an item
    size_t bits = 0;   // of the cell that count
    ItemKey key;
    friend bool operator>(const Waiting& a, const Waiting& b) { return a.square > b.square; }
  };

  // Has the first items of a part wait, and its halves with what is left; whether nothing is.
  Result<bool> Open(const Waiting& part, size_t entries);
  // From the cursor on; false when the part has more.
  Result<bool> Read(const Waiting& part, size_t entries);
  // The last cell of a part that has entries.
  Result<std::string> LastWithin(const Waiting& part);
  // The sketch of the entry at the cursor, whose key it points into. Nothing when it is not of the
  // part.
  std::optional<std::string_view> SketchWithin(const Waiting& part) const;

  const Parts parts_;
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;
  size_t entries_passed_ = 0;
  size_t bytes_passed_ = 0;
};

}  // namespace orrery::item
