// Puts the cells of stored rows together into the values of their columns.
//
// A column of one cell is a view of it. Collections and user-defined values are built from their
// cells in wire form: lists in the order of their paths, sets and maps by the order of their
// elements' type. Cells that are deleted, expired, of no column of the table or from before its
// column was dropped do not count.
//
// One per execution, on one thread. Values are views into the rows given and into the assembler,
// good until the next Begin. The table must outlive it.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/planner/term/row_values.h"
#include "api/cassandra/planner/term/term_planner.h"
#include "api/cassandra/schema/table.h"
#include "base/status.h"
#include "model/row/row.h"

namespace orrery::cassandra {

class RowAssembler {
 public:
  // Of the columns that are wanted, by place in Table::columns; others are skipped.
  RowAssembler(const Table& table, std::vector<ColumnUse> uses);
  // All values, no times.
  explicit RowAssembler(const Table& table);

  // A new row without any values, as of `now_s`.
  void Begin(uint32_t now_s);
  // Key columns, which are not cells.
  void SetKey(size_t place, std::string_view value) { values_.values[place] = value; }
  // The cells of an encoded row (model/row/row_codec.h): the row's own, or the static ones of its
  // partition. `covering_deletion` is the deletion that holds for it from outside. Returns whether
  // anything of it is visible, wanted or not. kCorruption when it cannot be read.
  Result<bool> AddEncoded(std::string_view row, const model::Deletion& covering_deletion);
  // The same of a row of which only visible parts are left.
  void AddVisible(const model::Row& row);

  const RowValues& values() const { return values_; }

 private:
  struct Target {
    model::ColumnId id = 0;
    size_t place = 0;
    const Column* column = nullptr;
    ColumnUse use;
  };

  const Target* FindTarget(model::ColumnId column) const;
  void AddCell(const model::Cell& cell);
  // Ends the column of several cells that is under way.
  void FinishColumn();
  std::string Build(const Column& column) const;
  std::string BuildUdt(const Column& column) const;

  const Table& table_;
  std::vector<Target> targets_;  // by id
  RowValues values_;
  const Target* open_ = nullptr;    // the column under way
  std::vector<model::Cell> cells_;  // its cells so far
  std::deque<std::string> built_;
};

}  // namespace orrery::cassandra
