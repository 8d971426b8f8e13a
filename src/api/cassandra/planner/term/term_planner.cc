#include "api/cassandra/planner/term/term_planner.h"

#include <fmt/core.h>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/planner/term/call_nodes.h"
#include "api/cassandra/planner/term/value_nodes.h"

namespace orrery::cassandra {
namespace {

// Terms whose type does not depend on who receives them.
bool IsColumnTerm(const ast::Term& term) {
  return term.As<ast::ColumnReference>() != nullptr || term.As<ast::FieldAccess>() != nullptr ||
         term.As<ast::ElementAccess>() != nullptr || term.As<ast::SliceAccess>() != nullptr ||
         term.As<ast::CellAttribute>() != nullptr;
}

bool IsComputed(const ast::Term& term) {
  return term.As<ast::FunctionCall>() != nullptr || term.As<ast::CountRows>() != nullptr ||
         term.As<ast::Arithmetic>() != nullptr || term.As<ast::Negation>() != nullptr ||
         term.As<ast::Cast>() != nullptr;
}

std::unexpected<CqlError> NotAssignable(const ast::Term& term, const Type& type,
                                        const Receiver& receiver) {
  return Invalid(fmt::format("Type error: {} is of type {} and cannot be assigned to {} (type {})",
                             PrintTerm(term), type.CqlName(), receiver.name,
                             receiver.type->CqlName()));
}

// Computes an expression that is the same in every execution once.
CqlResult<ExpressionPtr> Fold(ExpressionPtr expression) {
  if (!expression->is_constant() || dynamic_cast<const ConstantExpression*>(expression.get()))
    return expression;
  // Pure functions look at neither; the ids are only there because a context must have a source.
  class NoUuids final : public UuidSource {
    std::string NextTimeUuid() override { return std::string(16, '\0'); }
    std::string NextRandomUuid() override { return std::string(16, '\0'); }
  } uuids;
  FunctionContext context{Micros(0), uuids};
  Evaluation evaluation;
  evaluation.functions = &context;
  auto value = expression->Evaluate(evaluation);
  // Told when the statement runs, as Cassandra does for functions.
  if (!value.has_value()) return expression;
  return std::make_unique<ConstantExpression>(expression->type(), *std::move(value));
}

}  // namespace

TermPlanner::TermPlanner(const TermScope& scope, Variables& variables)
    : scope_(scope), variables_(variables) {}

TermPlanner::TermPlanner(const TermScope& scope, Variables& variables, const Table& table)
    : scope_(scope), variables_(variables), table_(&table), uses_(table.columns.size()) {}

CqlResult<ExpressionPtr> TermPlanner::PlanValue(const ast::Term& term, const Receiver& receiver) {
  if (term.As<ast::Null>() != nullptr) {
    if (receiver.type->kind() == TypeKind::kCounter)
      return Invalid("Invalid null value for counter increment/decrement");
    return std::make_unique<ConstantExpression>(receiver.type, TermValue::Null());
  }
  if (const auto* constant = term.As<ast::Constant>()) return PlanConstant(*constant, receiver);
  if (const auto* marker = term.As<ast::BindMarker>()) return PlanMarker(*marker, receiver);
  const auto plan = [&]() -> CqlResult<ExpressionPtr> {
    if (const auto* list = term.As<ast::ListLiteral>()) return PlanList(*list, term, receiver);
    if (const auto* set = term.As<ast::SetLiteral>()) return PlanSet(*set, term, receiver);
    if (const auto* map = term.As<ast::MapLiteral>()) return PlanMap(*map, term, receiver);
    if (const auto* udt = term.As<ast::UdtLiteral>()) return PlanUdt(*udt, term, receiver);
    if (const auto* tuple = term.As<ast::TupleLiteral>()) return PlanTuple(*tuple, term, receiver);
    if (const auto* hint = term.As<ast::TypeHint>()) return PlanHint(*hint, term, receiver);
    CqlResult<ExpressionPtr> planned = nullptr;
    if (const auto* operation = term.As<ast::Arithmetic>()) {
      planned = PlanArithmetic(*operation, receiver.type);
    } else if (const auto* negation = term.As<ast::Negation>()) {
      planned = PlanNegation(*negation, receiver.type);
    } else if (IsComputed(term) && term.As<ast::Cast>() == nullptr) {
      planned = PlanCall(term, receiver.type, receiver.name);
    } else {
      planned = PlanSelection(term);
    }
    if (!planned.has_value()) return planned;
    if (TestAssignment(*(*planned)->type(), *receiver.type) == Assignability::kNot)
      return NotAssignable(term, *(*planned)->type(), receiver);
    return planned;
  };
  CQL_ASSIGN(ExpressionPtr planned, plan());
  return Fold(std::move(planned));
}

CqlResult<ExpressionPtr> TermPlanner::PlanFor(const ast::Term& term, const TypePtr& type,
                                              const std::string& name) {
  Receiver receiver{scope_.keyspace.name, table_ == nullptr ? "" : table_->name, name, type};
  return PlanValue(term, receiver);
}

CqlResult<ExpressionPtr> TermPlanner::PlanSelection(const ast::Term& term) {
  if (const auto* column = term.As<ast::ColumnReference>()) return PlanColumn(*column);
  if (const auto* field = term.As<ast::FieldAccess>()) return PlanField(*field);
  if (const auto* element = term.As<ast::ElementAccess>()) return PlanElement(*element);
  if (const auto* slice = term.As<ast::SliceAccess>()) return PlanSlice(*slice);
  if (const auto* attribute = term.As<ast::CellAttribute>()) return PlanAttribute(*attribute);
  if (const auto* cast = term.As<ast::Cast>()) return PlanCast(*cast);
  if (const auto* operation = term.As<ast::Arithmetic>())
    return PlanArithmetic(*operation, nullptr);
  if (const auto* negation = term.As<ast::Negation>()) return PlanNegation(*negation, nullptr);
  if (IsComputed(term)) return PlanCall(term, nullptr, {});
  if (const auto* tuple = term.As<ast::TupleLiteral>(); tuple && tuple->elements.size() == 1)
    return PlanSelection(tuple->elements[0]);
  CQL_ASSIGN(const TypePtr type, TypeOf(term));
  if (type == nullptr) {
    return Invalid(
        fmt::format("Cannot infer type for term {} in selection clause (try using a cast to force "
                    "a type)",
                    PrintTerm(term)));
  }
  return PlanFor(term, type, "[selection]");
}

CqlResult<TypePtr> TermPlanner::TypeOf(const ast::Term& term) {
  if (const auto* hint = term.As<ast::TypeHint>()) return ResolveType(hint->type, scope_.keyspace);
  if (IsComputed(term)) {
    auto known = types_.find(&term);
    if (known == types_.end()) known = types_.emplace(&term, TypeOfCall(term, nullptr)).first;
    return known->second;
  }
  if (IsColumnTerm(term)) {
    // Planned only to learn its type: what it uses does not count yet.
    const auto uses = uses_;
    const size_t aggregates = aggregates_.size();
    auto planned = PlanSelection(term);
    uses_ = uses;
    aggregates_.erase(aggregates_.begin() + static_cast<std::ptrdiff_t>(aggregates),
                      aggregates_.end());
    if (!planned.has_value()) return std::unexpected(std::move(planned).error());
    return (*planned)->type();
  }
  return TypeOfLiteral(term);
}

Assignability TermPlanner::Test(const ast::Term& term, const Type& type) {
  if (term.As<ast::Null>() != nullptr || term.As<ast::BindMarker>() != nullptr)
    return Assignability::kWeak;
  if (term.As<ast::TypeHint>() != nullptr || IsColumnTerm(term)) {
    const auto own = TypeOf(term);
    return own.has_value() ? TestAssignment(**own, type) : Assignability::kNot;
  }
  if (IsComputed(term)) return TestComputed(term, type);
  return TestLiteral(term, type);
}

Assignability TermPlanner::TestComputed(const ast::Term& term, const Type& type) {
  auto key = std::make_pair(&term, type.CqlName());
  if (const auto known = tested_.find(key); known != tested_.end()) return known->second;
  // A type that outlives the question only: the resolver compares it and keeps nothing.
  const TypePtr wanted(std::shared_ptr<const Type>(), &type);
  const auto own = TypeOfCall(term, wanted);
  const Assignability fits = own.has_value() ? TestAssignment(**own, type) : Assignability::kNot;
  tested_.emplace(std::move(key), fits);
  return fits;
}

}  // namespace orrery::cassandra
