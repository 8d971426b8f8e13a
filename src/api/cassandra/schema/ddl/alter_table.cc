// ALTER TABLE. Column changes are in alter_columns.cc.
#include <fmt/format.h>

#include "api/cassandra/schema/compact_storage.h"
#include "api/cassandra/schema/ddl/alter_columns.h"
#include "api/cassandra/schema/ddl/option/table_properties.h"
#include "api/cassandra/schema/ddl/option/throughput.h"
#include "api/cassandra/schema/ddl/plan.h"
#include "api/cassandra/schema/ddl/table_rules.h"

namespace orrery::cassandra {
namespace {

CqlStatus CheckAltered(const Keyspace& keyspace, const Table& table) {
  if (table.is_counter && table.options.default_time_to_live > 0)
    return Invalid("Cannot set default_time_to_live on a table with counters");
  if (table.options.gc_grace_seconds == 0 && !keyspace.ViewsOf(table.name).empty()) {
    return Invalid(
        "Cannot alter gc_grace_seconds of the base table of a materialized view to 0, since this "
        "value is used to TTL undelivered updates. Setting gc_grace_seconds too low might cause "
        "undelivered updates to expire before being replayed.");
  }
  return {};
}

// The steps of one kind of change each.
class Alteration {
 public:
  Alteration(const PlanContext& context, const Keyspace& keyspace, const Table& table)
      : context_(context), keyspace_(keyspace), table_(table) {}

  CqlResult<std::vector<CatalogStep>> operator()(const ast::AddColumns& change) const {
    return AddColumns(keyspace_, table_, change);
  }
  CqlResult<std::vector<CatalogStep>> operator()(const ast::DropColumns& change) const {
    return DropColumns(keyspace_, table_, change, context_.now);
  }
  CqlResult<std::vector<CatalogStep>> operator()(const ast::RenameColumns& change) const {
    return RenameColumns(keyspace_, table_, change);
  }
  CqlResult<std::vector<CatalogStep>> operator()(const ast::AlterColumnType&) const {
    return Invalid("Altering column types is no longer supported");
  }
  CqlResult<std::vector<CatalogStep>> operator()(const ast::DropCompactStorage&) const {
    if (!table_.is_compact)
      return Invalid("Cannot DROP COMPACT STORAGE on table without COMPACT STORAGE");
    return std::vector<CatalogStep>{Replaced(WithoutCompactStorage(table_))};
  }
  CqlResult<std::vector<CatalogStep>> operator()(const ast::Properties& change) const {
    CQL_ASSIGN(TableProperties properties,
               ReadTableProperties(change, &table_.options, context_.payload));
    Table next = table_;
    next.options = std::move(properties.options);
    CQL_TRY(CheckAltered(keyspace_, next));
    std::vector<CatalogStep> steps;
    if (properties.throughput.any()) {
      steps.push_back(
          ChangeThroughput{table_.keyspace, table_.name, ToSettings(properties.throughput)});
    }
    if (next.options != table_.options) steps.push_back(Replaced(next));
    return steps;
  }

 private:
  const PlanContext& context_;
  const Keyspace& keyspace_;
  const Table& table_;
};

}  // namespace

CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::AlterTable& statement) {
  CQL_ASSIGN(const std::string keyspace_name, KeyspaceToChange(context, statement.table.keyspace));
  const std::string& name = statement.table.name.text;
  SchemaEdit edit;
  const TablePtr table = context.schema.FindTable(keyspace_name, name);
  if (table == nullptr) {
    if (statement.if_exists) return edit;
    return Invalid(fmt::format("Table '{}.{}' doesn't exist", keyspace_name, name));
  }
  if (table->view.has_value()) {
    return Invalid(
        "Cannot use ALTER TABLE on a materialized view; use ALTER MATERIALIZED VIEW instead");
  }
  const Alteration alteration(context, *context.schema.FindKeyspace(keyspace_name), *table);
  CQL_ASSIGN(edit.steps, std::visit(alteration, statement.change));
  if (!edit.steps.empty())
    edit.change = TableChange(SchemaChangeKind::kUpdated, keyspace_name, name);
  return edit;
}

}  // namespace orrery::cassandra
