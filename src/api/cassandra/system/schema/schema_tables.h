// The tables of the keyspace "system_schema", one maker each.
#pragma once

#include <string_view>

#include "api/cassandra/schema/schema.h"
#include "api/cassandra/schema/table.h"
#include "api/cassandra/system/build/table_builder.h"

namespace orrery::cassandra {

// A table of this keyspace, with the options that all of them have.
TableBuilder SchemaTable(std::string_view name, std::string_view comment);

TablePtr KeyspacesTable();
TablePtr TablesTable();
TablePtr ViewsTable();
TablePtr ColumnsTable();
TablePtr DroppedColumnsTable();
TablePtr IndexesTable();
TablePtr TriggersTable();
TablePtr TypesTable();
TablePtr FunctionsTable();
TablePtr AggregatesTable();

// Calls `visit` for each keyspace that is listed here and that the query asks for.
template <typename Visit>
void ForEachListedKeyspace(const VirtualQuery& query, const Visit& visit) {
  for (const auto& [name, keyspace] : query.schema.keyspaces) {
    if (!keyspace->is_virtual && IsWanted(query, name)) visit(*keyspace);
  }
}
// The same for tables and views.
template <typename Visit>
void ForEachListedTable(const VirtualQuery& query, const Visit& visit) {
  ForEachListedKeyspace(query, [&](const Keyspace& keyspace) {
    for (const auto& [name, table] : keyspace.tables) visit(*table);
  });
}

}  // namespace orrery::cassandra
