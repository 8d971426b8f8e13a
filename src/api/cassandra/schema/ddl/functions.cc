// CREATE and DROP FUNCTION.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/schema/ddl/ddl_errors.h"
#include "api/cassandra/schema/ddl/plan.h"
#include "api/cassandra/schema/ddl/signature.h"
#include "api/cassandra/schema/ddl/table_rules.h"
#include "api/cassandra/types/assignment.h"
#include "query/lexer/character_class.h"

namespace orrery::cassandra {
namespace {

CqlStatus CheckStatement(const ast::CreateFunction& statement) {
  const std::string& name = statement.function.name.text;
  if (statement.if_not_exists && statement.or_replace)
    return Invalid("Cannot use both 'OR REPLACE' and 'IF NOT EXISTS' directives");
  if (!IsFunctionName(name)) return Invalid(fmt::format("Function name '{}' is invalid", name));
  std::set<std::string_view> seen;
  std::vector<std::string> names;
  for (const ast::FunctionArgument& argument : statement.arguments) {
    seen.insert(argument.name.text);
    names.push_back(argument.name.text);
  }
  if (seen.size() != names.size()) {
    return Invalid(
        fmt::format("Duplicate argument names for given function {} with argument names [{}]", name,
                    fmt::join(names, ", ")));
  }
  return {};
}

CqlResult<UserFunction> MakeFunction(const ast::CreateFunction& statement,
                                     const Keyspace& keyspace) {
  UserFunction function;
  function.keyspace = keyspace.name;
  function.name = statement.function.name.text;
  function.called_on_null_input = statement.called_on_null_input;
  function.language = query::ToLower(statement.language);
  function.body = statement.body;
  for (const ast::FunctionArgument& argument : statement.arguments) {
    CQL_ASSIGN(TypePtr type, ResolveType(argument.type, keyspace));
    function.argument_names.push_back(argument.name.text);
    function.argument_types.push_back(std::move(type));
  }
  CQL_ASSIGN(function.return_type, ResolveType(statement.return_type, keyspace));
  if (function.language != kJavaScript && function.language != kJava) {
    return Invalid(fmt::format("Invalid language '{}' for function '{}.{}'", function.language,
                               function.keyspace, function.name));
  }
  return function;
}

CqlStatus CheckReplacement(const UserFunction& former, const UserFunction& next) {
  if (former.called_on_null_input != next.called_on_null_input) {
    return Invalid(fmt::format(
        "Function '{}' must have {} directive", next.name,
        next.called_on_null_input ? "CALLED ON NULL INPUT" : "RETURNS NULL ON NULL INPUT"));
  }
  if (!IsValueCompatible(*former.return_type, *next.return_type)) {
    return Invalid(
        fmt::format("Cannot replace function '{}', the new return type {} is not compatible with "
                    "the return type {} of existing function",
                    next.name, next.return_type->CqlName(), former.return_type->CqlName()));
  }
  return {};
}

bool Uses(const UserAggregate& aggregate, const UserFunction& function) {
  TypeList state = {aggregate.state_type};
  const bool is_final =
      aggregate.final_function == function.name && SameTypes(function.argument_types, state);
  std::ranges::copy(aggregate.argument_types, std::back_inserter(state));
  return is_final ||
         (aggregate.state_function == function.name && SameTypes(function.argument_types, state));
}

}  // namespace

CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::CreateFunction& statement) {
  CQL_ASSIGN(const std::string keyspace_name,
             KeyspaceToChange(context, statement.function.keyspace));
  CQL_TRY(CheckStatement(statement));
  for (const ast::FunctionArgument& argument : statement.arguments)
    CQL_TRY(RefuseFrozen(argument.type, "Argument"));
  CQL_TRY(RefuseFrozen(statement.return_type, "Return type"));
  const KeyspacePtr keyspace = context.schema.FindKeyspace(keyspace_name);
  if (keyspace == nullptr) return NoSuchKeyspace(keyspace_name);
  CQL_ASSIGN(const UserFunction function, MakeFunction(statement, *keyspace));

  SchemaEdit edit;
  const std::string& name = function.name;
  if (FindAggregate(*keyspace, name, function.argument_types) != nullptr)
    return Invalid(fmt::format("Function '{}' cannot replace an aggregate", name));
  const UserFunctionPtr former = FindFunction(*keyspace, name, function.argument_types);
  if (former != nullptr) {
    if (statement.if_not_exists) return edit;
    if (!statement.or_replace) return Invalid(fmt::format("Function '{}' already exists", name));
    CQL_TRY(CheckReplacement(*former, function));
  }
  CQL_TRY(context.functions.Check(function));
  if (function.language == kJava) {
    edit.warnings.push_back(
        fmt::format("Function '{}.{}' is kept but cannot be called: this server runs functions "
                    "with LANGUAGE javascript only",
                    keyspace_name, name));
  }
  Keyspace next = *keyspace;
  std::erase(next.functions, former);
  InsertOverload(next.functions, function);
  edit.steps.push_back(Replaced(next));
  edit.change =
      FunctionChange(former == nullptr ? SchemaChangeKind::kCreated : SchemaChangeKind::kUpdated,
                     SchemaTarget::kFunction, keyspace_name, name, function.argument_types);
  return edit;
}

CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::DropFunction& statement) {
  CQL_ASSIGN(const std::string keyspace_name,
             KeyspaceToChange(context, statement.function.keyspace));
  const KeyspacePtr keyspace = context.schema.FindKeyspace(keyspace_name);
  CQL_ASSIGN(const Dropped dropped, ReadDrop(keyspace.get(), keyspace_name, "FUNCTION",
                                             statement.function, statement.signature));
  UserFunctionPtr function;
  if (keyspace != nullptr)
    function = FindDropped(keyspace->functions, statement.function.name.text, dropped);
  SchemaEdit edit;
  if (function == nullptr) {
    if (statement.if_exists) return edit;
    return Invalid(fmt::format("Function '{}' doesn't exist", dropped.whole_name));
  }
  std::vector<UserAggregatePtr> aggregates;
  std::ranges::copy_if(keyspace->aggregates, std::back_inserter(aggregates),
                       [&](const UserAggregatePtr& one) { return Uses(*one, *function); });
  if (!aggregates.empty()) {
    return Invalid(fmt::format(
        "Function '{}' is still referenced by aggregates {}", dropped.whole_name,
        JoinNames(aggregates,
                  [](const UserAggregatePtr& one) { return one->keyspace + "." + one->name; })));
  }
  Keyspace next = *keyspace;
  std::erase(next.functions, function);
  edit.steps.push_back(Replaced(next));
  edit.change = FunctionChange(SchemaChangeKind::kDropped, SchemaTarget::kFunction, keyspace_name,
                               function->name, function->argument_types);
  return edit;
}

}  // namespace orrery::cassandra
