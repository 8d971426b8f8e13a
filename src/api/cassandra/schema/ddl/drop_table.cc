// DROP TABLE.
#include <fmt/format.h>

#include "api/cassandra/schema/ddl/plan.h"
#include "api/cassandra/schema/ddl/table_rules.h"

namespace orrery::cassandra {

CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::DropTable& statement) {
  CQL_ASSIGN(const std::string keyspace_name, KeyspaceToChange(context, statement.table.keyspace));
  const std::string& name = statement.table.name.text;
  const std::string whole_name = fmt::format("{}.{}", keyspace_name, name);
  SchemaEdit edit;
  const TablePtr table = context.schema.FindTable(keyspace_name, name);
  // One whose definition cannot be read can still be dropped.
  if (table == nullptr && !context.schema.damaged.contains(whole_name)) {
    if (statement.if_exists) return edit;
    return Invalid(fmt::format("Table '{}' doesn't exist", whole_name));
  }
  if (table != nullptr && table->view.has_value()) {
    return Invalid(
        "Cannot use DROP TABLE on a materialized view. Please use DROP MATERIALIZED VIEW instead.");
  }
  const std::vector<TablePtr> views = context.schema.FindKeyspace(keyspace_name)->ViewsOf(name);
  if (!views.empty()) {
    return Invalid(
        fmt::format("Cannot drop a table when materialized views still depend on it ({})",
                    JoinNames(views, [](const TablePtr& view) { return view->name; })));
  }
  edit.steps.push_back(RemoveContainer{keyspace_name, name});
  edit.change = TableChange(SchemaChangeKind::kDropped, keyspace_name, name);
  return edit;
}

}  // namespace orrery::cassandra
