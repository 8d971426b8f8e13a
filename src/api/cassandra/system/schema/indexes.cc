// system_schema.indexes and system_schema.triggers.
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/system/schema/schema_tables.h"

namespace orrery::cassandra {
namespace {

// As CREATE INDEX would have it: v, "V", keys(m).
std::string TargetText(const Index& index) {
  const std::string column = PrintName(index.column);
  const std::string_view function = IndexTargetName(index.target);
  return function.empty() ? column : fmt::format("{}({})", function, column);
}

}  // namespace

TablePtr IndexesTable() {
  return SchemaTable("indexes", "definitions of secondary indexes")
      .PartitionKey({{"keyspace_name", "text"}})
      .Clustering({{"table_name", "text"}, {"index_name", "text"}})
      .Regular({{"kind", "text"}, {"options", "frozen<map<text, text>>"}})
      .Build([](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
        ForEachListedTable(query, [&](const Table& table) {
          for (const Index& index : table.indexes) {
            OptionMap options = index.options;
            options.insert_or_assign("target", TargetText(index));
            rows.Add()
                .Text("keyspace_name", table.keyspace)
                .Text("table_name", table.name)
                .Text("index_name", index.name)
                .Text("kind", index.is_custom ? "CUSTOM" : "COMPOSITES")
                .TextMap("options", options);
          }
        });
        return {};
      });
}

TablePtr TriggersTable() {
  return SchemaTable("triggers", "definitions of triggers")
      .PartitionKey({{"keyspace_name", "text"}})
      .Clustering({{"table_name", "text"}, {"trigger_name", "text"}})
      .Regular({{"options", "frozen<map<text, text>>"}})
      .Build([](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
        ForEachListedTable(query, [&](const Table& table) {
          for (const Trigger& trigger : table.triggers) {
            rows.Add()
                .Text("keyspace_name", table.keyspace)
                .Text("table_name", table.name)
                .Text("trigger_name", trigger.name)
                .TextMap("options", {{"class", trigger.class_name}});
          }
        });
        return {};
      });
}

}  // namespace orrery::cassandra
