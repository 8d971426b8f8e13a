// A column of a table, as the schema has it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/cassandra/types/type.h"
#include "model/row/row.h"

namespace orrery::cassandra {

// In the order in which SELECT * gives them.
enum class ColumnKind : uint8_t { kPartitionKey, kClustering, kStatic, kRegular };

std::string_view ColumnKindName(ColumnKind kind);  // "partition_key", as system_schema has it

struct Column {
  // Of static and regular columns: what their cells are stored under. Never used again in the same
  // table, so that a column that was dropped and added again does not show its old cells.
  model::ColumnId id = 0;
  std::string name;
  TypePtr type;
  ColumnKind kind = ColumnKind::kRegular;
  uint32_t position = 0;    // among those of its kind, of key columns
  bool descending = false;  // of clustering columns

  bool is_key() const { return kind <= ColumnKind::kClustering; }
  bool is_partition_key() const { return kind == ColumnKind::kPartitionKey; }
  bool is_clustering() const { return kind == ColumnKind::kClustering; }
  bool is_static() const { return kind == ColumnKind::kStatic; }
  bool is_counter() const { return type->kind() == TypeKind::kCounter; }
};

// What is remembered of a dropped column, for system_schema.dropped_columns.
struct DroppedColumn {
  std::string name;
  TypePtr type;
  ColumnKind kind = ColumnKind::kRegular;
  int64_t dropped_us = 0;
};

}  // namespace orrery::cassandra
