// From terms as written to expressions: finds types, functions and columns, and checks that they
// fit. Pure; Cassandra's rules and error texts.
//
// With a receiver ("INTO c VALUES (term)", "WHERE c = term") the wanted type decides what literals
// mean. In a selection there is none: the type of a term must follow from itself, from the other
// side of an operator, or from a function's signature.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/function/function_resolver.h"
#include "api/cassandra/parser/ast/term.h"
#include "api/cassandra/planner/term/expression.h"
#include "api/cassandra/planner/term/variables.h"
#include "api/cassandra/schema/schema.h"
#include "api/cassandra/types/assignment.h"

namespace orrery::cassandra {

// A call of an aggregate in a selection: computed over a group of rows, then seen by the expression
// around it as Evaluation::aggregates[place].
struct AggregateCall {
  std::shared_ptr<const AggregateFunction> function;
  std::vector<ExpressionPtr> arguments;  // over each row
};

// The parts of a column that a selection uses.
struct ColumnUse {
  bool value = false;
  bool times = false;  // WRITETIME, TTL
};

struct TermScope {
  const Schema& schema;
  const Keyspace& keyspace;  // of the statement's table: where its types and functions are
  const FunctionScope& functions;
  int64_t now_ms = 0;  // what the timestamp 'now' stands for
  // The functions that the statement calls are added here, native ones aside; may be null.
  std::vector<FunctionPtr>* called = nullptr;
};

class TermPlanner {
 public:
  // For values: no columns.
  TermPlanner(const TermScope& scope, Variables& variables);
  // For selections over `table`. All must outlive it.
  TermPlanner(const TermScope& scope, Variables& variables, const Table& table);

  // A value for a receiver.
  CqlResult<ExpressionPtr> PlanValue(const ast::Term& term, const Receiver& receiver);
  // Something to select or group by.
  CqlResult<ExpressionPtr> PlanSelection(const ast::Term& term);

  // The columns and aggregates used by selections so far: by place in Table::columns, and
  // aggregates by place.
  const std::vector<ColumnUse>& column_uses() const { return uses_; }
  std::vector<AggregateCall>& aggregates() { return aggregates_; }

  // Returns whether the term could be a value of `type`.
  Assignability Test(const ast::Term& term, const Type& type);
  // The type that a term has of itself; null when it needs a receiver (an untyped marker, a
  // literal that could be many things).
  CqlResult<TypePtr> TypeOf(const ast::Term& term);

 private:
  // A term where a value of `type` is wanted that is named `name`: with columns in a selection.
  CqlResult<ExpressionPtr> PlanFor(const ast::Term& term, const TypePtr& type,
                                   const std::string& name);

  // literal_planner.cc
  CqlResult<ExpressionPtr> PlanConstant(const ast::Constant& constant, const Receiver& receiver);
  CqlResult<ExpressionPtr> PlanMarker(const ast::BindMarker& marker, const Receiver& receiver);
  CqlResult<ExpressionPtr> PlanList(const ast::ListLiteral& literal, const ast::Term& term,
                                    const Receiver& receiver);
  CqlResult<ExpressionPtr> PlanSet(const ast::SetLiteral& literal, const ast::Term& term,
                                   const Receiver& receiver);
  CqlResult<ExpressionPtr> PlanMap(const ast::MapLiteral& literal, const ast::Term& term,
                                   const Receiver& receiver);
  CqlResult<ExpressionPtr> PlanUdt(const ast::UdtLiteral& literal, const ast::Term& term,
                                   const Receiver& receiver);
  CqlResult<ExpressionPtr> PlanTuple(const ast::TupleLiteral& literal, const ast::Term& term,
                                     const Receiver& receiver);
  CqlResult<ExpressionPtr> PlanHint(const ast::TypeHint& hint, const ast::Term& term,
                                    const Receiver& receiver);
  // The type that a literal of typed parts has; null when nothing in it has a type.
  CqlResult<TypePtr> TypeOfLiteral(const ast::Term& term);
  Assignability TestLiteral(const ast::Term& term, const Type& type);
  Assignability TestComputed(const ast::Term& term, const Type& type);

  // call_planner.cc
  CqlResult<ExpressionPtr> PlanCall(const ast::Term& term, const TypePtr& wanted,
                                    std::string_view receiver_name);
  CqlResult<ExpressionPtr> PlanArithmetic(const ast::Arithmetic& operation, const TypePtr& wanted);
  CqlResult<ExpressionPtr> PlanNegation(const ast::Negation& negation, const TypePtr& wanted);
  CqlResult<ExpressionPtr> PlanCast(const ast::Cast& cast);
  // Returns the type of a literal or a marker that a value casts to `target`.
  CqlResult<TypePtr> TypeToCast(const ast::Term& term, const Type& target);
  CqlResult<ExpressionPtr> PlanAggregate(std::shared_ptr<const AggregateFunction> function,
                                         const ast::Term& term);
  CqlResult<FunctionPtr> Resolve(const ast::Term& term, const TypePtr& wanted);
  // The two types that an operation takes its operands as.
  CqlResult<std::pair<TypePtr, TypePtr>> OperandTypes(const ast::Arithmetic& operation,
                                                      const TypePtr& wanted);
  CqlResult<TypePtr> NegatedType(const ast::Negation& negation, const TypePtr& wanted);
  // The type of what has one whatever is wanted of it: calls, operations, casts.
  CqlResult<TypePtr> TypeOfCall(const ast::Term& term, const TypePtr& wanted);

  // selection_planner.cc
  CqlResult<ExpressionPtr> PlanColumn(const ast::ColumnReference& reference);
  CqlResult<ExpressionPtr> PlanField(const ast::FieldAccess& access);
  CqlResult<ExpressionPtr> PlanElement(const ast::ElementAccess& access);
  CqlResult<ExpressionPtr> PlanSlice(const ast::SliceAccess& access);
  CqlResult<ExpressionPtr> PlanAttribute(const ast::CellAttribute& attribute);
  CqlResult<const Column*> FindColumn(const std::string& name) const;
  size_t PlaceOf(const Column& column) const;

  const TermScope scope_;
  Variables& variables_;
  const Table* const table_ = nullptr;
  std::vector<ColumnUse> uses_;
  std::vector<AggregateCall> aggregates_;
  bool in_aggregate_ = false;
  // The results for calls and operators: finding out looks at all their parts, several times.
  std::map<std::pair<const ast::Term*, std::string>, Assignability> tested_;
  std::map<const ast::Term*, CqlResult<TypePtr>> types_;
};

// The type that a constant has where nobody says; null for other terms.
TypePtr PreferredTypeOf(const ast::Term& term);

}  // namespace orrery::cassandra
