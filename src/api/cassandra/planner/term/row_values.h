// One row as selectors and filters see it: the value of each column in wire form, collections put
// together from their cells, and where wanted the times of the cells.
//
// Views point into memory of whoever made it (executor/read), good until its next row.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace orrery::cassandra {

struct CellTimes {
  std::string_view path;  // of an element; empty for a column that is one cell
  int64_t timestamp_us = 0;
  uint32_t ttl_s = 0;  // 0: does not expire
  uint32_t expiry_s = 0;
};

struct RowValues {
  // By the column's place in Table::columns.
  std::vector<std::optional<std::string_view>> values;
  // Likewise; filled for those columns only whose times the plan asks for, in order of path.
  std::vector<std::vector<CellTimes>> times;
  uint32_t now_s = 0;
};

}  // namespace orrery::cassandra
