#include "api/cassandra/system/virtual_schema/virtual_schema_keyspace.h"

#include <string_view>

#include "api/cassandra/schema/schema.h"
#include "api/cassandra/system/build/keyspace_builder.h"
#include "api/cassandra/system/build/table_builder.h"
#include "api/cassandra/system/schema/listed_columns.h"

namespace orrery::cassandra {
namespace {

constexpr std::string_view kVirtualSchemaKeyspace = "system_virtual_schema";

template <typename Visit>
void ForEachVirtualKeyspace(const VirtualQuery& query, const Visit& visit) {
  for (const auto& [name, keyspace] : query.schema.keyspaces) {
    if (keyspace->is_virtual && IsWanted(query, name)) visit(*keyspace);
  }
}

TablePtr VirtualKeyspacesTable() {
  return TableBuilder(kVirtualSchemaKeyspace, "keyspaces", "virtual keyspaces")
      .PartitionKey({{"keyspace_name", "text"}})
      .Build([](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
        ForEachVirtualKeyspace(query, [&](const Keyspace& keyspace) {
          rows.Add().Text("keyspace_name", keyspace.name);
        });
        return {};
      });
}

TablePtr VirtualTablesTable() {
  return TableBuilder(kVirtualSchemaKeyspace, "tables", "virtual tables")
      .PartitionKey({{"keyspace_name", "text"}})
      .Clustering({{"table_name", "text"}})
      .Regular({{"comment", "text"}})
      .Build([](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
        ForEachVirtualKeyspace(query, [&](const Keyspace& keyspace) {
          for (const auto& [name, table] : keyspace.tables) {
            rows.Add()
                .Text("keyspace_name", keyspace.name)
                .Text("table_name", name)
                .Text("comment", table->options.comment);
          }
        });
        return {};
      });
}

TablePtr VirtualColumnsTable() {
  TableBuilder builder(kVirtualSchemaKeyspace, "columns", "columns of virtual tables");
  return AddColumnColumns(builder).Build([](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
    ForEachVirtualKeyspace(query, [&](const Keyspace& keyspace) {
      for (const auto& [name, table] : keyspace.tables) ListColumns(*table, rows);
    });
    return {};
  });
}

}  // namespace

KeyspacePtr MakeVirtualSchemaKeyspace() {
  return MakeSystemKeyspace(kVirtualSchemaKeyspace, KeyspaceNature::kVirtual,
                            {VirtualKeyspacesTable(), VirtualTablesTable(), VirtualColumnsTable()});
}

}  // namespace orrery::cassandra
