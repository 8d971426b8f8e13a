// A FrameContext is what calls of the SQL query language may need while an expression is evaluated
// against a row (query/operator/evaluator.h): the clock, random numbers, functions that users
// wrote.
#pragma once

#include <string_view>

#include "api/sql/function/function.h"
#include "query/operator/evaluator.h"

namespace orrery::sql {

using query::Frame;

// Runs the functions that users wrote: udf.f(..).
class UserFunctions {
 public:
  virtual ~UserFunctions() = default;
  // Any error ends the query; kInvalidArgument when there is none of that name.
  virtual Result<model::Value> Call(std::string_view name, Arguments arguments) = 0;
};

// The context of every frame that expressions of the SQL query language are evaluated in.
class FrameContext final : public query::EvaluationContext {
 public:
  // Both must outlive it. Without `user_functions` a call of one is kUnsupported.
  explicit FrameContext(const CallContext& calls, UserFunctions* user_functions = nullptr)
      : EvaluationContext(calls.stop), calls_(calls), user_functions_(user_functions) {}

  static const FrameContext& Of(const Frame& frame) {
    return static_cast<const FrameContext&>(frame.context);
  }
  const CallContext& calls() const { return calls_; }
  UserFunctions* user_functions() const { return user_functions_; }

 private:
  const CallContext& calls_;
  UserFunctions* const user_functions_;
};

}  // namespace orrery::sql
