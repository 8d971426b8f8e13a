// From terms as written to expressions: finds types, functions and columns, and checks that they
// fit. Pure; Cassandra's rules and error texts.
//
// With a receiver ("INTO c VALUES (term)", "WHERE c = term") the wanted type decides what literals
// mean. In a selection there is none: the type of a term must follow from itself, from the other
// side of an operator, or from a function's signature.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/parser/ast/term.h"
#include "api/cassandra/planner/term/expression.h"
#include "api/cassandra/planner/term/variables.h"
#include "api/cassandra/schema/schema.h"
#include "api/cassandra/types/assignment.h"

namespace orrery::cassandra {

class AggregateFunction;
class FunctionLibrary;

// A call of an aggregate in a selection: computed over a group of rows, then seen by the expression
// around it as Evaluation::aggregates[place].
struct AggregateCall {
  std::shared_ptr<const AggregateFunction> function;
  std::vector<ExpressionPtr> arguments;  // over each row
};

// What of the columns a selection looks at.
struct ColumnUse {
  bool value = false;
  bool times = false;  // WRITETIME, TTL
};

struct TermScope {
  const Schema& schema;
  const Keyspace& keyspace;  // of the statement's table: where its types and functions are
  const FunctionLibrary& functions;
  int64_t now_ms = 0;  // what the timestamp 'now' stands for
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

  // What selections used so far: by place in Table::columns, and aggregates by place.
  const std::vector<ColumnUse>& column_uses() const { return uses_; }
  std::vector<AggregateCall>& aggregates() { return aggregates_; }

  // Whether the term could be a value of `type`.
  Assignability Test(const ast::Term& term, const Type& type);
  // The type that a term has of itself; null when it needs a receiver (an untyped marker, a
  // literal that could be many things).
  CqlResult<TypePtr> TypeOf(const ast::Term& term);

 private:
  friend class TermBuilder;

  const TermScope scope_;
  Variables& variables_;
  const Table* const table_ = nullptr;
  std::vector<ColumnUse> uses_;
  std::vector<AggregateCall> aggregates_;
  bool in_aggregate_ = false;
};

}  // namespace orrery::cassandra
