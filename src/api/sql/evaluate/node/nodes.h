// The kinds of bound expressions, each behind the function that makes it. Which one an expression
// of the tree becomes is the binder's to say; what it computes is function/operator's and
// Function's.
//
// Operands are never null.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/sql/evaluate/bound_expression.h"
#include "api/sql/function/function.h"
#include "api/sql/function/operator/like_pattern.h"
#include "api/sql/parser/ast/operator.h"
#include "model/regex/regex.h"

namespace orrery::sql::node {

using Nodes = std::vector<BoundExpressionPtr>;

inline const model::Value kUndefined;

// constant.cc
BoundExpressionPtr Constant(model::Value value);
BoundExpressionPtr Constant(std::shared_ptr<const model::Value> value);
// Undefined, and no constant: a value that is known elsewhere.
BoundExpressionPtr Unknown();
// A constant of the expression's value, which it keeps where it is. REQUIRES: the expression needs
// no frame: no slot, no function of the user or the clock. Errors as Evaluate.
Result<BoundExpressionPtr> Fold(BoundExpressionPtr expression);

// access.cc
BoundExpressionPtr Slot(uint32_t slot);
BoundExpressionPtr Property(BoundExpressionPtr object, std::string name);
// An element of an array by a whole number, a property of an object by a string.
BoundExpressionPtr Index(BoundExpressionPtr object, BoundExpressionPtr index);

// constructor.cc. What is undefined is left out of arrays, and the next takes its place, and of
// objects. Past kResultArrayBytesMax they end with kTooLarge.
BoundExpressionPtr Array(Nodes elements);
// One name for each of the values; of a name that repeats the last value counts, at the first's
// place.
BoundExpressionPtr Object(std::vector<std::string> names, Nodes values);

// operation.cc
BoundExpressionPtr Unary(ast::UnaryOperator op, BoundExpressionPtr operand);
// REQUIRES: not kCoalesce.
BoundExpressionPtr Binary(ast::BinaryOperator op, BoundExpressionPtr left,
                          BoundExpressionPtr right);

// choice.cc. Operands that do not matter for the result are not evaluated.
BoundExpressionPtr Logical(ast::LogicalOperator op, Nodes operands);
BoundExpressionPtr Coalesce(BoundExpressionPtr left, BoundExpressionPtr right);
BoundExpressionPtr Conditional(BoundExpressionPtr condition, BoundExpressionPtr yes,
                               BoundExpressionPtr no);

// predicate.cc
BoundExpressionPtr In(bool negated, BoundExpressionPtr value, Nodes candidates);
BoundExpressionPtr Between(bool negated, BoundExpressionPtr value, BoundExpressionPtr low,
                           BoundExpressionPtr high);
BoundExpressionPtr Like(bool negated, BoundExpressionPtr value, BoundExpressionPtr pattern,
                        std::optional<std::string> escape);
BoundExpressionPtr Like(bool negated, BoundExpressionPtr value, LikePattern pattern);

// call.cc
// REQUIRES: function.Takes(arguments.size()).
BoundExpressionPtr Call(const Function& function, Nodes arguments);
BoundExpressionPtr UserCall(std::string name, Nodes arguments);
// REGEXMATCH of a pattern that is known.
BoundExpressionPtr RegexMatch(BoundExpressionPtr text, model::Regex regex);

}  // namespace orrery::sql::node
