// system_schema.columns and system_schema.dropped_columns.
#include "api/cassandra/system/schema/listed_columns.h"
#include "api/cassandra/system/schema/schema_tables.h"

namespace orrery::cassandra {

TablePtr ColumnsTable() {
  TableBuilder builder = SchemaTable("columns", "definitions of columns");
  return AddColumnColumns(builder).Build([](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
    ForEachListedTable(query, [&](const Table& table) { ListColumns(table, rows); });
    return {};
  });
}

TablePtr DroppedColumnsTable() {
  return SchemaTable("dropped_columns", "columns that were dropped")
      .PartitionKey({{"keyspace_name", "text"}})
      .Clustering({{"table_name", "text"}, {"column_name", "text"}})
      .Regular({{"dropped_time", "timestamp"}, {"kind", "text"}, {"type", "text"}})
      .Build([](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
        ForEachListedTable(query, [&](const Table& table) {
          for (const DroppedColumn& column : table.dropped) {
            rows.Add()
                .Text("keyspace_name", table.keyspace)
                .Text("table_name", table.name)
                .Text("column_name", column.name)
                .Timestamp("dropped_time", Micros(column.dropped_us))
                .Text("kind", ColumnKindName(column.kind))
                .Text("type", column.type->CqlName());
          }
        });
        return {};
      });
}

}  // namespace orrery::cassandra
