// CREATE [CUSTOM] INDEX and DROP INDEX.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/schema/ddl/ddl_errors.h"
#include "api/cassandra/schema/ddl/plan.h"
#include "api/cassandra/schema/ddl/property_reader.h"
#include "api/cassandra/schema/ddl/table_rules.h"
#include "api/cassandra/schema/sasi_index.h"
#include "gateway/catalog/container_settings.h"
#include "query/lexer/character_class.h"

namespace orrery::cassandra {
namespace {

using ast::IndexTargetKind;

constexpr size_t kTableIndexesMax = 64;

// All of them are one kind of index here; what they may be asked is the planner's to say.
constexpr std::array<std::string_view, 4> kCustomClasses = {
    kSasiClass, "org.apache.cassandra.index.sai.StorageAttachedIndex", "StorageAttachedIndex",
    "sai"};

// Cassandra 5.0's name of an index that is not custom.
constexpr std::string_view kPlainClass = "legacy_local_table";

constexpr std::string_view kClassOption = "class_name";
constexpr std::string_view kTargetOption = "target";

bool IsCustomClass(std::string_view name) {
  return std::ranges::find(kCustomClasses, name) != kCustomClasses.end();
}

// With a class that is, the word may be left out.
bool IsCustom(const ast::CreateIndex& statement) {
  return statement.is_custom ||
         (statement.class_name.has_value() && IsCustomClass(*statement.class_name));
}

CqlResult<OptionMap> ReadIndexOptions(const ast::CreateIndex& statement) {
  const bool is_custom = IsCustom(statement);
  const PropertyReader properties(statement.properties);
  CQL_TRY(properties.AllowOnly(std::array<std::string_view, 1>{"options"}));
  if (is_custom && !statement.class_name.has_value())
    return Invalid("CUSTOM index requires specifiying the index class");
  if (!is_custom && statement.class_name.value_or(std::string(kPlainClass)) != kPlainClass)
    return Invalid("Cannot specify index class for a non-CUSTOM index");
  if (!is_custom && !statement.properties.empty())
    return Invalid("Cannot specify options for a non-CUSTOM index");
  CQL_ASSIGN(std::optional<OptionMap> options, properties.Map("options"));
  if (!options.has_value()) options.emplace();
  for (const std::string_view reserved : {kClassOption, kTargetOption}) {
    if (options->contains(std::string(reserved)))
      return Invalid(fmt::format("Cannot specify {} as a CUSTOM option", reserved));
  }
  if (is_custom) {
    if (!IsCustomClass(*statement.class_name)) {
      return ConfigError(
          fmt::format("Unable to find custom indexer class '{}'", *statement.class_name));
    }
    (*options)[std::string(kClassOption)] = *statement.class_name;
  }
  return *std::move(options);
}

CqlResult<const Column*> TargetColumn(const Table& table, const ast::CreateIndex& statement) {
  if (statement.targets.empty()) {
    return Invalid(statement.is_custom
                       ? "This index needs a column to be on"
                       : "Only CUSTOM indexes can be created without specifying a target column");
  }
  if (statement.targets.size() > 1) {
    return Invalid(statement.is_custom
                       ? "Cannot create secondary index. Only a single column can be indexed"
                       : "Only CUSTOM indexes support multiple columns");
  }
  const std::string& name = statement.targets[0].column.text;
  const Column* column = table.Find(name);
  if (column == nullptr) {
    return Invalid(
        fmt::format("Undefined column name {} in table {}", PrintName(name), TableText(table)));
  }
  return column;
}

CqlStatus CheckDuration(const Type& type) {
  if (!type.ReferencesDuration()) return {};
  const std::string_view where = type.is_collection() ? "collections containing durations"
                                 : type.kind() == TypeKind::kTuple ? "tuples containing durations"
                                 : type.kind() == TypeKind::kUdt   ? "UDTs containing durations"
                                                                   : "duration columns";
  return Invalid(fmt::format("Secondary indexes are not supported on {}", where));
}

CqlStatus CheckTarget(const Table& table, const Column& column, IndexTargetKind target) {
  const Type& type = *column.type;
  CQL_TRY(CheckDuration(type));
  if (table.is_compact) {
    if (column.is_key()) {
      return Invalid(
          "Secondary indexes are not supported on PRIMARY KEY columns in COMPACT STORAGE tables");
    }
    if (table.clustering_count > 0) {
      return Invalid(
          "Secondary indexes are not supported on compact value column of COMPACT STORAGE tables");
    }
  }
  const bool frozen_collection = type.is_collection() && !type.is_multi_cell();
  if (frozen_collection && target != IndexTargetKind::kFull) {
    return Invalid(
        fmt::format("Cannot create {}() index on frozen column {}. Frozen collections are "
                    "immutable and must be fully indexed by using the 'full({})' modifier",
                    IndexTargetName(target), column.name, column.name));
  }
  if (!frozen_collection && target == IndexTargetKind::kFull)
    return Invalid("full() indexes can only be created on frozen collections");
  if (!type.is_collection() && target != IndexTargetKind::kColumn) {
    return Invalid(
        fmt::format("Cannot create {}() index on {}. Non-collection columns only support simple "
                    "indexes",
                    IndexTargetName(target), column.name));
  }
  const bool by_key = target == IndexTargetKind::kKeys || target == IndexTargetKind::kEntries;
  if (by_key && !(type.kind() == TypeKind::kMap && type.is_multi_cell())) {
    return Invalid(fmt::format("Cannot create index on {} of column {} with non-map type",
                               IndexTargetName(target), column.name));
  }
  if (type.kind() == TypeKind::kUdt && type.is_multi_cell())
    return Invalid(fmt::format("Cannot create index on non-frozen UDT column {}", column.name));
  return {};
}

// table_column_idx, or the first of table_column_idx_1, _2, ... that is free.
std::string FreeName(const Keyspace& keyspace, const Table& table, const Column& column) {
  std::string base = fmt::format("{}_{}_idx", table.name, column.name);
  std::erase_if(base, [](char c) { return !query::IsWordCharacter(c); });
  std::string name = base;
  for (size_t i = 1; keyspace.FindTableOfIndex(name) != nullptr; ++i)
    name = fmt::format("{}_{}", base, i);
  return name;
}

bool IsIndexName(std::string_view name) {
  return !name.empty() && name.size() <= gateway::kNameBytesMax &&
         std::ranges::all_of(name, query::IsWordCharacter);
}

const Index* FindEqual(const Table& table, const Index& index) {
  const auto found = std::ranges::find_if(table.indexes, [&](const Index& other) {
    return other.column == index.column && other.target == index.target &&
           other.is_custom == index.is_custom && other.options == index.options;
  });
  return found == table.indexes.end() ? nullptr : &*found;
}

}  // namespace

CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::CreateIndex& statement) {
  CQL_ASSIGN(OptionMap options, ReadIndexOptions(statement));
  CQL_ASSIGN(const std::string keyspace_name, KeyspaceToChange(context, statement.table.keyspace));
  const KeyspacePtr keyspace = context.schema.FindKeyspace(keyspace_name);
  if (keyspace == nullptr) return NoSuchKeyspace(keyspace_name);
  const std::string& table_name = statement.table.name.text;
  const TablePtr table = keyspace->FindTable(table_name);
  if (table == nullptr) return Invalid(fmt::format("Table '{}' doesn't exist", table_name));
  SchemaEdit edit;
  if (statement.index.has_value() && keyspace->FindTableOfIndex(statement.index->text) != nullptr) {
    if (statement.if_not_exists) return edit;
    return Invalid(fmt::format("Index '{}' already exists", statement.index->text));
  }
  if (table->is_counter) return Invalid("Secondary indexes on counter tables aren't supported");
  if (table->view.has_value())
    return Invalid("Secondary indexes on materialized views aren't supported");

  CQL_ASSIGN(const Column* column, TargetColumn(*table, statement));
  Index index;
  index.target = statement.targets[0].kind;
  if (index.target == IndexTargetKind::kColumn && column->type->is_collection())
    index.target = IndexTargetKind::kValues;
  CQL_TRY(CheckTarget(*table, *column, index.target));
  if (IsCustom(statement) && column->type->kind() == TypeKind::kVector &&
      column->type->element().kind() != TypeKind::kFloat) {
    return Invalid("SAI ANN indexes are only allowed on vector columns with float elements");
  }
  if (options.contains(std::string(kClassOption)) &&
      options.at(std::string(kClassOption)) == kSasiClass)
    CQL_TRY(MakeSasiIndex(*column, options));
  index.column = column->name;
  index.is_custom = IsCustom(statement);
  index.options = std::move(options);
  index.name =
      statement.index.has_value() ? statement.index->text : FreeName(*keyspace, *table, *column);
  if (const Index* equal = FindEqual(*table, index); equal != nullptr) {
    if (statement.if_not_exists) return edit;
    return Invalid(
        fmt::format("Index {} is a duplicate of existing index {}", index.name, equal->name));
  }
  if (!IsIndexName(index.name))
    return ConfigError(fmt::format("Illegal index name {}", index.name));
  if (table->indexes.size() >= kTableIndexesMax) {
    return Invalid(fmt::format("Table {} has {} indexes, the most it may have", TableText(*table),
                               kTableIndexesMax));
  }
  Table next = *table;
  index.id = ++next.highest_index_id;
  const auto place = std::ranges::lower_bound(next.indexes, index.name, {}, &Index::name);
  next.indexes.insert(place, std::move(index));
  edit.steps.push_back(Replaced(next));
  edit.change = TableChange(SchemaChangeKind::kUpdated, keyspace_name, table_name);
  return edit;
}

CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::DropIndex& statement) {
  CQL_ASSIGN(const std::string keyspace_name, KeyspaceToChange(context, statement.index.keyspace));
  const std::string& name = statement.index.name.text;
  const KeyspacePtr keyspace = context.schema.FindKeyspace(keyspace_name);
  const TablePtr table = keyspace == nullptr ? nullptr : keyspace->FindTableOfIndex(name);
  SchemaEdit edit;
  if (table == nullptr) {
    if (statement.if_exists) return edit;
    return Invalid(fmt::format("Index '{}.{}' doesn't exist'", keyspace_name, name));
  }
  Table next = *table;
  std::erase_if(next.indexes, [&](const Index& index) { return index.name == name; });
  edit.steps.push_back(Replaced(next));
  edit.change = TableChange(SchemaChangeKind::kUpdated, keyspace_name, table->name);
  return edit;
}

}  // namespace orrery::cassandra
