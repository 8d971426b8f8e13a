#include "api/cassandra/schema/compact_storage.h"

#include <string>
#include <string_view>
#include <utility>

namespace orrery::cassandra {
namespace {

// The first of stem1, stem2, ... that no column has; from 0 on, the bare stem comes before them.
std::string FreeName(const Table& table, std::string_view stem, int from) {
  for (int number = from;; ++number) {
    std::string name(stem);
    if (number > 0) name += std::to_string(number);
    if (table.Find(name) == nullptr) return name;
  }
}

Column Hidden(std::string name, TypeKind type, ColumnKind kind) {
  Column column;
  column.name = std::move(name);
  column.type = Type::Native(type);
  column.kind = kind;
  return column;
}

}  // namespace

std::vector<Column> HiddenColumns(const Table& table) {
  std::vector<Column> hidden;
  if (table.is_static_compact()) {
    const TypeKind value = table.is_counter ? TypeKind::kCounter : TypeKind::kBlob;
    hidden.push_back(
        Hidden(FreeName(table, "column", 1), TypeKind::kText, ColumnKind::kClustering));
    hidden.push_back(Hidden(FreeName(table, "value", 0), value, ColumnKind::kRegular));
  } else if (table.is_dense() && table.regulars().empty()) {
    hidden.push_back(Hidden(FreeName(table, "value", 0), TypeKind::kEmpty, ColumnKind::kRegular));
  }
  model::ColumnId id = table.highest_column_id;
  for (Column& column : hidden) {
    if (!column.is_key()) column.id = ++id;
  }
  return hidden;
}

Table WithoutCompactStorage(const Table& table) {
  Table next = table;
  if (table.is_static_compact()) {
    for (Column& column : next.columns) {
      if (!column.is_key()) column.kind = ColumnKind::kStatic;
    }
    for (DroppedColumn& column : next.dropped) column.kind = ColumnKind::kStatic;
  }
  for (Column& column : HiddenColumns(table)) {
    if (!column.is_key()) next.highest_column_id = column.id;
    next.columns.push_back(std::move(column));
  }
  next.is_compact = false;
  next.was_compact = true;
  ArrangeColumns(next);
  return next;
}

}  // namespace orrery::cassandra
