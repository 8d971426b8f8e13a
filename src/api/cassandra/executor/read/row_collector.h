// Makes result rows out of candidates: puts their values together, tests them, groups them, and
// counts until a limit or the page is full.
//
// It may stop in the middle of a source's page, and says which row it has dealt with last, so that
// the next page can begin behind it. A group is never left open across pages: the page ends before
// the first row of the next group.
//
// Lives for one execution, on one thread. What is given must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/cassandra/executor/read/result_writer.h"
#include "api/cassandra/executor/read/row_group.h"
#include "api/cassandra/executor/read/row_source.h"
#include "api/cassandra/executor/read/sorted_rows.h"
#include "api/cassandra/executor/row/row_assembler.h"
#include "api/cassandra/planner/restriction/row_filter.h"
#include "api/cassandra/planner/select/select_plan.h"

namespace orrery::cassandra {

inline constexpr size_t kPageBytesMax = size_t{4} << 20;
// Without pages: what one answer may have.
inline constexpr size_t kAnswerBytesMax = size_t{128} << 20;

struct CollectorLimits {
  std::optional<uint32_t> rows;           // LIMIT, or what earlier pages have left of it
  std::optional<uint32_t> per_partition;  // PER PARTITION LIMIT
  uint32_t page_rows = 0;                 // 0: no pages
};

class RowCollector {
 public:
  struct Parts {
    const SelectPlan& plan;
    const BoundKeys& keys;
    const RowFilter& filter;
    Evaluation evaluation;
    uint32_t now_s = 0;
  };
  RowCollector(const Parts& parts, const CollectorLimits& limits);

  // Goes on behind earlier pages.
  void Resume(const SourceStart& start);

  enum class Taken : uint8_t {
    kAll,    // more may come
    kFull,   // the page is full
    kEnough  // the limit is reached
  };
  CqlResult<Taken> Take(const SourcePage& page);
  // The source has no more.
  CqlStatus Finish();

  // The last row, or partition, that was dealt with, in this page or in earlier ones; nothing when
  // there was none.
  const std::optional<RowMark>& mark() const { return mark_; }
  // Returns how many rows of the mark's partition the result has, with those of earlier pages.
  uint32_t partition_rows() const {
    return mark_.has_value() && mark_->key == partition_ ? partition_rows_ : 0;
  }
  std::optional<uint32_t> rows_left() const { return limits_.rows; }
  // After Take or Finish: the page has as many rows or bytes as it may.
  bool is_full() const;

  size_t rows() const { return static_cast<size_t>(rows_); }
  // Returns the bytes of the result in memory.
  size_t bytes() const { return cells_.size() + (sorted_.has_value() ? sorted_->bytes() : 0); }
  // Returns how many more rows the page takes; unlimited when groups or an order decide.
  std::optional<size_t> room() const;
  // The result so far. Once.
  void Give(std::string& cells, int32_t& rows);

 private:
  CqlResult<Taken> TakePartition(const SourcePartition& partition);
  CqlResult<Taken> TakeRow(const SourcePartition& partition, const SourceRow* row);
  CqlResult<Taken> TakeGrouped(const SourcePartition& partition);
  // Returns whether anything shows of the row, or of the static row without one.
  CqlResult<bool> Assemble(const SourcePartition& partition, const SourceRow* row);
  bool IsAskedFor(const SourceRow& row) const;
  // Remembers, as mark(), how far this Take came.
  void KeepMark();
  CqlStatus Emit(const RowValues& row, std::span<const TermValue> aggregates);
  CqlStatus CloseGroup();
  bool IsEnough() const { return limits_.rows.has_value() && *limits_.rows == 0; }

  const Parts parts_;
  CollectorLimits limits_;
  const bool check_ranges_;
  const bool reads_clustering_;
  RowAssembler assembler_;
  std::vector<std::string> partition_key_;  // values of the partition under way
  std::vector<std::string> clustering_;     // of the row
  const ResultWriter writer_;
  RowGroup group_;
  std::optional<SortedRows> sorted_;
  std::string cells_;
  int32_t rows_ = 0;
  std::optional<RowMark> mark_;
  const SourcePartition* last_partition_ = nullptr;  // of this Take: what was dealt with last
  const SourceRow* last_row_ = nullptr;              // null: all of that partition
  std::string partition_;                            // under way
  uint32_t partition_rows_ = 0;
};

}  // namespace orrery::cassandra
