// ALTER and DROP MATERIALIZED VIEW.
#include <fmt/format.h>

#include "api/cassandra/schema/ddl/option/table_properties.h"
#include "api/cassandra/schema/ddl/option/throughput.h"
#include "api/cassandra/schema/ddl/plan.h"

namespace orrery::cassandra {
namespace {

// Null: there is no such view and the statement allows that.
CqlResult<TablePtr> FindView(const PlanContext& context, const ast::QualifiedName& name,
                             bool if_exists) {
  CQL_ASSIGN(const std::string keyspace, KeyspaceToChange(context, name.keyspace));
  TablePtr view = context.schema.FindTable(keyspace, name.name.text);
  if (view != nullptr && view->view.has_value()) return view;
  if (if_exists) return nullptr;
  return Invalid(fmt::format("Materialized view '{}.{}' doesn't exist", keyspace, name.name.text));
}

}  // namespace

CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::AlterView& statement) {
  CQL_ASSIGN(const TablePtr view, FindView(context, statement.view, statement.if_exists));
  SchemaEdit edit;
  if (view == nullptr) return edit;
  CQL_ASSIGN(TableProperties properties,
             ReadTableProperties(statement.properties, &view->options, context.payload));
  if (properties.options.gc_grace_seconds == 0) {
    return Invalid(
        "Cannot alter gc_grace_seconds of a materialized view to 0, since this value is used to "
        "TTL undelivered updates. Setting gc_grace_seconds too low might cause undelivered updates "
        "to expire before being replayed.");
  }
  if (properties.options.default_time_to_live > 0) {
    return Invalid(
        "Forbidden default_time_to_live detected for a materialized view. Data in a materialized "
        "view always expire at the same time than the corresponding data in the parent table. "
        "default_time_to_live must be set to zero, see CASSANDRA-12868 for more information");
  }
  if (properties.throughput.any()) {
    edit.steps.push_back(
        ChangeThroughput{view->keyspace, view->name, ToSettings(properties.throughput)});
  }
  Table next = *view;
  next.options = std::move(properties.options);
  if (next.options != view->options) edit.steps.push_back(Replaced(next));
  if (!edit.steps.empty())
    edit.change = TableChange(SchemaChangeKind::kUpdated, view->keyspace, view->name);
  return edit;
}

CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::DropView& statement) {
  CQL_ASSIGN(const TablePtr view, FindView(context, statement.view, statement.if_exists));
  SchemaEdit edit;
  if (view == nullptr) return edit;
  edit.steps.push_back(RemoveContainer{view->keyspace, view->name});
  edit.change = TableChange(SchemaChangeKind::kDropped, view->keyspace, view->name);
  return edit;
}

}  // namespace orrery::cassandra
