// system_schema.keyspaces and system_schema.types.
#include <string>
#include <vector>

#include "api/cassandra/system/schema/schema_tables.h"

namespace orrery::cassandra {

TablePtr KeyspacesTable() {
  return SchemaTable("keyspaces", "definitions of keyspaces")
      .PartitionKey({{"keyspace_name", "text"}})
      .Regular({{"durable_writes", "boolean"}, {"replication", "frozen<map<text, text>>"}})
      .Build([](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
        ForEachListedKeyspace(query, [&](const Keyspace& keyspace) {
          rows.Add()
              .Text("keyspace_name", keyspace.name)
              .Boolean("durable_writes", keyspace.durable_writes)
              .TextMap("replication", keyspace.replication);
        });
        return {};
      });
}

TablePtr TypesTable() {
  return SchemaTable("types", "definitions of user-defined types")
      .PartitionKey({{"keyspace_name", "text"}})
      .Clustering({{"type_name", "text"}})
      .Regular({{"field_names", "frozen<list<text>>"}, {"field_types", "frozen<list<text>>"}})
      .Build([](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
        ForEachListedKeyspace(query, [&](const Keyspace& keyspace) {
          for (const auto& [name, type] : keyspace.types) {
            std::vector<std::string> field_types;
            for (const TypePtr& field : type->udt().field_types)
              field_types.push_back(field->CqlName());
            rows.Add()
                .Text("keyspace_name", keyspace.name)
                .Text("type_name", name)
                .TextList("field_names", type->udt().field_names)
                .TextList("field_types", field_types);
          }
        });
        return {};
      });
}

}  // namespace orrery::cassandra
