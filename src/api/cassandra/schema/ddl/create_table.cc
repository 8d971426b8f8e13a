// CREATE TABLE.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/schema/codec/table_codec.h"
#include "api/cassandra/schema/ddl/ddl_errors.h"
#include "api/cassandra/schema/ddl/option/table_properties.h"
#include "api/cassandra/schema/ddl/option/throughput.h"
#include "api/cassandra/schema/ddl/plan.h"
#include "api/cassandra/schema/ddl/table_rules.h"

namespace orrery::cassandra {
namespace {

std::string WrittenName(const ast::QualifiedName& name) {
  return name.keyspace.empty() ? name.name.text : name.keyspace + "." + name.name.text;
}

// The one key that the clauses and columns give.
CqlResult<ast::PrimaryKey> KeyOf(const ast::CreateTable& statement) {
  std::vector<ast::PrimaryKey> keys = statement.primary_keys;
  std::set<std::string_view> seen;
  for (const ast::ColumnDefinition& column : statement.columns) {
    if (!seen.insert(column.name.text).second) {
      return Invalid(fmt::format("Duplicate column '{}' declaration for table '{}'",
                                 column.name.text, WrittenName(statement.table)));
    }
    if (column.is_primary_key) keys.push_back({{column.name}, {}});
  }
  if (keys.empty()) {
    return Invalid(fmt::format("No PRIMARY KEY specifed for table '{}' (exactly one required)",
                               WrittenName(statement.table)));
  }
  if (keys.size() > 1) {
    return Invalid(
        fmt::format("Multiple PRIMARY KEY specified for table '{}' (exactly one "
                    "required)",
                    WrittenName(statement.table)));
  }
  return std::move(keys.front());
}

// A table on its way from the statement to its definition.
class Draft {
 public:
  Draft(const ast::CreateTable& statement, ast::PrimaryKey key)
      : statement_(statement), key_(std::move(key)) {}

  CqlStatus AddColumns(const Keyspace& keyspace) {
    for (const ast::ColumnDefinition& definition : statement_.columns) {
      Column column;
      column.name = definition.name.text;
      CQL_ASSIGN(column.type, ResolveType(definition.type, keyspace));
      CQL_TRY(CheckNesting(*column.type));
      column.kind = definition.is_static ? ColumnKind::kStatic : ColumnKind::kRegular;
      columns_.emplace(column.name, std::move(column));
    }
    return {};
  }

  CqlStatus MarkKey() {
    CQL_TRY(MarkKeyColumns(key_.partition_columns, ColumnKind::kPartitionKey));
    return MarkKeyColumns(key_.clustering_columns, ColumnKind::kClustering);
  }

  CqlStatus ApplyOrder() {
    std::vector<std::string> order;
    for (const ast::ClusteringOrder& entry : statement_.clustering_order) {
      if (std::ranges::find(order, entry.column.text) != order.end()) {
        return Invalid(
            fmt::format("Duplicate column '{}' in CLUSTERING ORDER BY clause for table "
                        "'{}'",
                        entry.column.text, WrittenName(statement_.table)));
      }
      order.push_back(entry.column.text);
    }
    CQL_TRY(CheckOrder(order));
    for (const ast::ClusteringOrder& entry : statement_.clustering_order)
      columns_.at(entry.column.text).descending = entry.descending;
    return {};
  }

  CqlStatus CheckStatics() const {
    if (statement_.compact_storage) return CheckCompact();
    if (key_.clustering_columns.empty() && Count(ColumnKind::kStatic) > 0) {
      return Invalid(
          "Static columns are only useful (and thus allowed) if the table has at least one "
          "clustering column");
    }
    return {};
  }

  CqlStatus CheckCounters(const TableOptions& options) const {
    if (!has_counters()) return {};
    for (const auto& [name, column] : columns_) {
      if (!column.is_key() && !column.is_counter())
        return Invalid("Cannot mix counter and non counter columns in the same table");
    }
    if (options.default_time_to_live > 0)
      return Invalid("Cannot set default_time_to_live on a table with counters");
    return {};
  }

  bool has_counters() const {
    return std::ranges::any_of(columns_,
                               [](const auto& entry) { return entry.second.is_counter(); });
  }

  // The columns, with ids.
  void Fill(Table& table) && {
    table.is_counter = has_counters();
    table.is_compact = statement_.compact_storage;
    for (auto& [name, column] : columns_) table.columns.push_back(std::move(column));
    ArrangeColumns(table);
    for (Column& column : table.columns) {
      if (!column.is_key()) column.id = ++table.highest_column_id;
    }
  }

