// A column of a table, as the schema has it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/cassandra/types/type.h"
#include "model/row/row.h"

namespace orrery::cassandra {

// In the order in which SELECT * gives them.
enum class ColumnKind : uint8_t { kPartitionKey, kClustering, kStatic, kRegular };

std::string_view ColumnKindName(ColumnKind kind);  // "partition_key", as system_schema has it

struct Column {
  // Of static and regular columns: what their cells are stored under. Never another column's, and
  // a column that was dropped and added again gets a new one, so that it does not show its old
  // cells; unless it was dropped as of a time (hidden_to_us).
  model::ColumnId id = 0;
  std::string name;
  TypePtr type;
  ColumnKind kind = ColumnKind::kRegular;
  uint32_t position = 0;    // among those of its kind, of key columns
  bool descending = false;  // of clustering columns
  // Its cells that were written at or before this do not show: ALTER TABLE .. DROP .. USING
  // TIMESTAMP took them away, and the column came back.
  int64_t hidden_to_us = model::kNoTimestamp;

  bool is_key() const { return kind <= ColumnKind::kClustering; }
  bool is_partition_key() const { return kind == ColumnKind::kPartitionKey; }
  bool is_clustering() const { return kind == ColumnKind::kClustering; }
  bool is_static() const { return kind == ColumnKind::kStatic; }
  bool is_counter() const { return type->kind() == TypeKind::kCounter; }
  bool hides_cells() const { return hidden_to_us != model::kNoTimestamp; }
  bool Hides(const model::Cell& cell) const {
    return hides_cells() && cell.timestamp <= hidden_to_us;
  }
};

// The remembered facts of a dropped column: for system_schema.dropped_columns, and should it
// return.
struct DroppedColumn {
  std::string name;
  TypePtr type;
  ColumnKind kind = ColumnKind::kRegular;
  int64_t dropped_us = 0;
  // Set if it was dropped as of a time: its cells since then are there again when it returns.
  std::optional<model::ColumnId> id;
};

}  // namespace orrery::cassandra
