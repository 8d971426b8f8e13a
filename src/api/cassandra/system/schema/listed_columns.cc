#include "api/cassandra/system/schema/listed_columns.h"

#include <string_view>
#include <vector>

#include "api/cassandra/schema/compact_storage.h"

namespace orrery::cassandra {
namespace {

constexpr int32_t kNoPosition = -1;

std::string_view OrderName(const Column& column) {
  if (!column.is_clustering()) return "none";
  return column.descending ? "desc" : "asc";
}

// Those of a table of COMPACT STORAGE as what they are kept as, the hidden ones too.
std::vector<Column> ListedColumns(const Table& table) {
  return table.is_compact ? WithoutCompactStorage(table).columns : table.columns;
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
