// Derived writes for tests.
#pragma once

#include <string>
#include <utility>

#include "item/row/row_changes.h"
#include "model/row/row_codec.h"

namespace orrery::item {

// A row with one cell in column 1.
inline std::string RowOf(int64_t timestamp, std::string_view value,
                         model::CellKind kind = model::CellKind::kValue) {
  model::Row row;
  row.liveness = model::Liveness{.timestamp = timestamp};
  model::Cell cell;
  cell.column = 1;
  cell.kind = kind;
  cell.timestamp = timestamp;
  cell.value = value;
  row.cells.push_back(cell);
  std::string bytes;
  model::EncodeRow(bytes, row);
  return bytes;
}

inline DerivedWrite DerivedWriteOf(uint32_t container, std::string partition_key,
                                   std::string clustering, std::string row) {
  DerivedWrite derived_write{ContainerId(container), std::move(partition_key), {}};
  derived_write.changes.rows.push_back({std::move(clustering), std::move(row)});
  return derived_write;
}

}  // namespace orrery::item
