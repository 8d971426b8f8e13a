#include "api/cassandra/schema/describe/create_table_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/schema/compact_storage.h"
#include "api/cassandra/schema/describe/cql_text.h"
#include "api/cassandra/schema/describe/options_text.h"
#include "api/cassandra/types/native/timeuuid.h"

namespace orrery::cassandra {
namespace {

bool WasDropped(const Table& table, std::string_view column) {
  return std::ranges::find(table.dropped, column, &DroppedColumn::name) != table.dropped.end();
}

std::string ColumnText(std::string_view name, const Type& type, bool is_static) {
  return fmt::format("{} {}{}", PrintName(name), type.CqlName(), is_static ? " static" : "");
}

// As Cassandra lists them: of each kind those in several cells last.
std::vector<const Column*> InListedOrder(const Table& table) {
  std::vector<const Column*> columns;
  for (const Column& column : table.columns) columns.push_back(&column);
  std::ranges::sort(columns, {}, [](const Column* column) {
    return std::tuple(column->kind, column->type->is_multi_cell(), column);
  });
  return columns;
}

// Columns that came back after they were dropped are left to the statements after this one.
std::vector<std::string> ColumnTexts(const Table& table, bool internals, bool single_key) {
  std::vector<std::string> columns;
  for (const Column* column : InListedOrder(table)) {
    if (internals && WasDropped(table, column->name)) continue;
    columns.push_back(ColumnText(column->name, *column->type, column->is_static()) +
                      (single_key && column->is_partition_key() ? " PRIMARY KEY" : ""));
  }
  if (!internals) return columns;
  for (const DroppedColumn& column : table.dropped) {
    columns.push_back(ColumnText(column.name, *column.type, column.kind == ColumnKind::kStatic));
  }
  return columns;
}

std::string PrimaryKeyText(const Table& table) {
  const auto names = [](std::span<const Column> columns) {
    std::string text;
    for (const Column& column : columns) {
      if (!text.empty()) text += ", ";
      text += PrintName(column.name);
    }
    return text;
  };
  std::string partition = names(table.partition_key());
  if (table.partition_key_count > 1) partition = fmt::format("({})", partition);
  if (table.clustering_count == 0) return fmt::format("PRIMARY KEY ({})", partition);
  return fmt::format("PRIMARY KEY ({}, {})", partition, names(table.clustering()));
}

std::string ClusteringOrderText(std::span<const Column> columns) {
  std::string text;
  for (const Column& column : columns) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", PrintName(column.name), column.descending ? "DESC" : "ASC");
  }
  return fmt::format("CLUSTERING ORDER BY ({})", text);
}

void AddOptions(CqlText& text, const Table& table, bool internals) {
  std::vector<std::string> options;
  if (table.is_compact) options.push_back("COMPACT STORAGE");
  if (internals) options.push_back("ID = " + UuidText(table.id));
  const auto hidden = HiddenColumns(table);
  if (table.clustering_count > 0) {
    options.push_back(ClusteringOrderText(table.clustering()));
  } else if (table.is_static_compact()) {
    options.push_back(ClusteringOrderText(std::span(hidden).first(1)));
  }
  std::ranges::copy(OptionTexts(table), std::back_inserter(options));
  text.Indent();
  for (size_t i = 0; i < options.size(); ++i) {
    if (i > 0) text.NewLine().Add("AND ");
    text.Add(options[i]);
  }
  text.Outdent().Add(";");
}

void AddDrops(CqlText& text, const Table& table) {
  for (const DroppedColumn& column : table.dropped) {
    text.NewLine()
        .Add("ALTER TABLE ")
        .Name(table.keyspace, table.name)
        .Add(" DROP ")
        .Name(column.name)
        .Add(fmt::format(" USING TIMESTAMP {};", column.dropped_us));
    const Column* again = table.Find(column.name);
    if (again == nullptr) continue;
    text.NewLine()
        .Add("ALTER TABLE ")
        .Name(table.keyspace, table.name)
        .Add(" ADD ")
        .Add(ColumnText(again->name, *again->type, again->is_static()))
        .Add(";");
  }
}

}  // namespace

std::string CreateTableText(const Table& table, bool internals) {
  CqlText text;
  const bool shown_only = IsShownOnly(table);
  if (shown_only) {
    text.Add("/*").NewLine().Add("Warning: Table ").Name(table.keyspace, table.name);
    text.Add(" is a virtual table and cannot be recreated with CQL.").NewLine();
    text.Add("Structure, for reference:").NewLine();
  }
  if (table.is_compact) {
    text.Add("/*").NewLine().Add("Warning: Table ").Name(table.keyspace, table.name);
    text.Add(" omitted because it has constructs not compatible with CQL (was created via legacy ");
    text.Add("API).").NewLine().Add("Approximate structure, for reference:").NewLine();
    text.Add("(this should not be used to reproduce this schema)").NewLine().NewLine();
  }
  text.Add(shown_only ? "VIRTUAL TABLE " : "CREATE TABLE ").Name(table.keyspace, table.name);
  text.Add(" (").NewLine().Indent();
  const bool single_key =
      table.partition_key_count == 1 && table.clustering_count == 0 && !table.is_compact;
  const std::vector<std::string> columns = ColumnTexts(table, internals, single_key);
  for (size_t i = 0; i < columns.size(); ++i) {
    text.Add(columns[i]).Add(i + 1 < columns.size() || !single_key ? "," : "").NewLine();
  }
  if (!single_key) text.Add(PrimaryKeyText(table)).NewLine();
  text.Outdent().Add(") WITH ");
  AddOptions(text, table, internals);
  if (internals) AddDrops(text, table);
  if (shown_only || table.is_compact) text.NewLine().Add("*/");
  return std::move(text).Finish();
}

std::string CreateViewText(const Table& view, bool internals) {
  CqlText text;
  text.Add("CREATE MATERIALIZED VIEW ").Name(view.keyspace, view.name).Add(" AS");
  text.NewLine().Indent().Add("SELECT ");
  if (view.view->include_all_columns) {
    text.Add("*");
  } else {
    for (size_t i = 0; i < view.columns.size(); ++i)
      text.Add(i > 0 ? ", " : "").Name(view.columns[i].name);
  }
  text.NewLine().Add("FROM ").Name(view.keyspace, view.view->base_table);
  text.NewLine().Add("WHERE ").Add(view.view->where_clause);
  text.NewLine().Add(PrimaryKeyText(view)).NewLine();
  text.Outdent().Add(" WITH ");
  AddOptions(text, view, internals);
  return std::move(text).Finish();
}

std::string IndexTargetText(const Index& index) {
  const std::string column = PrintName(index.column);
  if (index.target == ast::IndexTargetKind::kColumn) return column;
  return fmt::format("{}({})", IndexTargetName(index.target), column);
}

std::string CreateIndexText(const Table& table, const Index& index) {
  CqlText text;
  text.Add(index.is_custom ? "CREATE CUSTOM INDEX " : "CREATE INDEX ").Name(index.name);
  text.Add(" ON ").Name(table.keyspace, table.name);
  text.Add(" (").Add(IndexTargetText(index)).Add(")");
  if (index.is_custom) {
    OptionMap options = index.options;
    const auto named = options.extract("class_name");
    text.Add(" USING ").String(named.empty() ? "" : named.mapped());
    if (!options.empty()) text.Add(" WITH OPTIONS = ").Map(options);
  }
  return std::move(text.Add(";")).Finish();
}

}  // namespace orrery::cassandra
