#include "model/row/row_merge.h"

#include <algorithm>

#include "base/bytes.h"
#include "model/row/row_codec.h"

namespace orrery::model {
namespace {

int ComparePlace(const Cell& a, const Cell& b) {
  if (a.column != b.column) return a.column < b.column ? -1 : 1;
  return a.path.compare(b.path);
}

const Deletion& Later(const Deletion& a, const Deletion& b) {
  if (a.timestamp != b.timestamp) return a.timestamp > b.timestamp ? a : b;
  return a.local_s >= b.local_s ? a : b;
}

// Among cells of one time: the one that is nearer to being gone.
int Rank(const Cell& cell) {
  if (cell.kind == CellKind::kTombstone) return 2;
  return cell.ttl_s != 0 ? 1 : 0;
}

const Cell& Stronger(const Cell& a, const Cell& b) {
  if (a.timestamp != b.timestamp) return a.timestamp > b.timestamp ? a : b;
  if (Rank(a) != Rank(b)) return Rank(a) > Rank(b) ? a : b;
  if (a.expiry_s != b.expiry_s) return a.expiry_s > b.expiry_s ? a : b;
  if (a.value != b.value) return a.value > b.value ? a : b;
  // The shorter ttl of the same expiry was written later.
  return a.ttl_s <= b.ttl_s ? a : b;
}

const Liveness& Stronger(const Liveness& a, const Liveness& b) {
  if (a.timestamp != b.timestamp) return a.timestamp > b.timestamp ? a : b;
  if ((a.ttl_s != 0) != (b.ttl_s != 0)) return a.ttl_s != 0 ? a : b;
  if (a.expiry_s != b.expiry_s) return a.expiry_s > b.expiry_s ? a : b;
  return a.ttl_s <= b.ttl_s ? a : b;
}

void MergeDeletions(std::vector<ColumnDeletion>& into, const std::vector<ColumnDeletion>& from) {
  for (const ColumnDeletion& dropped : from) {
    const auto place = std::ranges::lower_bound(into, dropped.column, {}, &ColumnDeletion::column);
    if (place == into.end() || place->column != dropped.column) {
      into.insert(place, dropped);
    } else {
      place->deletion = Later(place->deletion, dropped.deletion);
    }
  }
}

// The deletion that holds for a column: the row's, or its own when that is later.
class ColumnTombstones {
 public:
  ColumnTombstones(const Deletion& whole, const std::vector<ColumnDeletion>& columns)
      : whole_(whole), next_(columns.begin()), end_(columns.end()) {}

  // REQUIRES: columns asked for in rising order.
  bool Covers(const Cell& cell) {
    while (next_ != end_ && next_->column < cell.column) ++next_;
    const bool own = next_ != end_ && next_->column == cell.column;
    return whole_.Covers(cell.timestamp) || (own && next_->deletion.Covers(cell.timestamp));
  }

