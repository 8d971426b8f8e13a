// system_schema.tables and system_schema.views.
#include <set>
#include <string>

#include "api/cassandra/system/schema/option_columns.h"
#include "api/cassandra/system/schema/schema_tables.h"

namespace orrery::cassandra {
namespace {

// From these drivers tell tables of COMPACT STORAGE: "dense" when each cell has a name of its own
// by clustering columns, "compound" when there are several of those or none of it is compact.
std::set<std::string> Flags(const Table& table) {
  std::set<std::string> flags;
  if (!table.is_compact || table.clustering_count > 1) flags.insert("compound");
  if (table.is_compact && table.clustering_count > 0) flags.insert("dense");
  if (table.is_counter) flags.insert("counter");
  return flags;
}

}  // namespace

TablePtr TablesTable() {
  TableBuilder builder = SchemaTable("tables", "definitions of tables");
  builder.PartitionKey({{"keyspace_name", "text"}})
      .Clustering({{"table_name", "text"}})
      .Regular({{"flags", "frozen<set<text>>"}});
  return AddOptionColumns(builder).Build([](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
    ForEachListedTable(query, [&](const Table& table) {
      if (table.view.has_value()) return;
      RowWriter row = rows.Add();
      row.Text("keyspace_name", table.keyspace)
          .Text("table_name", table.name)
          .TextSet("flags", Flags(table));
      WriteOptions(table, row);
    });
    return {};
  });
}

TablePtr ViewsTable() {
  TableBuilder builder = SchemaTable("views", "definitions of materialized views");
  builder.PartitionKey({{"keyspace_name", "text"}})
      .Clustering({{"view_name", "text"}})
      .Regular({{"base_table_id", "uuid"},
                {"base_table_name", "text"},
                {"include_all_columns", "boolean"},
                {"where_clause", "text"}});
  return AddOptionColumns(builder).Build([](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
    ForEachListedTable(query, [&](const Table& table) {
      if (!table.view.has_value()) return;
      RowWriter row = rows.Add();
      row.Text("keyspace_name", table.keyspace)
          .Text("view_name", table.name)
          .Bytes("base_table_id", table.view->base_id)
          .Text("base_table_name", table.view->base_table)
          .Boolean("include_all_columns", table.view->include_all_columns)
          .Text("where_clause", table.view->where_clause);
      WriteOptions(table, row);
    });
    return {};
  });
}

}  // namespace orrery::cassandra
