// A BoundExpression is a scalar expression whose names are resolved, ready to be evaluated against
// many rows.
//
// It differs from ast::Expression, which says what was written: here aliases are slots, parameters
// and calls of constants are values, and constant patterns are compiled.
//
// What has no value is undefined, never an error: a property of anything but an object, an element
// past the end, an operand of the wrong type. Only what ends the query fails: a result past a bound
// of function/limits.h, an invalid pattern, a user's function.
//
// Immutable, so thread-safe. Evaluation recurses once per level of the expression, which the parser
// bounds (ParserLimits::depth_max).
#pragma once

#include <memory>
#include <utility>

#include "api/sql/evaluate/frame.h"
#include "api/sql/function/operator/truth.h"
#include "base/status.h"
#include "model/value.h"

namespace orrery::sql {

class BoundExpression {
 public:
  virtual ~BoundExpression() = default;
  BoundExpression(const BoundExpression&) = delete;
  BoundExpression& operator=(const BoundExpression&) = delete;

  // Where the value is: in a slot of the frame, in this expression, or in `scratch` where it was
  // made. So a path into a document copies nothing. Good until one of the three changes or ends;
  // what `scratch` held before is lost.
  virtual Result<const model::Value*> Evaluate(Frame& frame, model::Value& scratch) const = 0;

  // The value when it is the same for every frame and known already, else null. Lives as long as
  // the expression.
  virtual const model::Value* constant() const { return nullptr; }

 protected:
  BoundExpression() = default;
};

using BoundExpressionPtr = std::unique_ptr<const BoundExpression>;

// What Evaluate answered, to keep: moved out of `scratch` where it can be, else copied.
inline model::Value Take(const model::Value* result, model::Value& scratch) {
  if (result == &scratch) return std::move(scratch);
  return *result;
}

// Whether a condition holds: WHERE keeps a row if and only if this is kTrue.
Result<Truth> Holds(const BoundExpression& condition, Frame& frame);

}  // namespace orrery::sql
