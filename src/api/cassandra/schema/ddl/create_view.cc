// CREATE MATERIALIZED VIEW.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "api/cassandra/parser/parser.h"
#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/schema/codec/table_codec.h"
#include "api/cassandra/schema/ddl/ddl_errors.h"
#include "api/cassandra/schema/ddl/option/table_properties.h"
#include "api/cassandra/schema/ddl/option/throughput.h"
#include "api/cassandra/schema/ddl/plan.h"
#include "api/cassandra/schema/ddl/table_rules.h"
#include "api/cassandra/schema/ddl/view_where.h"

namespace orrery::cassandra {
namespace {

using ColumnNames = std::set<std::string, std::less<>>;

std::string JoinedNames(const ColumnNames& names) {
  return JoinNames(names, [](const std::string& name) { return name; });
}

CqlStatus CheckBase(const Table& base, const std::string& view) {
  if (base.is_counter) return Invalid("Materialized views are not supported on counter tables");
  if (base.view.has_value())
    return Invalid(fmt::format("Base table '{}' doesn't exist", base.name));
  if (base.options.gc_grace_seconds == 0) {
    return Invalid(
        fmt::format("Cannot create materialized view '{}' for base table '{}' with "
                    "gc_grace_seconds of 0, since this value is used to TTL undelivered updates. "
                    "Setting gc_grace_seconds too low might cause undelivered updates to expire "
                    "before being replayed.",
                    view, base.name));
  }
  return {};
}

CqlResult<ColumnNames> SelectedColumns(const Table& base, const ast::CreateView& statement) {
  ColumnNames selected;
  if (statement.selectors.empty()) {
    for (const Column& column : base.columns) selected.insert(column.name);
  }
  for (const ast::Selector& selector : statement.selectors) {
    const std::string text = PrintTerm(selector.value);
    if (selector.alias.has_value()) {
      return Invalid(
          fmt::format("Cannot use aliases when defining a materialized view (got {} AS {})", text,
                      selector.alias->text));
    }
    const auto* column = selector.value.As<ast::ColumnReference>();
    if (column == nullptr) {
      return Invalid(fmt::format(
          "Can only select columns by name when defining a materialized view (got {})", text));
    }
    if (base.Find(column->name) == nullptr) {
      return Invalid(fmt::format("Undefined column name {} in table {}", PrintName(column->name),
                                 TableText(base)));
    }
    selected.insert(column->name);
  }
  for (const Column& column : base.is_static_compact() ? base.regulars() : base.statics()) {
    if (selected.contains(column.name)) {
      return Invalid(fmt::format("Cannot include static column '{}' in materialized view '{}'",
                                 column.name, statement.view.name.text));
    }
  }
  return selected;
}

// The names of the view's key, all of them allowed there and all of the base's among them.
CqlResult<ColumnNames> KeyColumns(const Table& base, const ast::CreateView& statement,
                                  const ColumnNames& selected) {
  const std::string& view = statement.view.name.text;
  ColumnNames key;
  for (const auto* names :
       {&statement.primary_key.partition_columns, &statement.primary_key.clustering_columns}) {
    for (const ast::Name& name : *names) {
      if (!selected.contains(name.text)) {
        return Invalid(
            fmt::format("Unknown column '{}' referenced in PRIMARY KEY for materialized view '{}'",
                        name.text, view));
      }
      if (!key.insert(name.text).second) {
        return Invalid(
            fmt::format("Duplicate column '{}' in PRIMARY KEY clause for materialized view '{}'",
                        name.text, view));
      }
      CQL_TRY(CheckKeyColumn(name.text, *base.Find(name.text)->type, /*quote=*/true));
    }
  }
  ColumnNames missing;
  ColumnNames added = key;
  for (const Column& column : base.columns) {
    if (!column.is_key()) continue;
    added.erase(column.name);
    if (!key.contains(column.name)) missing.insert(column.name);
  }
  if (!missing.empty()) {
    return Invalid(
        fmt::format("Cannot create materialized view '{}' without primary key columns {} from base "
                    "table '{}'",
                    view, JoinedNames(missing), base.name));
  }
  if (added.size() > 1) {
    return Invalid(
        fmt::format("Cannot include more than one non-primary key column in materialized view "
                    "primary key (got {})",
                    JoinedNames(added)));
  }
  return key;
}

CqlStatus CheckOrder(const ast::CreateView& statement) {
  if (statement.clustering_order.empty()) return {};
  const bool same =
      std::ranges::equal(statement.primary_key.clustering_columns, statement.clustering_order,
                         [](const ast::Name& name, const ast::ClusteringOrder& order) {
                           return name.text == order.column.text;
                         });
  if (same) return {};
  return Invalid(
      "Clustering key columns must exactly match columns in CLUSTERING ORDER BY directive");
}

// A view clusters by a base column as the base does, unless told otherwise.
bool IsDescending(const ast::CreateView& statement, const Column& base_column) {
  for (const ast::ClusteringOrder& order : statement.clustering_order) {
    if (order.column.text == base_column.name) return order.descending;
  }
  return base_column.descending;
}

void FillColumns(Table& view, const Table& base, const ast::CreateView& statement,
                 const ColumnNames& selected) {
  const auto add_key = [&](const std::vector<ast::Name>& names, ColumnKind kind) {
    uint32_t position = 0;
    for (const ast::Name& name : names) {
      Column column = *base.Find(name.text);
      column.id = 0;
      column.kind = kind;
      column.position = position++;
      column.descending = kind == ColumnKind::kClustering && IsDescending(statement, column);
      view.columns.push_back(std::move(column));
    }
  };
  add_key(statement.primary_key.partition_columns, ColumnKind::kPartitionKey);
  add_key(statement.primary_key.clustering_columns, ColumnKind::kClustering);
  for (const std::string& name : selected) {
    if (view.Find(name) != nullptr) continue;
    Column column = *base.Find(name);
    column.kind = ColumnKind::kRegular;
    column.position = 0;
    column.id = ++view.highest_column_id;
    view.columns.push_back(std::move(column));
  }
  ArrangeColumns(view);
}

CqlResult<KeyspacePtr> KeyspaceOfView(const PlanContext& context,
                                      const ast::CreateView& statement) {
  CQL_ASSIGN(const std::string name, KeyspaceToChange(context, statement.view.keyspace));
  if (!statement.base_table.keyspace.empty() && statement.base_table.keyspace != name)
    return Invalid("Cannot create a materialized view on a table in a different keyspace");
  KeyspacePtr keyspace = context.schema.FindKeyspace(name);
  if (keyspace == nullptr) return NoSuchKeyspace(name);
  return keyspace;
}

}  // namespace

CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::CreateView& statement) {
  CQL_ASSIGN(const KeyspacePtr keyspace, KeyspaceOfView(context, statement));
  const std::string& base_name = statement.base_table.name.text;
  const TablePtr base = keyspace->FindTable(base_name);
  if (base == nullptr) return Invalid(fmt::format("Base table '{}' doesn't exist", base_name));
  const std::string& name = statement.view.name.text;
  SchemaEdit edit;
  if (const TablePtr existing = keyspace->FindTable(name); existing != nullptr) {
    if (!existing->view.has_value()) {
      return Invalid(fmt::format(
          "Cannot create materialized view '{}' - a table with the same name already exists",
          name));
    }
    if (statement.if_not_exists) return edit;
    return TableExists(keyspace->name, name);
  }
  CQL_TRY(CheckBase(*base, name));
  CQL_ASSIGN(const ColumnNames selected, SelectedColumns(*base, statement));
  CQL_ASSIGN(const ColumnNames key, KeyColumns(*base, statement, selected));
  CQL_TRY(CheckOrder(statement));
  CQL_TRY(CheckViewWhere(*base, name, key, statement.where, context.now));
  CQL_ASSIGN(TableProperties properties,
             ReadTableProperties(statement.properties, nullptr, context.payload));
  if (properties.options.default_time_to_live != 0) {
    return Invalid(
        "Cannot set default_time_to_live for a materialized view. Data in a materialized view "
        "always expire at the same time than the corresponding data in the parent table.");
  }

  Table view;
  view.id = properties.id.value_or(std::string(context.new_id));
  view.keyspace = keyspace->name;
  view.name = name;
  view.options = std::move(properties.options);
  view.view = ViewOf{.base_table = base->name,
                     .base_id = base->id,
                     .where_clause = PrintWhere(statement.where),
                     .include_all_columns = statement.selectors.empty()};
  FillColumns(view, *base, statement, selected);
  CQL_TRY(CheckTable(view));
  edit.steps.push_back(
      AddContainer{keyspace->name, EncodeTable(view, ToSettings(properties.throughput))});
  edit.change = TableChange(SchemaChangeKind::kCreated, keyspace->name, name);
  return edit;
}

}  // namespace orrery::cassandra
