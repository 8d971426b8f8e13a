// What two versions of a row make together: Cassandra's rules for reconciling cells.
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
#include <vector>

#include "base/status.h"
#include "model/row/row.h"

namespace orrery::model {

// Merges versions into one row. Lives for one merge, on one thread.
class RowMerger {
 public:
  // Views in `row` must live as long as the merger. Counters of `row` come after those before it.
  void Add(const Row& row);
  // The result's views point into the rows that were added and into the merger.
  const Row& row() const { return merged_; }

 private:
  void AddCells(const std::vector<Cell>& cells);
  Cell Reconcile(const Cell& a, const Cell& b);
  void DropCovered();

  Row merged_;
  bool empty_ = true;
  std::vector<Cell> scratch_;
  std::forward_list<std::string> sums_;  // what the counters of merged_ hold
};

// The same over encoded rows; `out` is encoded again. kCorruption when one cannot be understood.
Status MergeEncodedRows(const std::vector<std::string_view>& rows, std::string& out);

// What is left of `row` when all that `now_s` and `shadow` make invisible is taken away: expired
// cells, tombstones, what the row's own or the enclosing deletions cover. False when nothing shows:
// no liveness and no cell.
bool Purge(Row& row, const Deletion& shadow, uint32_t now_s);

// Whether every part of the row is dead since before `dead_before_s`: a deletion or tombstone that
// the server learned of before then, or a cell that expired before then. Such a row may be removed
// for good.
bool IsPurgeable(const Row& row, uint32_t dead_before_s);

}  // namespace orrery::model
