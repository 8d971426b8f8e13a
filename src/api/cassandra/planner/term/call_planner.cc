// Calls, operators and casts: which function or types they mean.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/planner/term/call_nodes.h"
#include "api/cassandra/planner/term/term_planner.h"
#include "api/cassandra/types/cast.h"

namespace orrery::cassandra {
namespace {

Operator ToOperator(ast::ArithmeticOperator op) {
  switch (op) {
    case ast::ArithmeticOperator::kAdd:
      return Operator::kAdd;
    case ast::ArithmeticOperator::kSubtract:
      return Operator::kSubtract;
    case ast::ArithmeticOperator::kMultiply:
      return Operator::kMultiply;
    case ast::ArithmeticOperator::kDivide:
      return Operator::kDivide;
    case ast::ArithmeticOperator::kModulo:
      return Operator::kModulo;
  }
  return Operator::kAdd;
}

// The types that an operand may be taken as.
constexpr std::array kOperandKinds = {
    TypeKind::kTinyint, TypeKind::kSmallint,  TypeKind::kInt,    TypeKind::kBigint,
    TypeKind::kCounter, TypeKind::kFloat,     TypeKind::kDouble, TypeKind::kVarint,
    TypeKind::kDecimal, TypeKind::kTimestamp, TypeKind::kDate,   TypeKind::kDuration,
    TypeKind::kText,    TypeKind::kAscii};

const ast::FunctionCall& CallIn(const ast::Term& term) { return *term.As<ast::FunctionCall>(); }

// count(*), and count(1), which has no value to look at either.
bool CountsRows(const ast::Term& term) {
  if (term.As<ast::CountRows>() != nullptr) return true;
  const ast::FunctionCall& call = CallIn(term);
  const std::string& keyspace = call.function.keyspace;
  return call.function.name.text == "count" && (keyspace.empty() || keyspace == kNativeKeyspace) &&
         call.arguments.size() == 1 && call.arguments.front().As<ast::Constant>() != nullptr;
}

FunctionName NameOf(const ast::Term& term) {
  if (CountsRows(term)) return {std::string(kNativeKeyspace), "count_rows"};
  const ast::FunctionCall& call = CallIn(term);
  return {call.function.keyspace, call.function.name.text};
}

std::span<const ast::Term> ArgumentsOf(const ast::Term& term) {
  if (CountsRows(term)) return {};
  return CallIn(term).arguments;
}

// Returns Cassandra's name of the function behind a cast.
std::string CastFunction(const Type& type) {
  std::string name = type.CqlName();
  name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
  return "system.castAs" + name;
}

// There are casts from other types to `type`, or none at all.
std::unexpected<CqlError> CannotCast(const ast::Term& term, const Type& type) {
  const bool has_casts = std::ranges::any_of(kOperandKinds, [&](TypeKind kind) {
    return kind != type.kind() && CanCast(*Type::Native(kind), type);
  });
  if (!has_casts)
    return Invalid(fmt::format("{} cannot be cast to {}", PrintTerm(term), type.CqlName()));
  return Invalid(fmt::format("Invalid call to function {}, none of its type signatures match",
                             CastFunction(type)));
}

bool IsMarker(const ast::Term& term) { return term.As<ast::BindMarker>() != nullptr; }

}  // namespace

CqlResult<FunctionPtr> TermPlanner::Resolve(const ast::Term& term, const TypePtr& wanted) {
  const FunctionName name = NameOf(term);
  const bool may_be_native = name.keyspace.empty() || name.keyspace == kNativeKeyspace;
  if (table_ == nullptr && may_be_native && name.name == "tojson") {
    return Invalid("toJson() may only be used within the selection clause of SELECT statements");
  }
  std::vector<Argument> arguments;
  for (const ast::Term& each : ArgumentsOf(term)) {
    Argument argument;
    argument.text = PrintTerm(each);
    CQL_ASSIGN(argument.type, TypeOf(each));
    if (argument.type == nullptr) argument.type = PreferredTypeOf(each);
    argument.test = [this, &each](const Type& receiver) { return Test(each, receiver); };
    if (const auto* list = each.As<ast::ListLiteral>())
      argument.literal_size = static_cast<uint32_t>(list->elements.size());
    arguments.push_back(std::move(argument));
  }
  auto function = ResolveFunction(scope_.functions, {NameOf(term), arguments, wanted});
  if (function.has_value()) return *std::move(function);
  if (function.error().code() == Code::kNotFound && table_ == nullptr)
    return Invalid(fmt::format("Unknown function {} called", NameOf(term).Text()));
  return std::unexpected(ToCqlError(function.error()));
}

CqlResult<ExpressionPtr> TermPlanner::PlanCall(const ast::Term& term, const TypePtr& wanted,
                                               std::string_view receiver_name) {
  CQL_ASSIGN(FunctionPtr function, Resolve(term, wanted));
  if (scope_.called != nullptr && function->name().keyspace != kNativeKeyspace)
    scope_.called->push_back(function);
  if (function->is_aggregate()) {
    if (table_ == nullptr)
      return Invalid("Aggregation function are not supported in the where clause");
    return PlanAggregate(std::static_pointer_cast<const AggregateFunction>(function), term);
  }
  const auto arguments = ArgumentsOf(term);
  if (arguments.size() != function->argument_types().size()) {
    return Invalid(
        fmt::format("Incorrect number of arguments specified for function {} (expected {}, found "
                    "{})",
                    function->name().Text(), function->argument_types().size(), arguments.size()));
  }
  if (wanted != nullptr &&
      TestAssignment(*function->return_type(), *wanted) == Assignability::kNot) {
    return Invalid(
        fmt::format("Type error: cannot assign result of function {} (type {}) to {} (type {})",
                    function->name().Text(), function->return_type()->CqlName(), receiver_name,
                    wanted->CqlName()));
  }
  ExpressionList planned;
  for (size_t i = 0; i < arguments.size(); ++i) {
    CQL_ASSIGN(ExpressionPtr argument,
               PlanFor(arguments[i], function->argument_types()[i],
                       fmt::format("arg{}({})", i, function->name().Text())));
    planned.push_back(std::move(argument));
  }
  return std::make_unique<CallExpression>(
      std::static_pointer_cast<const ScalarFunction>(std::move(function)), std::move(planned));
}

CqlResult<ExpressionPtr> TermPlanner::PlanAggregate(
    std::shared_ptr<const AggregateFunction> function, const ast::Term& term) {
  if (in_aggregate_) {
    return Invalid("aggregate functions cannot be used as arguments of aggregate functions");
  }
  in_aggregate_ = true;
  AggregateCall call;
  const auto arguments = ArgumentsOf(term);
  for (size_t i = 0; i < arguments.size(); ++i) {
    auto planned = PlanFor(arguments[i], function->argument_types()[i],
                           fmt::format("arg{}({})", i, function->name().Text()));
    if (!planned.has_value()) {
      in_aggregate_ = false;
      return std::unexpected(std::move(planned).error());
    }
    call.arguments.push_back(*std::move(planned));
  }
  in_aggregate_ = false;
  TypePtr type = function->return_type();
  call.function = std::move(function);
  aggregates_.push_back(std::move(call));
  return std::make_unique<AggregateExpression>(std::move(type), aggregates_.size() - 1);
}

CqlResult<std::pair<TypePtr, TypePtr>> TermPlanner::OperandTypes(const ast::Arithmetic& operation,
                                                                 const TypePtr& wanted) {
  using Pair = std::pair<TypePtr, TypePtr>;
  const Operator op = ToOperator(operation.op);
  // An error in an operand itself is reported first.
  CQL_TRY(TypeOf(*operation.left));
  CQL_TRY(TypeOf(*operation.right));
  std::vector<Pair> compatible;
  for (const TypeKind left : kOperandKinds) {
    const TypePtr& left_type = Type::Native(left);
    const Assignability left_fits = Test(*operation.left, *left_type);
    if (left_fits == Assignability::kNot) continue;
    for (const TypeKind right : kOperandKinds) {
      const TypePtr& right_type = Type::Native(right);
      const auto result = ArithmeticType(op, *left_type, *right_type);
      if (!result.has_value()) continue;
      if (wanted != nullptr && TestAssignment(**result, *wanted) == Assignability::kNot) continue;
      const Assignability right_fits = Test(*operation.right, *right_type);
      if (right_fits == Assignability::kNot) continue;
      if (left_fits == Assignability::kExact && right_fits == Assignability::kExact)
        return Pair(left_type, right_type);
      compatible.emplace_back(left_type, right_type);
    }
  }
  const std::string left_text = PrintTerm(*operation.left);
  const std::string right_text = PrintTerm(*operation.right);
  if (compatible.empty()) {
    return Invalid(fmt::format("the '{}' operation is not supported between {} and {}",
                               OperatorSymbol(op), left_text, right_text));
  }
  if (compatible.size() == 1) return compatible.front();
  if (wanted != nullptr && !IsMarker(*operation.left) && !IsMarker(*operation.right)) {
    for (const Pair& each : compatible) {
      if (*each.first == *wanted && *each.second == *wanted) return each;
    }
  }
  return Invalid(
      fmt::format("Ambiguous '{}' operation with args {} and {}: use type hint to disambiguate, "
                  "example '(int) ?'",
                  OperatorSymbol(op), left_text, right_text));
}

CqlResult<ExpressionPtr> TermPlanner::PlanArithmetic(const ast::Arithmetic& operation,
                                                     const TypePtr& wanted) {
  CQL_ASSIGN(const auto types, OperandTypes(operation, wanted));
  const Operator op = ToOperator(operation.op);
  CQL_ASSIGN(TypePtr type, ArithmeticType(op, *types.first, *types.second));
  CQL_ASSIGN(ExpressionPtr left, PlanFor(*operation.left, types.first, "arg0"));
  CQL_ASSIGN(ExpressionPtr right, PlanFor(*operation.right, types.second, "arg1"));
  return std::make_unique<ArithmeticExpression>(std::move(type), op, std::move(left),
                                                std::move(right));
}

CqlResult<TypePtr> TermPlanner::NegatedType(const ast::Negation& negation, const TypePtr& wanted) {
  CQL_TRY(TypeOf(*negation.term));
  std::vector<TypePtr> compatible;
  for (const TypeKind kind : kOperandKinds) {
    const TypePtr& type = Type::Native(kind);
    if (!IsNumeric(*type)) continue;
    if (wanted != nullptr && TestAssignment(*type, *wanted) == Assignability::kNot) continue;
    const Assignability fits = Test(*negation.term, *type);
    if (fits == Assignability::kExact) return type;
    if (fits == Assignability::kWeak) compatible.push_back(type);
  }
  const std::string text = PrintTerm(*negation.term);
  if (compatible.empty())
    return Invalid(
        fmt::format("Invalid call to function system._negate, none of its type signatures match "
                    "the argument {}",
                    text));
  if (compatible.size() == 1) return compatible.front();
  if (wanted != nullptr) {
    for (const TypePtr& type : compatible) {
      if (*type == *wanted) return type;
    }
  }
  return Invalid(
      fmt::format("Ambiguous negation: -{}: use type hint to disambiguate, example "
                  "'-(int) ?'",
                  text));
}

CqlResult<ExpressionPtr> TermPlanner::PlanNegation(const ast::Negation& negation,
                                                   const TypePtr& wanted) {
  CQL_ASSIGN(const TypePtr type, NegatedType(negation, wanted));
  CQL_ASSIGN(ExpressionPtr term, PlanFor(*negation.term, type, "arg0"));
  return std::make_unique<NegationExpression>(std::move(term));
}

CqlResult<TypePtr> TermPlanner::TypeToCast(const ast::Term& term, const Type& target) {
  std::vector<TypePtr> fitting;
  std::string signatures;
  for (const TypeKind kind : kOperandKinds) {
    const TypePtr& type = Type::Native(kind);
    if (!CanCast(*type, target)) continue;
    const Assignability fits = Test(term, *type);
    if (fits == Assignability::kExact) return type;
    if (fits == Assignability::kNot || kind == target.kind()) continue;
    fitting.push_back(type);
    if (!signatures.empty()) signatures += ", ";
    signatures +=
        fmt::format("{} : ({}) -> {}", CastFunction(target), type->CqlName(), target.CqlName());
  }
  if (fitting.size() == 1) return fitting.front();
  if (fitting.empty()) return CannotCast(term, target);
  return Invalid(
      fmt::format("Ambiguous call to function {} (can be matched by following signatures: {}): use "
                  "type casts to disambiguate",
                  CastFunction(target), signatures));
}

CqlResult<ExpressionPtr> TermPlanner::PlanCast(const ast::Cast& cast) {
  TypePtr type = Type::NativeNamed(ast::NativeTypeName(cast.type));
  ExpressionPtr term;
  TypePtr own;
  if (table_ == nullptr) {
    CQL_ASSIGN(own, TypeOf(*cast.term));
  }
  if (table_ == nullptr && own == nullptr) {
    CQL_ASSIGN(own, TypeToCast(*cast.term, *type));
    CQL_ASSIGN(term, PlanFor(*cast.term, own, fmt::format("arg0({})", CastFunction(*type))));
  } else {
    CQL_ASSIGN(term, PlanSelection(*cast.term));
  }
  if (!CanCast(*term->type(), *type)) {
    return CannotCast(*cast.term, *type);
  }
  return std::make_unique<CastExpression>(std::move(type), std::move(term));
}

CqlResult<TypePtr> TermPlanner::TypeOfCall(const ast::Term& term, const TypePtr& wanted) {
  if (const auto* operation = term.As<ast::Arithmetic>()) {
    CQL_ASSIGN(const auto types, OperandTypes(*operation, wanted));
    CQL_ASSIGN(TypePtr type,
               ArithmeticType(ToOperator(operation->op), *types.first, *types.second));
    return type;
  }
  if (const auto* negation = term.As<ast::Negation>()) return NegatedType(*negation, wanted);
  if (const auto* cast = term.As<ast::Cast>())
    return Type::NativeNamed(ast::NativeTypeName(cast->type));
  CQL_ASSIGN(const FunctionPtr function, Resolve(term, wanted));
  return function->return_type();
}

}  // namespace orrery::cassandra
