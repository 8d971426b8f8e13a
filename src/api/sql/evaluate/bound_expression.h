// A BoundExpression is a scalar expression whose names are resolved, ready to be evaluated against
// many rows.
//
// It differs from ast::Expression, which says what was written: here aliases are slots, parameters
// and calls of constants are values, and constant patterns are compiled.
//
// A missing value is undefined, never an error: a property of anything but an object, an element
// past the end, an operand of the wrong type. Only what ends the query fails: a result past a bound
// of function/limits.h, an invalid pattern, a user's function.
//
// Immutable, so thread-safe. Evaluation recurses once per level of the expression, which the parser
// bounds (ParserLimits::depth_max).
#pragma once

#include <memory>

#include "api/sql/evaluate/frame.h"
#include "api/sql/function/operator/truth.h"
#include "base/status.h"
#include "model/value.h"

namespace orrery::sql {

// REQUIRES of Evaluate: the frame's context is a FrameContext.
class BoundExpression : public query::Evaluator {
 public:
  // The value when it is the same for every frame and known already, else null. Lives as long as
  // the expression.
  virtual const model::Value* constant() const { return nullptr; }
};

using BoundExpressionPtr = std::unique_ptr<const BoundExpression>;

using query::Take;

// Returns whether a condition holds: WHERE keeps a row if and only if this is kTrue.
Result<Truth> Holds(const BoundExpression& condition, Frame& frame);

}  // namespace orrery::sql
