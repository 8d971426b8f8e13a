// FoundRows is what a conditional statement or batch shows when it was not applied: the rows that
// conditions are about, by clustering key, with the static columns of their partition. When none of
// them exists, the static columns alone; when all conditions are about static columns, the
// partition's first row, which distinguishes a partition without these columns from none.
//
// Only columns that Cassandra would have read have values: static ones that are compared, or all
// when such a statement changes some; others when a statement names a row.
//
// Lives for one Decide and what follows it, on one thread. The table and the plans must outlive it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/executor/row/row_assembler.h"
#include "api/cassandra/planner/modification/modification_plan.h"

namespace orrery::cassandra {

// The values of all columns by their place.
using FoundRow = std::vector<std::optional<std::string>>;

// Returns whether anything shows of a row that storage takes for visible: it knows no dropped
// columns.
bool Shows(const Table& table, const model::Row& row);

class FoundRows {
 public:
  // `conditional` are the statements that have conditions; `statics` is the partition's own row,
  // null when there is none.
  static CqlResult<FoundRows> Make(const Table& table,
                                   std::span<const ModificationPlan* const> conditional,
                                   std::string_view partition_key, const model::Row* statics);

  // A row that shows. REQUIRES: the partition's own only if the table has no clustering columns.
  CqlStatus Add(std::string_view clustering, const model::Row& row);

  const std::vector<FoundRow>& rows() const { return rows_.empty() ? static_only_ : rows_; }

 private:
  FoundRows(const Table& table, std::span<const ModificationPlan* const> conditional);

  void Assemble(const model::Row& row, FoundRow& into);

  const Table* table_;
  RowAssembler assembler_;
  FoundRow partition_;                 // what all rows have: the partition key and static columns
  std::vector<FoundRow> static_only_;  // one row, or none when there are no static columns
  std::vector<FoundRow> rows_;
};

}  // namespace orrery::cassandra
