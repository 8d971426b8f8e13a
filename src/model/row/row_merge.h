// Merges two versions of a row by Cassandra's rules for reconciling cells.
//
// The later timestamp wins. On a tie a deletion beats an expiring cell, that beats a lasting one,
// and between equals the later expiry, then the larger value decides. Counter cells add up. What a
// deletion covers is dropped at once, the deletion itself stays: it may still meet older writes.
// Apart from counters, merging is commutative, associative and idempotent, so the order in which
// versions meet does not matter.
//
// Pure.
#pragma once

#include <forward_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "model/row/row.h"

namespace orrery::model {

// Merges versions into one row, however many, in about the time that sorting their cells takes.
// Lives for one merge, on one thread.
class RowMerger {
 public:
  // Views in `row` must live as long as the merger. Counters of `row` come after those before it.
  void Add(const Row& row);
  // The result's views point into the rows that were added and into the merger.
  const Row& row() & {
    Settle();
    return merged_;
  }
  Row row() && {
    Settle();
    return std::move(merged_);
  }

 private:
  // Makes merged_ whole: with late_, and without what its deletions cover.
  void Settle();
  void SortLate();
  Cell Reconcile(const Cell& a, const Cell& b);

  Row merged_;
  bool empty_ = true;
  bool has_counters_ = false;
  std::vector<Cell> late_;  // as they came, of rows whose other parts are in merged_ already
  std::vector<Cell> scratch_;
  std::forward_list<std::string> sums_;  // what the counters of merged_ hold
};

// Removes from `row` everything that `now_s` and `covering_deletion` make invisible: expired cells,
// tombstones, and what the row's own or the enclosing deletions cover. Returns false when nothing
// remains visible: no liveness and no cell.
bool Purge(Row& row, const Deletion& covering_deletion, uint32_t now_s);

// Returns whether there is anything that the next two may ever find.
bool CanForget(const Row& row);
// Takes away what is dead since before `dead_before_s`, for good: cells and a liveness that expired
// before then, tombstones that the server learned of before then. True when there was any.
bool ForgetCells(Row& row, uint32_t dead_before_s);
// The same of the row's and its columns' deletions, and of all that they cover.
bool ForgetDeletions(Row& row, uint32_t dead_before_s);

}  // namespace orrery::model
