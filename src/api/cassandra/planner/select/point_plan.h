// The read that matters most, one row by its whole key with columns as they are stored, reduced to
// what each execution must do.
//
// Points into the restrictions and the table of its SelectPlan, which holds it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/cassandra/planner/term/expression.h"
#include "api/cassandra/schema/table.h"
#include "model/row/row.h"

namespace orrery::cassandra {

struct SelectPlan;

struct PointPlan {
  // Terms of the key, by position.
  std::vector<const Expression*> partition_key;
  std::vector<const Expression*> clustering;

  // The origin of a result column.
  struct Source {
    ColumnKind kind = ColumnKind::kRegular;
    uint32_t position = 0;  // of key columns
  };
  std::vector<Source> columns;

  // The stored columns by number, rising, each with where it goes. A column selected twice is here
  // twice.
  struct Cell {
    model::ColumnId column = 0;
    uint32_t result = 0;
  };
  std::vector<Cell> regular;
  std::vector<Cell> statics;
};

// None when the statement asks for more.
std::optional<PointPlan> MakePointPlan(const SelectPlan& plan);

}  // namespace orrery::cassandra
