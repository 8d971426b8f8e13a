// system_schema.functions and system_schema.aggregates.
#include <string>
#include <vector>

#include "api/cassandra/system/schema/schema_tables.h"

namespace orrery::cassandra {
namespace {

std::vector<std::string> Names(const TypeList& types) {
  std::vector<std::string> names;
  for (const TypePtr& type : types) names.push_back(type->CqlName());
  return names;
}

}  // namespace

TablePtr FunctionsTable() {
  return SchemaTable("functions", "definitions of user-defined functions")
      .PartitionKey({{"keyspace_name", "text"}})
      .Clustering({{"function_name", "text"}, {"argument_types", "frozen<list<text>>"}})
      .Regular({{"argument_names", "frozen<list<text>>"},
                {"body", "text"},
                {"called_on_null_input", "boolean"},
                {"language", "text"},
                {"return_type", "text"}})
      .Build([](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
        ForEachListedKeyspace(query, [&](const Keyspace& keyspace) {
          for (const UserFunctionPtr& function : keyspace.functions) {
            rows.Add()
                .Text("keyspace_name", keyspace.name)
                .Text("function_name", function->name)
                .TextList("argument_types", Names(function->argument_types))
                .TextList("argument_names", function->argument_names)
                .Text("body", function->body)
                .Boolean("called_on_null_input", function->called_on_null_input)
                .Text("language", function->language)
                .Text("return_type", function->return_type->CqlName());
          }
        });
        return {};
      });
}

TablePtr AggregatesTable() {
  return SchemaTable("aggregates", "definitions of user-defined aggregates")
      .PartitionKey({{"keyspace_name", "text"}})
      .Clustering({{"aggregate_name", "text"}, {"argument_types", "frozen<list<text>>"}})
      .Regular({{"final_func", "text"},
                {"initcond", "text"},
                {"return_type", "text"},
                {"state_func", "text"},
                {"state_type", "text"}})
      .Build([](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
        ForEachListedKeyspace(query, [&](const Keyspace& keyspace) {
          for (const UserAggregatePtr& aggregate : keyspace.aggregates) {
            rows.Add()
                .Text("keyspace_name", keyspace.name)
                .Text("aggregate_name", aggregate->name)
                .TextList("argument_types", Names(aggregate->argument_types))
                .OptionalText("final_func", aggregate->final_function)
                .OptionalText("initcond", aggregate->initial_condition)
                .Text("return_type", aggregate->return_type->CqlName())
                .Text("state_func", aggregate->state_function)
                .Text("state_type", aggregate->state_type->CqlName());
          }
        });
        return {};
      });
}

}  // namespace orrery::cassandra
