// From an expression as it was written to one that can be evaluated: names become slots, parameters
// values, calls functions.
//
// Expressions that need no row are evaluated here, once: calls of pure functions with constant
// arguments, operators on constants, constructors. So is the compilation of constant patterns of
// LIKE and REGEXMATCH. If that fails the query is refused, even where no row would have come to it.
//
// A parameter that came with no value is refused: Cosmos DB does not say what it would mean, and it
// is most likely a misspelt name.
//
// An Aggregate is no value of a row. Where aggregates may stand the caller takes them through an
// AggregateSink; anywhere else, and within each other, they are refused. Subqueries are bound by a
// SubqueryBinder, as binding queries is not part of this module; without one they are refused.
//
// Pure and thread-safe. Errors say where in the query's text (bind_error.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/sql/evaluate/bound_expression.h"
#include "api/sql/evaluate/parameters.h"
#include "api/sql/evaluate/scope.h"
#include "api/sql/function/aggregate/accumulator.h"
#include "api/sql/function/function_registry.h"
#include "api/sql/parser/ast/expression.h"
#include "api/sql/parser/query_error.h"

namespace orrery::sql {

class AggregateSink {
 public:
  virtual ~AggregateSink() = default;
  // Takes one call of an aggregate: `argument` is evaluated for each row of a group. Answers the
  // slot in which the expression around the call finds the group's value. `tree` is what `argument`
  // was bound from: it stays where it is when the query's tree is moved.
  virtual uint32_t Add(Aggregate aggregate, BoundExpressionPtr argument,
                       const ast::Expression& tree) = 0;
};

class SubqueryBinder {
 public:
  virtual ~SubqueryBinder() = default;
  // Returns the expression that evaluates the subquery for each row. `scope` has the aliases that
  // it may refer to.
  virtual Parsed<BoundExpressionPtr> BindSubquery(const ast::Subquery& subquery,
                                                  const Scope& scope) = 0;
};

// Knows properties that have a value of their own, such as computed ones.
class PropertyBinder {
 public:
  virtual ~PropertyBinder() = default;
  // Returns the expression for the property `name` of the value in the slot; null when it is an
  // ordinary property.
  virtual Parsed<BoundExpressionPtr> BindProperty(uint32_t slot, std::string_view name) = 0;
};

// Knows expressions whose values are in slots already, as those that rows were grouped by.
class SlotFinder {
 public:
  virtual ~SlotFinder() = default;
  // Asked for each expression before its operands. Nothing: it is to be bound as it is written. An
  // error when it cannot stand here.
  virtual Parsed<std::optional<uint32_t>> FindSlot(const ast::Expression& expression) = 0;
};

// All must outlive the call of Bind only.
struct BindContext {
  std::string_view text;  // of the query, for positions of errors
  const Scope& scope;
  const Parameters& parameters;
  const FunctionRegistry& functions;
  AggregateSink* aggregates = nullptr;   // null where none may stand
  SubqueryBinder* subqueries = nullptr;  // null where none may stand
  PropertyBinder* properties = nullptr;  // null when all properties are in the values themselves
  SlotFinder* slots = nullptr;           // null when nothing is in slots but aliases
  // The context in which arguments of aggregates are bound; null: this one.
  const BindContext* rows = nullptr;
};

// REQUIRES: the expression is at most ParserLimits::depth_max deep, as all that the parser returns.
Parsed<BoundExpressionPtr> Bind(const ast::Expression& expression, const BindContext& context);

}  // namespace orrery::sql
