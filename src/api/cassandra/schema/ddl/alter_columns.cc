#include "api/cassandra/schema/ddl/alter_columns.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/cassandra/parser/parser.h"
#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/schema/ddl/plan_context.h"
#include "api/cassandra/schema/ddl/property_reader.h"
#include "api/cassandra/schema/ddl/table_rules.h"
#include "api/cassandra/schema/schema.h"
#include "api/cassandra/types/assignment.h"
#include "api/cassandra/types/type_rewrite.h"

namespace orrery::cassandra {
namespace {

std::string UpperKindName(ColumnKind kind) {
  return kind == ColumnKind::kStatic ? "STATIC" : "REGULAR";
}

// A column that was dropped may come back only as what it was.
CqlStatus CheckReadded(const Table& table, const Column& column) {
  const auto dropped = std::ranges::find(table.dropped, column.name, &DroppedColumn::name);
  if (dropped == table.dropped.end()) return {};
  CQL_ASSIGN(const TypePtr type, ExpandUserTypes(column.type));
  if (!IsValueCompatible(*dropped->type, *type)) {
    return Invalid(
        fmt::format("Cannot re-add previously dropped column '{}' of type {}, incompatible with "
                    "previous type {}",
                    column.name, column.type->CqlName(), dropped->type->CqlName()));
  }
  if (dropped->kind != column.kind) {
    return Invalid(
        fmt::format("Cannot re-add previously dropped column '{}' of kind {}, incompatible with "
                    "previous kind {}",
                    column.name, UpperKindName(column.kind), UpperKindName(dropped->kind)));
  }
  if (table.is_counter)
    return Invalid(fmt::format("Cannot re-add previously dropped counter column {}", column.name));
  return {};
}

CqlResult<Column> NewColumn(const Keyspace& keyspace, const Table& table,
                            const ast::ColumnDefinition& definition) {
  Column column;
  column.name = definition.name.text;
  CQL_ASSIGN(column.type, ResolveType(definition.type, keyspace));
  CQL_TRY(CheckNesting(*column.type));
  column.kind = definition.is_static ? ColumnKind::kStatic : ColumnKind::kRegular;
  if (table.is_compact) return Invalid("Cannot add new column to a COMPACT STORAGE table");
  if (definition.is_static && table.clustering_count == 0) {
    return Invalid(
        "Static columns are only useful (and thus allowed) if the table has at least one "
        "clustering column");
  }
  CQL_TRY(CheckReadded(table, column));
  return column;
}

void Append(Table& table, Column column) {
  column.id = ++table.highest_column_id;
  table.columns.push_back(std::move(column));
}

// A column dropped as of a time returns with the cells that it has since.
void AppendOrReturn(Table& table, Column column) {
  const auto dropped = std::ranges::find(table.dropped, column.name, &DroppedColumn::name);
  if (dropped == table.dropped.end() || !dropped->id.has_value())
    return Append(table, std::move(column));
  column.id = *dropped->id;
  column.hidden_to_us = dropped->dropped_us;
  table.columns.push_back(std::move(column));
}

std::string IndexNamesOn(const Table& table, std::string_view column) {
  std::vector<Index> dependent;
  std::ranges::copy_if(table.indexes, std::back_inserter(dependent),
                       [&](const Index& index) { return index.column == column; });
  return JoinNames(dependent, [](const Index& index) { return index.name; });
}

CqlStatus CheckDrop(const Keyspace& keyspace, const Table& table, const Column& column) {
  if (column.is_key())
    return Invalid(fmt::format("Cannot drop PRIMARY KEY column {}", column.name));
  if (table.is_dense()) {
    return Invalid(fmt::format(
        "Cannot drop column {} of a COMPACT STORAGE table with clustering columns", column.name));
  }
  if (column.type->kind() == TypeKind::kUdt && column.type->is_multi_cell()) {
    return Invalid(fmt::format("Cannot drop non-frozen column {} of user type {}", column.name,
                               column.type->CqlName()));
  }
  if (const std::string indexes = IndexNamesOn(table, column.name); !indexes.empty()) {
    return Invalid(
        fmt::format("Cannot drop column {} because it has dependent secondary indexes ({})",
                    column.name, indexes));
  }
  if (!keyspace.ViewsOf(table.name).empty()) {
    return Invalid(fmt::format("Cannot drop column {} on base table {} with materialized views",
                               column.name, table.name));
  }
  return {};
}

CqlStatus Remember(Table& table, const Column& column, int64_t when_us, bool keep_newer) {
  DroppedColumn dropped{column.name, nullptr, column.kind, when_us, {}};
  if (keep_newer) dropped.id = column.id;
  CQL_ASSIGN(dropped.type, ExpandUserTypes(column.type));
  std::erase_if(table.dropped,
                [&](const DroppedColumn& other) { return other.name == column.name; });
  const auto place =
      std::ranges::lower_bound(table.dropped, dropped.name, {}, &DroppedColumn::name);
  table.dropped.insert(place, std::move(dropped));
  return {};
}

void RenameIn(ast::Name& name, const std::string& from, const std::string& to) {
  if (name.text == from) name.text = to;
}

void RenameIn(ast::Relation::Left& left, const std::string& from, const std::string& to) {
  if (auto* name = std::get_if<ast::Name>(&left)) RenameIn(*name, from, to);
  if (auto* entry = std::get_if<ast::MapEntry>(&left)) RenameIn(entry->column, from, to);
  if (auto* tuple = std::get_if<ast::ColumnTuple>(&left)) {
    for (ast::Name& name : tuple->columns) RenameIn(name, from, to);
  }
}

CqlResult<std::string> RenamedWhere(const std::string& text, const std::string& from,
                                    const std::string& to) {
  auto where = ParseWhere(text);
  if (!where.has_value()) return Invalid(where.error().message);
  for (ast::Restriction& restriction : *where) {
    if (auto* relation = std::get_if<ast::Relation>(&restriction))
      RenameIn(relation->left, from, to);
  }
  return PrintWhere(*where);
}

void RenameColumn(Table& table, const std::string& from, const std::string& to) {
  for (Column& column : table.columns) {
    if (column.name == from) column.name = to;
  }
}

CqlStatus CheckRename(const Table& table, const Column& column, const std::string& to) {
  const std::string& from = column.name;
  if (!column.is_key())
    return Invalid(fmt::format("Cannot rename non PRIMARY KEY column {}", from));
  if (table.Find(to) != nullptr) {
    return Invalid(
        fmt::format("Cannot rename column {} to {} in table '{}'; another column with that name "
                    "already exists",
                    from, to, TableText(table)));
  }
  if (const std::string indexes = IndexNamesOn(table, from); !indexes.empty()) {
    return Invalid(fmt::format(
        "Can't rename column {} because it has dependent secondary indexes ({})", from, indexes));
  }
  return {};
}

std::vector<CatalogStep> StepsFor(const Table& table, const std::vector<Table>& views) {
  std::vector<CatalogStep> steps = {Replaced(table)};
  for (const Table& view : views) steps.push_back(Replaced(view));
  return steps;
}

}  // namespace

CqlResult<std::vector<CatalogStep>> AddColumns(const Keyspace& keyspace, const Table& table,
                                               const ast::AddColumns& change) {
  Table next = table;
  std::vector<Table> views;
  for (const TablePtr& view : keyspace.ViewsOf(table.name)) {
    if (view->view->include_all_columns) views.push_back(*view);
  }
  bool changes_views = false;
  for (const ast::ColumnDefinition& definition : change.columns) {
    if (next.Find(definition.name.text) != nullptr) {
      if (change.if_not_exists) continue;
      return Invalid(fmt::format("Column with name '{}' already exists", definition.name.text));
    }
    CQL_ASSIGN(const Column column, NewColumn(keyspace, next, definition));
    AppendOrReturn(next, column);
    if (column.is_static()) continue;
    for (Table& view : views) Append(view, column);
    changes_views = true;
  }
  if (next.columns.size() == table.columns.size()) return std::vector<CatalogStep>();
  ArrangeColumns(next);
  for (Table& view : views) ArrangeColumns(view);
  CQL_TRY(CheckTable(next));
  return StepsFor(next, changes_views ? views : std::vector<Table>());
}

CqlResult<std::vector<CatalogStep>> DropColumns(const Keyspace& keyspace, const Table& table,
                                                const ast::DropColumns& change, Micros now) {
  int64_t when_us = now.count();
  if (change.timestamp.has_value()) {
    const auto given = ReadInt64(change.timestamp->text);
    if (!given.has_value())
      return Invalid(fmt::format("Invalid timestamp {}", change.timestamp->text));
    when_us = *given;
  }
  Table next = table;
  for (const ast::Name& name : change.columns) {
    const Column* column = table.Find(name.text);
    if (column == nullptr) {
      if (change.if_exists) continue;
      return Invalid(
          fmt::format("Column {} was not found in table '{}'", name.text, TableText(table)));
    }
    CQL_TRY(CheckDrop(keyspace, table, *column));
    std::erase_if(next.columns, [&](const Column& other) { return other.name == name.text; });
    CQL_TRY(Remember(next, *column, when_us, change.timestamp.has_value()));
  }
  if (next.columns.size() == table.columns.size()) return std::vector<CatalogStep>();
  ArrangeColumns(next);
  return std::vector<CatalogStep>{Replaced(next)};
}

CqlResult<std::vector<CatalogStep>> RenameColumns(const Keyspace& keyspace, const Table& table,
                                                  const ast::RenameColumns& change) {
  Table next = table;
  std::vector<Table> views;
  for (const TablePtr& view : keyspace.ViewsOf(table.name)) views.push_back(*view);
  bool renamed = false;
  for (const auto& [from, to] : change.renames) {
    const Column* column = next.Find(from.text);
    if (column == nullptr) {
      if (change.if_exists) continue;
      return Invalid(fmt::format("Undefined column name {} in table {}", PrintName(from.text),
                                 TableText(table)));
    }
    CQL_TRY(CheckRename(next, *column, to.text));
    RenameColumn(next, from.text, to.text);
    for (Table& view : views) {
      RenameColumn(view, from.text, to.text);
      CQL_ASSIGN(view.view->where_clause,
                 RenamedWhere(view.view->where_clause, from.text, to.text));
    }
    renamed = true;
  }
  if (!renamed) return std::vector<CatalogStep>();
  return StepsFor(next, views);
}

}  // namespace orrery::cassandra
