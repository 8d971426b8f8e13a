// CREATE and DROP TRIGGER.
#include <fmt/format.h>

#include <algorithm>

#include "api/cassandra/schema/ddl/ddl_errors.h"
#include "api/cassandra/schema/ddl/plan.h"

namespace orrery::cassandra {
namespace {

bool HasTrigger(const Table& table, std::string_view trigger) {
  return std::ranges::find(table.triggers, trigger, &Trigger::name) != table.triggers.end();
}

}  // namespace

CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::CreateTrigger& statement) {
  CQL_ASSIGN(const std::string keyspace, KeyspaceToChange(context, statement.table.keyspace));
  if (context.schema.FindKeyspace(keyspace) == nullptr) return NoSuchKeyspace(keyspace);
  const std::string& name = statement.table.name.text;
  const TablePtr table = context.schema.FindTable(keyspace, name);
  if (table == nullptr) return Invalid(fmt::format("Table '{}' doesn't exist", name));
  if (table->view.has_value()) return Invalid("Cannot CREATE TRIGGER for a materialized view");
  if (HasTrigger(*table, statement.trigger.text)) {
    if (statement.if_not_exists) return SchemaEdit();
    return Invalid(fmt::format("Trigger '{}' already exists", statement.trigger.text));
  }
  return Invalid(fmt::format("Trigger class '{}' couldn't be loaded", statement.class_name));
}

CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::DropTrigger& statement) {
  CQL_ASSIGN(const std::string keyspace, KeyspaceToChange(context, statement.table.keyspace));
  const std::string& name = statement.table.name.text;
  const TablePtr table = context.schema.FindTable(keyspace, name);
  SchemaEdit edit;
  if (table == nullptr || !HasTrigger(*table, statement.trigger.text)) {
    if (statement.if_exists) return edit;
    return Invalid(fmt::format("Trigger '{}' on '{}.{}' doesn't exist", statement.trigger.text,
                               keyspace, name));
  }
  Table next = *table;
  std::erase_if(next.triggers,
                [&](const Trigger& trigger) { return trigger.name == statement.trigger.text; });
  edit.steps.push_back(Replaced(next));
  edit.change = TableChange(SchemaChangeKind::kUpdated, keyspace, name);
  return edit;
}

}  // namespace orrery::cassandra
