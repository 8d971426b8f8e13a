// CREATE, ALTER and DROP TYPE. A type is kept once, with its keyspace: columns name it and follow.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/schema/ddl/ddl_errors.h"
#include "api/cassandra/schema/ddl/plan.h"
#include "api/cassandra/schema/ddl/table_rules.h"
#include "api/cassandra/types/type_rewrite.h"

namespace orrery::cassandra {
namespace {

SchemaChange TypeChange(SchemaChangeKind kind, std::string keyspace, std::string type) {
  return {kind, SchemaTarget::kType, std::move(keyspace), std::move(type), {}};
}

CqlResult<TypePtr> FieldType(const ast::RawType& raw, const Keyspace& keyspace) {
  // Refused before anybody asks whether there is such a type: it may be the one being made.
  if (std::holds_alternative<ast::UserType>(raw.type))
    return Invalid("A user type cannot contain non-frozen UDTs");
  CQL_ASSIGN(TypePtr type, ResolveType(raw, keyspace));
  if (type->kind() == TypeKind::kCounter) return Invalid("A user type cannot contain counters");
  return type;
}

bool References(const TypePtr& type, const UserTypeDefinition& udt) {
  return type != nullptr && type->ReferencesUserType(udt.keyspace, udt.name);
}

bool References(const TypeList& types, const UserTypeDefinition& udt) {
  return std::ranges::any_of(types, [&](const TypePtr& type) { return References(type, udt); });
}

// Checks every use of the type: adding a field may nest too deep.
CqlStatus CheckUses(const Keyspace& keyspace, const TypePtr& next) {
  for (const auto& [name, type] : keyspace.types) CQL_TRY(ReplaceUserType(type, next));
  for (const auto& [name, table] : keyspace.tables) {
    for (const Column& column : table->columns) CQL_TRY(ReplaceUserType(column.type, next));
  }
  return {};
}

CqlResult<UserTypeDefinition> WithField(const Keyspace& keyspace, const UserTypeDefinition& udt,
                                        const ast::AddField& change) {
  const std::string& field = change.field.name.text;
  CQL_ASSIGN(const TypePtr type, FieldType(change.field.type, keyspace));
  if (std::ranges::find(udt.field_names, field) != udt.field_names.end()) {
    if (change.if_not_exists) return udt;
    return Invalid(
        fmt::format("Cannot add field {} to type {}.{}: a field with name {} already exists", field,
                    udt.keyspace, udt.name, field));
  }
  const std::string what = fmt::format("Cannot add new field {} of type {} to user type {}.{}",
                                       field, PrintType(change.field.type), udt.keyspace, udt.name);
  if (References(type, udt)) return Invalid(what + " as it would create a circular reference");
  std::vector<TablePtr> tables;
  for (const auto& [name, table] : keyspace.tables) {
    if (std::ranges::any_of(table->partition_key(),
                            [&](const Column& column) { return References(column.type, udt); }))
      tables.push_back(table);
  }
  if (!tables.empty()) {
    return Invalid(fmt::format(
        "{} as the type is being used in partition key by the following tables: {}", what,
        JoinNames(tables, [](const TablePtr& table) { return TableText(*table); })));
  }
  UserTypeDefinition next = udt;
  next.field_names.push_back(field);
  next.field_types.push_back(type);
  return next;
}

CqlResult<UserTypeDefinition> WithRenames(const Keyspace& keyspace, const UserTypeDefinition& udt,
                                          const ast::RenameFields& change) {
  std::vector<UserAggregatePtr> aggregates;
  std::ranges::copy_if(
      keyspace.aggregates, std::back_inserter(aggregates), [&](const UserAggregatePtr& aggregate) {
        return aggregate->initial_condition.has_value() && References(aggregate->state_type, udt);
      });
  if (!aggregates.empty()) {
    return Invalid(fmt::format(
        "Cannot alter user type {}.{} as it is still used in INITCOND by aggregates {}",
        udt.keyspace, udt.name, JoinNames(aggregates, [](const UserAggregatePtr& aggregate) {
          return aggregate->keyspace + "." + aggregate->name;
        })));
  }
  UserTypeDefinition next = udt;
  for (const auto& [from, to] : change.renames) {
    const auto found = std::ranges::find(udt.field_names, from.text);
    if (found == udt.field_names.end()) {
      if (change.if_exists) continue;
      return Invalid(
          fmt::format("Unkown field {} in user type {}.{}", from.text, udt.keyspace, udt.name));
    }
    next.field_names[static_cast<size_t>(found - udt.field_names.begin())] = to.text;
  }
  std::set<std::string_view> seen;
  for (const std::string& field : next.field_names) {
    if (!seen.insert(field).second)
      return Invalid(fmt::format("Duplicate field name {} in type {}", field, udt.name));
  }
  return next;
}

CqlStatus CheckUnused(const Keyspace& keyspace, const UserTypeDefinition& udt) {
  const std::string what =
      fmt::format("Cannot drop user type '{}.{}' as it is still used by", udt.keyspace, udt.name);
  std::vector<std::string> users;
  const auto refuse = [&](std::string_view kind) {
    return Invalid(fmt::format("{} {} {}", what, kind,
                               JoinNames(users, [](const std::string& name) { return name; })));
  };
  for (const UserFunctionPtr& function : keyspace.functions) {
    if (References(function->argument_types, udt) || References(function->return_type, udt))
      users.push_back(function->keyspace + "." + function->name);
  }
  for (const UserAggregatePtr& aggregate : keyspace.aggregates) {
    if (References(aggregate->argument_types, udt) || References(aggregate->state_type, udt) ||
        References(aggregate->return_type, udt))
      users.push_back(aggregate->keyspace + "." + aggregate->name);
  }
  if (!users.empty()) return refuse("functions");
  for (const auto& [name, type] : keyspace.types) {
    if (name != udt.name && References(type, udt)) users.push_back(name);
  }
  if (!users.empty()) return refuse("user types");
  for (const auto& [name, table] : keyspace.tables) {
    if (std::ranges::any_of(table->columns,
                            [&](const Column& column) { return References(column.type, udt); }))
      users.push_back(name);
  }
  if (!users.empty()) return refuse("tables");
  return {};
}

}  // namespace

CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::CreateType& statement) {
  CQL_ASSIGN(const std::string keyspace_name, KeyspaceToChange(context, statement.type.keyspace));
  const KeyspacePtr keyspace = context.schema.FindKeyspace(keyspace_name);
  if (keyspace == nullptr) return NoSuchKeyspace(keyspace_name);
  const std::string& name = statement.type.name.text;
  SchemaEdit edit;
  if (keyspace->FindType(name) != nullptr) {
    if (statement.if_not_exists) return edit;
    return Invalid(fmt::format("A user type with name '{}' already exists", name));
  }
  UserTypeDefinition definition{keyspace_name, name, {}, {}};
  std::set<std::string_view> seen;
  for (const ast::FieldDefinition& field : statement.fields) {
    if (!seen.insert(field.name.text).second)
      return Invalid(fmt::format("Duplicate field name '{}' in type '{}'", field.name.text, name));
    CQL_ASSIGN(TypePtr type, FieldType(field.type, *keyspace));
    definition.field_names.push_back(field.name.text);
    definition.field_types.push_back(std::move(type));
  }
  CQL_ASSIGN(TypePtr made, Type::User(std::move(definition), Cells::kMulti));
  Keyspace next = *keyspace;
  next.types[name] = std::move(made);
  edit.steps.push_back(Replaced(next));
  edit.change = TypeChange(SchemaChangeKind::kCreated, keyspace_name, name);
  return edit;
}

CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::AlterType& statement) {
  CQL_ASSIGN(const std::string keyspace_name, KeyspaceToChange(context, statement.type.keyspace));
  const KeyspacePtr keyspace = context.schema.FindKeyspace(keyspace_name);
  const std::string& name = statement.type.name.text;
  const TypePtr type = keyspace == nullptr ? nullptr : keyspace->FindType(name);
  SchemaEdit edit;
  if (type == nullptr) {
    if (statement.if_exists) return edit;
    return Invalid(fmt::format("Type {}.{} doesn't exist", keyspace_name, name));
  }
  UserTypeDefinition definition;
  if (const auto* add = std::get_if<ast::AddField>(&statement.change)) {
    CQL_ASSIGN(definition, WithField(*keyspace, type->udt(), *add));
  } else if (const auto* rename = std::get_if<ast::RenameFields>(&statement.change)) {
    CQL_ASSIGN(definition, WithRenames(*keyspace, type->udt(), *rename));
  } else {
    return Invalid("Altering field types is no longer supported");
  }
  if (definition == type->udt()) return edit;
  CQL_ASSIGN(TypePtr made, Type::User(std::move(definition), Cells::kMulti));
  CQL_TRY(CheckUses(*keyspace, made));
  Keyspace next = *keyspace;
  next.types[name] = std::move(made);
  edit.steps.push_back(Replaced(next));
  edit.change = TypeChange(SchemaChangeKind::kUpdated, keyspace_name, name);
  return edit;
}

CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::DropType& statement) {
  CQL_ASSIGN(const std::string keyspace_name, KeyspaceToChange(context, statement.type.keyspace));
  const KeyspacePtr keyspace = context.schema.FindKeyspace(keyspace_name);
  const std::string& name = statement.type.name.text;
  const TypePtr type = keyspace == nullptr ? nullptr : keyspace->FindType(name);
  SchemaEdit edit;
  if (type == nullptr) {
    if (statement.if_exists) return edit;
    return Invalid(fmt::format("Type '{}.{}' doesn't exist", keyspace_name, name));
  }
  CQL_TRY(CheckUnused(*keyspace, type->udt()));
  Keyspace next = *keyspace;
  next.types.erase(name);
  edit.steps.push_back(Replaced(next));
  edit.change = TypeChange(SchemaChangeKind::kDropped, keyspace_name, name);
  return edit;
}

}  // namespace orrery::cassandra