 private:
  CqlStatus MarkKeyColumns(const std::vector<ast::Name>& names, ColumnKind kind) {
    uint32_t position = 0;
    for (const ast::Name& name : names) {
      const auto found = columns_.find(name.text);
      if (found == columns_.end()) {
        return Invalid(fmt::format("Unknown column '{}' referenced in PRIMARY KEY for table '{}'",
                                   name.text, statement_.table.name.text));
      }
      Column& column = found->second;
      if (column.is_key()) {
        return Invalid(fmt::format("Duplicate column '{}' in PRIMARY KEY clause for table '{}'",
                                   name.text, statement_.table.name.text));
      }
      CQL_TRY(CheckKeyColumn(name.text, *column.type, /*quote=*/false));
      if (column.is_static()) {
        return Invalid(
            fmt::format("Static column '{}' cannot be part of the PRIMARY KEY", name.text));
      }
      if (kind == ColumnKind::kClustering && column.type->is_dynamic_composite()) {
        return Invalid(
            fmt::format("Column '{}' cannot be a clustering column: this server keeps values of "
                        "DynamicCompositeType but does not sort by them",
                        name.text));
      }
      column.kind = kind;
      column.position = position++;
    }
    return {};
  }

  CqlStatus CheckOrder(const std::vector<std::string>& order) const {
    std::vector<std::string> clustering;
    for (const ast::Name& name : key_.clustering_columns) clustering.push_back(name.text);
    const auto among = [](const std::vector<std::string>& names, const std::string& name) {
      return std::ranges::find(names, name) != names.end();
    };
    std::vector<std::string> others;
    std::ranges::copy_if(order, std::back_inserter(others),
                         [&](const std::string& name) { return !among(clustering, name); });
    if (!others.empty()) {
      return Invalid(
          fmt::format("Only clustering key columns can be defined in CLUSTERING ORDER directive: "
                      "[{}] are not clustering columns",
                      fmt::join(others, ", ")));
    }
    for (size_t i = 0; i < order.size(); ++i) {
      if (order[i] == clustering[i]) continue;
      if (!among(order, clustering[i]))
        return Invalid(fmt::format("Missing CLUSTERING ORDER for column {}", clustering[i]));
      return Invalid(
          fmt::format("The order of columns in the CLUSTERING ORDER directive must match that of "
                      "the clustering columns ({} must appear before {})",
                      clustering[i], order[i]));
    }
    return {};
  }

  CqlStatus CheckCompact() const {
    std::vector<std::string> others;
    for (const auto& [name, column] : columns_) {
      if (column.is_key()) continue;
      others.push_back(name);
      if (column.type->is_multi_cell())
        return Invalid("Non-frozen collections and UDTs are not supported with COMPACT STORAGE");
    }
    if (Count(ColumnKind::kStatic) > 0)
      return Invalid("Static columns are not supported in COMPACT STORAGE tables");
    if (key_.clustering_columns.empty()) {
      if (others.empty()) return Invalid("No definition found that is not part of the PRIMARY KEY");
      return {};
    }
    if (others.size() <= 1) return {};
    return Invalid(
        fmt::format("COMPACT STORAGE with composite PRIMARY KEY allows no more than one column not "
                    "part of the PRIMARY KEY (got: {})",
                    fmt::join(others, ", ")));
  }

  size_t Count(ColumnKind kind) const {
    return static_cast<size_t>(std::ranges::count_if(
        columns_, [&](const auto& entry) { return entry.second.kind == kind; }));
  }

  const ast::CreateTable& statement_;
  const ast::PrimaryKey key_;
  std::map<std::string, Column> columns_;
};

}  // namespace

CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::CreateTable& statement) {
  CQL_ASSIGN(ast::PrimaryKey key, KeyOf(statement));
  CQL_ASSIGN(const std::string keyspace_name, KeyspaceToChange(context, statement.table.keyspace));
  const KeyspacePtr keyspace = context.schema.FindKeyspace(keyspace_name);
  if (keyspace == nullptr) return NoSuchKeyspace(keyspace_name);
  const std::string& name = statement.table.name.text;
  SchemaEdit edit;
  if (const TablePtr existing = keyspace->FindTable(name); existing != nullptr) {
    if (statement.if_not_exists && !existing->view.has_value()) return edit;
    return TableExists(keyspace_name, name);
  }
  CQL_ASSIGN(TableProperties properties,
             ReadTableProperties(statement.properties, nullptr, context.payload));
  Draft draft(statement, std::move(key));
  CQL_TRY(draft.AddColumns(*keyspace));
  CQL_TRY(draft.MarkKey());
  CQL_TRY(draft.ApplyOrder());
  CQL_TRY(draft.CheckStatics());
  CQL_TRY(draft.CheckCounters(properties.options));

  Table table;
  table.id = properties.id.value_or(std::string(context.new_id));
  table.keyspace = keyspace_name;
  table.name = name;
  table.options = std::move(properties.options);
  std::move(draft).Fill(table);
  CQL_TRY(CheckTable(table));
  edit.steps.push_back(
      AddContainer{keyspace_name, EncodeTable(table, ToSettings(properties.throughput))});
  edit.change = TableChange(SchemaChangeKind::kCreated, keyspace_name, name);
  return edit;
}

}  // namespace orrery::cassandra
