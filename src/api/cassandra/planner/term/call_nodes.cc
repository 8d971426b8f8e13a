#include "api/cassandra/planner/term/call_nodes.h"

#include <fmt/core.h>

#include <array>

#include "api/cassandra/planner/term/function_failure.h"
#include "api/cassandra/types/cast.h"
#include "base/check.h"

namespace orrery::cassandra {
namespace {

// Operators are functions to clients: their failures come as such.
CqlError OperationFailure(Operator op, const Type& left, const Type& right, std::string message) {
  static constexpr std::array<std::string_view, 5> kNames = {"_add", "_substract", "_multiply",
                                                             "_divide", "_modulo"};
  FunctionFailureDetails details;
  details.keyspace = kNativeKeyspace;
  details.function = kNames[static_cast<size_t>(op)];
  details.argument_types = {left.CqlName(), right.CqlName()};
  return {ErrorCode::kFunctionFailure, std::move(message), std::move(details), 0};
}

}  // namespace

CallExpression::CallExpression(std::shared_ptr<const ScalarFunction> function,
                               ExpressionList arguments)
    : Expression(function->return_type()),
      function_(std::move(function)),
      arguments_(std::move(arguments)),
      constant_(function_->is_pure() && AllConstant(arguments_)) {}

CqlResult<TermValue> CallExpression::Evaluate(const Evaluation& evaluation) const {
  std::vector<TermValue> values;
  values.reserve(arguments_.size());
  std::vector<std::optional<std::string_view>> views;
  views.reserve(arguments_.size());
  for (const ExpressionPtr& argument : arguments_) {
    CQL_ASSIGN(TermValue value, argument->Evaluate(evaluation));
    if (value.is_unset()) {
      return Invalid(fmt::format("Invalid unset value for argument in call to function {}",
                                 function_->name().name));
    }
    values.push_back(std::move(value));
    views.push_back(values.back().view());
  }
  ORRERY_CHECK(evaluation.functions != nullptr);
  FunctionResult result = function_->Call(*evaluation.functions, views);
  if (result.has_value()) return TermValue::From(*std::move(result));
  if (function_->fails_as_function())
    return std::unexpected(FunctionFailure(*function_, result.error().message()));
  return std::unexpected(ToCqlError(result.error()));
}

ArithmeticExpression::ArithmeticExpression(TypePtr type, Operator op, ExpressionPtr left,
                                           ExpressionPtr right)
    : Expression(std::move(type)), op_(op), left_(std::move(left)), right_(std::move(right)) {}

CqlResult<TermValue> ArithmeticExpression::Evaluate(const Evaluation& evaluation) const {
  CQL_ASSIGN(const TermValue left, left_->Evaluate(evaluation));
  CQL_ASSIGN(const TermValue right, right_->Evaluate(evaluation));
  if (left.is_unset() || right.is_unset()) {
    return Invalid(
        fmt::format("Invalid unset value for argument in operation '{}'", OperatorSymbol(op_)));
  }
  auto result = Compute(op_, *left_->type(), left.view(), *right_->type(), right.view());
  if (result.has_value()) return TermValue::From(*std::move(result));
  return std::unexpected(
      OperationFailure(op_, *left_->type(), *right_->type(), result.error().message()));
}

CqlResult<TermValue> NegationExpression::Evaluate(const Evaluation& evaluation) const {
  CQL_ASSIGN(const TermValue value, term_->Evaluate(evaluation));
  if (value.is_unset()) return Invalid("Invalid unset value for argument in operation '-'");
  CQL_ASSIGN(std::optional<std::string> result, Negate(*type(), value.view()));
  return TermValue::From(std::move(result));
}

CqlResult<TermValue> CastExpression::Evaluate(const Evaluation& evaluation) const {
  CQL_ASSIGN(const TermValue value, term_->Evaluate(evaluation));
  if (value.is_unset()) return Invalid("Invalid unset value for argument in a cast");
  CQL_ASSIGN(std::optional<std::string> result, Cast(*term_->type(), *type(), value.view()));
  return TermValue::From(std::move(result));
}

CqlResult<TermValue> AggregateExpression::Evaluate(const Evaluation& evaluation) const {
  ORRERY_CHECK(place_ < evaluation.aggregates.size());
  return evaluation.aggregates[place_];
}

}  // namespace orrery::cassandra
