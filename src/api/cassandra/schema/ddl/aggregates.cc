// CREATE and DROP AGGREGATE.
#include <fmt/format.h>

#include <algorithm>

#include "api/cassandra/schema/ddl/ddl_errors.h"
#include "api/cassandra/schema/ddl/literal_value.h"
#include "api/cassandra/schema/ddl/plan.h"
#include "api/cassandra/schema/ddl/signature.h"
#include "api/cassandra/types/assignment.h"
#include "api/cassandra/types/literal.h"

namespace orrery::cassandra {
namespace {

CqlStatus CheckStatement(const ast::CreateAggregate& statement) {
  const std::string& name = statement.aggregate.name.text;
  if (statement.if_not_exists && statement.or_replace)
    return Invalid("Cannot use both 'OR REPLACE' and 'IF NOT EXISTS' directives");
  if (!IsFunctionName(name)) return Invalid(fmt::format("Aggregate name '{}' is invalid", name));
  for (const ast::RawType& type : statement.argument_types) CQL_TRY(RefuseFrozen(type, "Argument"));
  return RefuseFrozen(statement.state_type, "State type");
}

bool IsTextual(const Type& type) {
  return type.kind() == TypeKind::kText || type.kind() == TypeKind::kAscii ||
         type.kind() == TypeKind::kBlob;
}

// The function that takes these types; refused when it is an aggregate or is not there.
CqlResult<UserFunctionPtr> Part(const Keyspace& keyspace, std::string_view what,
                                const std::string& name, const TypeList& arguments) {
  const std::string text = SignatureText(keyspace.name, name, TypeNames(arguments));
  if (FindAggregate(keyspace, name, arguments) != nullptr)
    return Invalid(fmt::format("{} function {} isn't a scalar function", what, text));
  UserFunctionPtr found = FindFunction(keyspace, name, arguments);
  if (found == nullptr) return Invalid(fmt::format("{} function {} doesn't exist", what, text));
  return found;
}

// As text that gives the value again, whatever form it was written in; none: null.
CqlResult<std::optional<std::string>> InitialCondition(const ast::CreateAggregate& statement,
                                                       const Type& state_type, Micros now) {
  if (!statement.initial_condition.has_value()) return std::nullopt;
  CQL_ASSIGN(const std::optional<std::string> value,
             LiteralValue(*statement.initial_condition, state_type, "initcond", now));
  if (!value.has_value()) return std::nullopt;
  if (value->empty() && !IsTextual(state_type))
    return Invalid("INITCOND must not be empty for all types except TEXT, ASCII, BLOB");
  CQL_ASSIGN(std::string text, ToCqlLiteral(state_type, *value));
  return text;
}

CqlResult<UserAggregate> MakeAggregate(const PlanContext& context,
                                       const ast::CreateAggregate& statement,
                                       const Keyspace& keyspace) {
  UserAggregate aggregate;
  aggregate.keyspace = keyspace.name;
  aggregate.name = statement.aggregate.name.text;
  CQL_ASSIGN(aggregate.argument_types, ArgumentTypes(statement.argument_types, keyspace));
  CQL_ASSIGN(aggregate.state_type, ResolveType(statement.state_type, keyspace));

  TypeList state_arguments = {aggregate.state_type};
  std::ranges::copy(aggregate.argument_types, std::back_inserter(state_arguments));
  aggregate.state_function = statement.state_function.text;
  CQL_ASSIGN(const UserFunctionPtr state,
             Part(keyspace, "State", aggregate.state_function, state_arguments));
  const std::string state_text =
      SignatureText(keyspace.name, aggregate.state_function, TypeNames(state_arguments));
  if (*state->return_type != *aggregate.state_type) {
    return Invalid(
        fmt::format("State function {} return type must be the same as the first argument type - "
                    "check STYPE, argument and return types",
                    state_text));
  }
  aggregate.return_type = state->return_type;
  if (statement.final_function.has_value()) {
    aggregate.final_function = statement.final_function->text;
    CQL_ASSIGN(const UserFunctionPtr last,
               Part(keyspace, "Final", *aggregate.final_function, {aggregate.state_type}));
    aggregate.return_type = last->return_type;
  }
  CQL_ASSIGN(aggregate.initial_condition,
             InitialCondition(statement, *aggregate.state_type, context.now));
  if (!state->called_on_null_input && !aggregate.initial_condition.has_value()) {
    return Invalid(
        fmt::format("Cannot create aggregate '{}' without INITCOND because state function {}.{} "
                    "does not accept 'null' arguments",
                    aggregate.name, keyspace.name, aggregate.state_function));
  }
  return aggregate;
}

}  // namespace

CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::CreateAggregate& statement) {
  CQL_ASSIGN(const std::string keyspace_name,
             KeyspaceToChange(context, statement.aggregate.keyspace));
  CQL_TRY(CheckStatement(statement));
  const KeyspacePtr keyspace = context.schema.FindKeyspace(keyspace_name);
  if (keyspace == nullptr) return NoSuchKeyspace(keyspace_name);
  CQL_ASSIGN(const UserAggregate aggregate, MakeAggregate(context, statement, *keyspace));

  SchemaEdit edit;
  const std::string& name = aggregate.name;
  if (FindFunction(*keyspace, name, aggregate.argument_types) != nullptr)
    return Invalid(fmt::format("Aggregate '{}' cannot replace a function", name));
  const UserAggregatePtr former = FindAggregate(*keyspace, name, aggregate.argument_types);
  if (former != nullptr) {
    if (statement.if_not_exists) return edit;
    if (!statement.or_replace) return Invalid(fmt::format("Aggregate '{}' already exists", name));
    if (!IsValueCompatible(*former->return_type, *aggregate.return_type)) {
      return Invalid(
          fmt::format("Cannot replace aggregate '{}', the new return type {} isn't compatible with "
                      "the return type {} of existing function",
                      name, aggregate.return_type->CqlName(), former->return_type->CqlName()));
    }
  }
  Keyspace next = *keyspace;
  std::erase(next.aggregates, former);
  InsertOverload(next.aggregates, aggregate);
  edit.steps.push_back(Replaced(next));
  edit.change =
      FunctionChange(former == nullptr ? SchemaChangeKind::kCreated : SchemaChangeKind::kUpdated,
                     SchemaTarget::kAggregate, keyspace_name, name, aggregate.argument_types);
  return edit;
}

CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::DropAggregate& statement) {
  CQL_ASSIGN(const std::string keyspace_name,
             KeyspaceToChange(context, statement.aggregate.keyspace));
  const KeyspacePtr keyspace = context.schema.FindKeyspace(keyspace_name);
  CQL_ASSIGN(const Dropped dropped, ReadDrop(keyspace.get(), keyspace_name, "AGGREGATE",
                                             statement.aggregate, statement.signature));
  UserAggregatePtr aggregate;
  if (keyspace != nullptr)
    aggregate = FindDropped(keyspace->aggregates, statement.aggregate.name.text, dropped);
  SchemaEdit edit;
  if (aggregate == nullptr) {
    if (statement.if_exists) return edit;
    return Invalid(fmt::format("Aggregate '{}' doesn't exist", dropped.whole_name));
  }
  Keyspace next = *keyspace;
  std::erase(next.aggregates, aggregate);
  edit.steps.push_back(Replaced(next));
  edit.change = FunctionChange(SchemaChangeKind::kDropped, SchemaTarget::kAggregate, keyspace_name,
                               aggregate->name, aggregate->argument_types);
  return edit;
}

}  // namespace orrery::cassandra
