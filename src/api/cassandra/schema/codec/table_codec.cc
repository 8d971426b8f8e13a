#include "api/cassandra/schema/codec/table_codec.h"

#include <fmt/format.h>

#include <limits>

#include "api/cassandra/schema/codec/definition.h"
#include "api/cassandra/schema/codec/fields.h"
#include "api/cassandra/schema/codec/options_codec.h"
#include "api/cassandra/schema/codec/row_rules.h"
#include "api/cassandra/schema/codec/type_codec.h"
#include "api/cassandra/types/marshal_name.h"
#include "api/cassandra/types/native/timeuuid.h"
#include "base/bytes.h"
#include "base/murmur3.h"

namespace orrery::cassandra {
namespace {

using model::DocumentBuilder;

constexpr int64_t kUint32Max = std::numeric_limits<uint32_t>::max();
constexpr ColumnKind kKinds[] = {ColumnKind::kPartitionKey, ColumnKind::kClustering,
                                 ColumnKind::kStatic, ColumnKind::kRegular};

// In the order of ast::IndexTargetKind.
constexpr std::string_view kTargets[] = {"column", "keys", "values", "entries", "full"};

void AppendColumns(DocumentBuilder& builder, const Table& table) {
  AppendObjects(builder, "columns", table.columns, [&](const Column& column) {
    builder.AppendString("name", column.name)
        .AppendString("type", column.type->CqlName())
        .AppendString("kind", ColumnKindName(column.kind));
    if (column.is_key()) {
      builder.AppendInt64("position", column.position);
    } else {
      builder.AppendInt64("id", column.id);
    }
    if (column.descending) builder.AppendBool("descending", true);
    if (column.hides_cells()) builder.AppendInt64("hiddenTo", column.hidden_to_us);
  });
}

void AppendIndexes(DocumentBuilder& builder, const Table& table) {
  AppendObjects(builder, "indexes", table.indexes, [&](const Index& index) {
    builder.AppendString("name", index.name)
        .AppendInt64("id", index.id)
        .AppendString("target", kTargets[static_cast<size_t>(index.target)])
        .AppendString("column", index.column)
        .AppendBool("custom", index.is_custom);
    AppendMap(builder, "options", index.options);
  });
}

void AppendTriggers(DocumentBuilder& builder, const Table& table) {
  AppendObjects(builder, "triggers", table.triggers, [&](const Trigger& trigger) {
    builder.AppendString("name", trigger.name).AppendString("class", trigger.class_name);
  });
}

void AppendDropped(DocumentBuilder& builder, const Table& table) {
  AppendObjects(builder, "dropped", table.dropped, [&](const DroppedColumn& column) {
    builder.AppendString("name", column.name)
        .AppendString("type", column.type->CqlName())
        .AppendString("kind", ColumnKindName(column.kind))
        .AppendInt64("at", column.dropped_us);
    if (column.id.has_value()) builder.AppendInt64("id", *column.id);
  });
}

void AppendView(DocumentBuilder& builder, const Table& table) {
  if (!table.view.has_value()) return;
  builder.OpenObject("view")
      .AppendString("base", table.view->base_table)
      .AppendString("baseId", UuidText(table.view->base_id))
      .AppendString("where", table.view->where_clause)
      .AppendBool("allColumns", table.view->include_all_columns)
      .AppendBool("built", table.view->built)
      .Close();
}

Result<ColumnKind> ReadKind(const Fields& entry) {
  ORRERY_ASSIGN(const std::string text, entry.String("kind"));
  for (const ColumnKind kind : kKinds) {
    if (ColumnKindName(kind) == text) return kind;
  }
  return Fail(Code::kCorruption, fmt::format("'{}' is no kind of column", text));
}

Result<uint32_t> ReadNumber(const Fields& entry, std::string_view name) {
  ORRERY_ASSIGN(const int64_t number, entry.Integer(name, 0, kUint32Max));
  return static_cast<uint32_t>(number);
}

Result<int64_t> ReadTime(const Fields& entry, std::string_view name) {
  return entry.Integer(name, std::numeric_limits<int64_t>::min(),
                       std::numeric_limits<int64_t>::max());
}

Status ReadColumns(const Fields& fields, const Keyspace& keyspace, Table& table) {
  ORRERY_ASSIGN(const std::vector<Fields> entries, fields.Objects("columns"));
  for (const Fields& entry : entries) {
    Column column;
    ORRERY_ASSIGN(column.name, entry.String("name"));
    ORRERY_ASSIGN(const std::string type, entry.String("type"));
    auto resolved = TypeFromText(type, keyspace);
    if (!resolved.has_value()) {
      return Fail(std::move(resolved).error().Annotate(fmt::format("column '{}'", column.name)));
    }
    column.type = *std::move(resolved);
    ORRERY_ASSIGN(column.kind, ReadKind(entry));
    if (column.is_key()) {
      ORRERY_ASSIGN(column.position, ReadNumber(entry, "position"));
    } else {
      ORRERY_ASSIGN(column.id, ReadNumber(entry, "id"));
    }
    ORRERY_ASSIGN(column.descending, entry.Bool("descending"));
    if (entry.Has("hiddenTo")) {
      ORRERY_ASSIGN(column.hidden_to_us, ReadTime(entry, "hiddenTo"));
    }
    table.columns.push_back(std::move(column));
  }
  ArrangeColumns(table);
  return {};
}

// REQUIRES: the columns are there.
Status ReadIndexes(const Fields& fields, Table& table) {
  ORRERY_ASSIGN(const std::vector<Fields> entries, fields.Objects("indexes"));
  for (const Fields& entry : entries) {
    Index index;
    ORRERY_ASSIGN(index.name, entry.String("name"));
    ORRERY_ASSIGN(index.id, ReadNumber(entry, "id"));
    ORRERY_ASSIGN(const std::string target, entry.String("target"));
    const auto* const known = std::ranges::find(kTargets, target);
    if (known == std::end(kTargets))
      return Fail(Code::kCorruption, fmt::format("'{}' is no target of an index", target));
    index.target = static_cast<ast::IndexTargetKind>(known - std::begin(kTargets));
    ORRERY_ASSIGN(index.column, entry.String("column"));
    if (table.Find(index.column) == nullptr) {
      return Fail(Code::kCorruption, fmt::format("index '{}' is on column '{}', which is missing",
                                                 index.name, index.column));
    }
    ORRERY_ASSIGN(index.is_custom, entry.Bool("custom"));
    ORRERY_ASSIGN(index.options, entry.Map("options"));
    table.indexes.push_back(std::move(index));
  }
  return {};
}

Status ReadTriggers(const Fields& fields, Table& table) {
  ORRERY_ASSIGN(const std::vector<Fields> entries, fields.Objects("triggers"));
  for (const Fields& entry : entries) {
    Trigger trigger;
    ORRERY_ASSIGN(trigger.name, entry.String("name"));
    ORRERY_ASSIGN(trigger.class_name, entry.String("class"));
    table.triggers.push_back(std::move(trigger));
  }
  return {};
}

Status ReadDropped(const Fields& fields, const Keyspace& keyspace, Table& table) {
  ORRERY_ASSIGN(const std::vector<Fields> entries, fields.Objects("dropped"));
  for (const Fields& entry : entries) {
    DroppedColumn column;
    ORRERY_ASSIGN(column.name, entry.String("name"));
    ORRERY_ASSIGN(const std::string type, entry.String("type"));
    ORRERY_ASSIGN(column.type, TypeFromText(type, keyspace));
    ORRERY_ASSIGN(column.kind, ReadKind(entry));
    ORRERY_ASSIGN(column.dropped_us, ReadTime(entry, "at"));
    if (entry.Has("id")) {
      ORRERY_ASSIGN(column.id, ReadNumber(entry, "id"));
    }
    table.dropped.push_back(std::move(column));
  }
  return {};
}

Status ReadView(const Fields& fields, Table& table) {
  if (!fields.Has("view")) return {};
  ORRERY_ASSIGN(const Fields entry, fields.Object("view"));
  ViewOf view;
  ORRERY_ASSIGN(view.base_table, entry.String("base"));
  ORRERY_ASSIGN(const std::string base_id, entry.String("baseId"));
  ORRERY_ASSIGN(view.base_id, ParseUuid(base_id));
  ORRERY_ASSIGN(view.where_clause, entry.String("where"));
  ORRERY_ASSIGN(view.include_all_columns, entry.Bool("allColumns"));
  ORRERY_ASSIGN(view.built, entry.Bool("built"));
  table.view = std::move(view);
  return {};
}

// The rules that the core works by must be those of the definition.
Status CheckRules(const Table& table, const gateway::ContainerSettings& settings) {
  if (table.partition_key_count == 0) return Fail(Code::kCorruption, "it has no partition key");
  if (settings.rows == RowRulesOf(table)) return {};
  return Fail(Code::kCorruption, "the container's keys or indexes are not those of the table");
}

// Whole types rather than their texts: a table is another one when a type it uses has changed.
uint64_t DigestOf(const Table& table, const gateway::ContainerEntry& container) {
  std::string text = container.settings.name;
  if (table.view.has_value()) {
    // Its build state is no part of its definition.
    Table unbuilt = table;
    unbuilt.view->built = false;
    text += EncodeTable(unbuilt, {}).extra->bson();
  } else {
    text += container.settings.extra->bson();
  }
  for (const Column& column : table.columns) AppendLengthPrefixed(text, MarshalName(*column.type));
  return Murmur3(text).high;
}

Result<Table> Decode(gateway::ContainerRef container, const Keyspace& keyspace) {
  const Fields fields(container->settings.extra->view());
  ORRERY_TRY(CheckVersion(fields));
  Table table;
  table.keyspace = keyspace.name;
  table.name = container->settings.name;
  ORRERY_ASSIGN(const std::string id, fields.String("id"));
  ORRERY_ASSIGN(table.id, ParseUuid(id));
  ORRERY_TRY(ReadColumns(fields, keyspace, table));
  ORRERY_ASSIGN(table.is_counter, fields.Bool("counter"));
  ORRERY_ASSIGN(table.is_compact, fields.Bool("compact"));
  ORRERY_ASSIGN(table.was_compact, fields.Bool("wasCompact"));
  ORRERY_ASSIGN(table.options, ReadOptions(fields));
  ORRERY_TRY(ReadIndexes(fields, table));
  ORRERY_TRY(ReadTriggers(fields, table));
  ORRERY_TRY(ReadDropped(fields, keyspace, table));
  ORRERY_ASSIGN(table.highest_column_id, ReadNumber(fields, "highestColumnId"));
  ORRERY_ASSIGN(table.highest_index_id, ReadNumber(fields, "highestIndexId"));
  ORRERY_TRY(ReadView(fields, table));
  ORRERY_TRY(CheckRules(table, container->settings));
  for (Index& index : table.indexes) index.built = container->HasBuiltRowIndex(index.id);
  table.digest = DigestOf(table, *container);
  table.container = std::move(container);
  return table;
}

}  // namespace

gateway::ContainerSettings EncodeTable(const Table& table,
                                       const partition::ThroughputSettings& throughput) {
  gateway::ContainerSettings settings;
  settings.name = table.name;
  for (uint32_t i = 0; i < table.partition_key_count; ++i)
    settings.partition_key_paths.push_back(fmt::format("/k{}", i));
  settings.hashing = partition::KeyHashing::kCassandra;
  settings.order = model::Order::kCql;
  settings.indexing.automatic = false;
  settings.throughput = throughput;
  settings.rows = RowRulesOf(table);

  DocumentBuilder builder;
  AppendHead(builder);
  builder.AppendString("id", UuidText(table.id));
  AppendColumns(builder, table);
  builder.AppendBool("counter", table.is_counter).AppendBool("compact", table.is_compact);
  if (table.was_compact) builder.AppendBool("wasCompact", true);
  AppendOptions(builder, table.options);
  AppendIndexes(builder, table);
  AppendTriggers(builder, table);
  AppendDropped(builder, table);
  builder.AppendInt64("highestColumnId", table.highest_column_id)
      .AppendInt64("highestIndexId", table.highest_index_id);
  AppendView(builder, table);
  settings.extra = std::move(builder).Finish();
  return settings;
}

Result<Table> DecodeTable(gateway::ContainerRef container, const Keyspace& keyspace) {
  const std::string name = container->settings.name;
  auto decoded = Decode(std::move(container), keyspace);
  if (!decoded.has_value()) {
    return Fail(std::move(decoded).error().Annotate(
        fmt::format("the stored definition of table '{}.{}' cannot be read", keyspace.name, name)));
  }
  return decoded;
}

}  // namespace orrery::cassandra
