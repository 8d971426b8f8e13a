#include "api/cassandra/schema/table.h"

#include <algorithm>

namespace orrery::cassandra {

std::string_view ColumnKindName(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kPartitionKey:
      return "partition_key";
    case ColumnKind::kClustering:
      return "clustering";
    case ColumnKind::kStatic:
      return "static";
    case ColumnKind::kRegular:
      return "regular";
  }
  return "";
}

std::string_view IndexTargetName(ast::IndexTargetKind target) {
  switch (target) {
    case ast::IndexTargetKind::kColumn:
      return "";
    case ast::IndexTargetKind::kKeys:
      return "keys";
    case ast::IndexTargetKind::kValues:
      return "values";
    case ast::IndexTargetKind::kEntries:
      return "entries";
    case ast::IndexTargetKind::kFull:
      return "full";
  }
  return "";
}

const Column* Table::Find(std::string_view column) const {
  const auto found = std::ranges::find(columns, column, &Column::name);
  return found == columns.end() ? nullptr : &*found;
}

const Column* Table::FindById(model::ColumnId column) const {
  const auto cells = std::span(columns).subspan(partition_key_count + clustering_count);
  const auto found = std::ranges::find(cells, column, &Column::id);
  return found == cells.end() ? nullptr : &*found;
}

const Index* Table::FindIndex(std::string_view index) const {
  const auto found = std::ranges::find(indexes, index, &Index::name);
  return found == indexes.end() ? nullptr : &*found;
}

void ArrangeColumns(Table& table) {
  std::ranges::sort(table.columns, [](const Column& a, const Column& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    if (a.is_key()) return a.position < b.position;
    return a.name < b.name;
  });
  const auto count = [&](ColumnKind kind) {
    return static_cast<uint32_t>(std::ranges::count(table.columns, kind, &Column::kind));
  };
  table.partition_key_count = count(ColumnKind::kPartitionKey);
  table.clustering_count = count(ColumnKind::kClustering);
  table.static_count = count(ColumnKind::kStatic);
}

}  // namespace orrery::cassandra
