#include "api/cassandra/system/schema/listed_columns.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery::cassandra {
namespace {

constexpr int32_t kNoPosition = -1;

std::string_view OrderName(const Column& column) {
  if (!column.is_clustering()) return "none";
  return column.descending ? "desc" : "asc";
}

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

// Without clustering columns the cells of a compact table had the columns' names as clustering, so
// that each column counts as static. With them and without another column, each row had one cell of
// no content.
std::vector<Column> ListedColumns(const Table& table) {
  std::vector<Column> columns = table.columns;
  if (!table.is_compact) return columns;
  if (table.clustering_count == 0) {
    for (Column& column : columns) {
      if (!column.is_key()) column.kind = ColumnKind::kStatic;
    }
    const TypeKind value = table.is_counter ? TypeKind::kCounter : TypeKind::kBlob;
    columns.push_back(
        Hidden(FreeName(table, "column", 1), TypeKind::kText, ColumnKind::kClustering));
    columns.push_back(Hidden(FreeName(table, "value", 0), value, ColumnKind::kRegular));
  } else if (table.regulars().empty()) {
    columns.push_back(Hidden(FreeName(table, "value", 0), TypeKind::kEmpty, ColumnKind::kRegular));
  }
  return columns;
}

}  // namespace

TableBuilder& AddColumnColumns(TableBuilder& builder) {
  return builder.PartitionKey({{"keyspace_name", "text"}})
      .Clustering({{"table_name", "text"}, {"column_name", "text"}})
      .Regular({{"clustering_order", "text"},
                {"column_name_bytes", "blob"},
                {"kind", "text"},
                {"position", "int"},
                {"type", "text"}});
}

void ListColumns(const Table& table, RowSet& rows) {
  for (const Column& column : ListedColumns(table)) {
    rows.Add()
        .Text("keyspace_name", table.keyspace)
        .Text("table_name", table.name)
        .Text("column_name", column.name)
        .Text("clustering_order", OrderName(column))
        .Bytes("column_name_bytes", column.name)
        .Text("kind", ColumnKindName(column.kind))
        .Int("position", column.is_key() ? static_cast<int64_t>(column.position) : kNoPosition)
        .Text("type", column.type->CqlName());
  }
}

}  // namespace orrery::cassandra