 private:
  const Deletion& whole_;
  std::vector<ColumnDeletion>::const_iterator next_;
  const std::vector<ColumnDeletion>::const_iterator end_;
};

// Drops the cells that the row's deletions cover; the deletions stay.
void DropCovered(Row& row) {
  if (row.deletion.exists()) {
    if (row.liveness.has_value() && row.deletion.Covers(row.liveness->timestamp)) {
      row.liveness.reset();
    }
    std::erase_if(row.column_deletions, [&](const ColumnDeletion& dropped) {
      return row.deletion.Covers(dropped.deletion.timestamp);
    });
  }
  if (!row.deletion.exists() && row.column_deletions.empty()) return;
  ColumnTombstones tombstones(row.deletion, row.column_deletions);
  std::erase_if(row.cells, [&](const Cell& cell) { return tombstones.Covers(cell); });
}

}  // namespace

void RowMerger::Add(const Row& row) {
  has_counters_ = has_counters_ || std::ranges::any_of(row.cells, [](const Cell& cell) {
                    return cell.kind == CellKind::kCounter;
                  });
  if (empty_) {
    merged_ = row;
    empty_ = false;
    DropCovered(merged_);
    return;
  }
  merged_.lsn = std::max(merged_.lsn, row.lsn);
  merged_.deletion = Later(merged_.deletion, row.deletion);
  if (row.liveness.has_value()) {
    merged_.liveness =
        merged_.liveness.has_value() ? Stronger(*merged_.liveness, *row.liveness) : *row.liveness;
  }
  MergeDeletions(merged_.column_deletions, row.column_deletions);
  late_.insert(late_.end(), row.cells.begin(), row.cells.end());
  // A small change of a large row waits for others, lest each costs as much as the row. Not so with
  // counters: there it matters what had been added up when a deletion came.
  if (has_counters_ || late_.size() >= merged_.cells.size()) Settle();
}

void RowMerger::Settle() {
  SortLate();
  scratch_.clear();
  scratch_.reserve(merged_.cells.size() + late_.size());
  auto a = merged_.cells.begin();
  auto b = late_.begin();
  while (a != merged_.cells.end() && b != late_.end()) {
    const int order = ComparePlace(*a, *b);
    scratch_.push_back(order < 0 ? *a : order > 0 ? *b : Reconcile(*a, *b));
    if (order <= 0) ++a;
    if (order >= 0) ++b;
  }
  scratch_.insert(scratch_.end(), a, merged_.cells.end());
  scratch_.insert(scratch_.end(), b, late_.end());
  merged_.cells.swap(scratch_);
  late_.clear();
  DropCovered(merged_);
}

void RowMerger::SortLate() {
  const auto follows = [](const Cell& a, const Cell& b) { return ComparePlace(a, b) >= 0; };
  if (std::ranges::adjacent_find(late_, follows) == late_.end()) return;  // cells of one row
  std::ranges::sort(late_, [](const Cell& a, const Cell& b) { return ComparePlace(a, b) < 0; });
  size_t kept = 0;
  for (size_t i = 1; i < late_.size(); ++i) {
    if (ComparePlace(late_[kept], late_[i]) == 0) {
      late_[kept] = Reconcile(late_[kept], late_[i]);
    } else {
      late_[++kept] = late_[i];
    }
  }
  late_.resize(kept + 1);
}

Cell RowMerger::Reconcile(const Cell& a, const Cell& b) {
  if (a.kind != CellKind::kCounter || b.kind != CellKind::kCounter) return Stronger(a, b);
  // Wraps around, as a counter does.
  const uint64_t sum =
      LoadBigEndian<uint64_t>(a.value.data()) + LoadBigEndian<uint64_t>(b.value.data());
  AppendBigEndian(sums_.emplace_front(), sum);
  Cell cell = a.timestamp >= b.timestamp ? a : b;
  cell.value = sums_.front();
  return cell;
}

bool Purge(Row& row, const Deletion& covering_deletion, uint32_t now_s) {
  const Deletion whole = Later(row.deletion, covering_deletion);
  if (row.liveness.has_value() &&
      (whole.Covers(row.liveness->timestamp) || !row.liveness->LiveAt(now_s))) {
    row.liveness.reset();
  }
  ColumnTombstones columns(whole, row.column_deletions);
  std::erase_if(row.cells,
                [&](const Cell& cell) { return !cell.LiveAt(now_s) || columns.Covers(cell); });
  row.deletion = {};
  row.column_deletions.clear();
  return row.liveness.has_value() || !row.cells.empty();
}

bool CanForget(const Row& row) {
  return row.deletion.exists() || !row.column_deletions.empty() ||
         (row.liveness.has_value() && row.liveness->ttl_s != 0) ||
         std::ranges::any_of(row.cells, [](const Cell& cell) {
           return cell.kind == CellKind::kTombstone || cell.ttl_s != 0;
         });
}

bool ForgetCells(Row& row, uint32_t dead_before_s) {
  const bool had_died = row.liveness.has_value() && row.liveness->ttl_s != 0 &&
                        row.liveness->expiry_s < dead_before_s;
  if (had_died) row.liveness.reset();
  const size_t gone = std::erase_if(row.cells, [dead_before_s](const Cell& cell) {
    const bool dies = cell.kind == CellKind::kTombstone || cell.ttl_s != 0;
    return dies && cell.expiry_s < dead_before_s;
  });
  return had_died || gone != 0;
}

bool ForgetDeletions(Row& row, uint32_t dead_before_s) {
  const auto is_old = [dead_before_s](const Deletion& deletion) {
    return deletion.exists() && deletion.local_s < dead_before_s;
  };
  const bool is_whole_old = is_old(row.deletion);
  if (!is_whole_old &&
      std::ranges::none_of(row.column_deletions, is_old, &ColumnDeletion::deletion))
    return false;
  DropCovered(row);
  if (is_whole_old) row.deletion = {};
  std::erase_if(row.column_deletions,
                [&](const ColumnDeletion& dropped) { return is_old(dropped.deletion); });
  return true;
}

}  // namespace orrery::model
