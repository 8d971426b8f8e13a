#include "api/sql/evaluate/node/nodes.h"

namespace orrery::sql::node {
namespace {

using ast::LogicalOperator;

class LogicalNode final : public BoundExpression {
 public:
  LogicalNode(LogicalOperator op, Nodes operands) : op_(op), operands_(std::move(operands)) {}

  Result<const Value*> Evaluate(Frame& frame, Value& scratch) const override {
    const bool is_and = op_ == LogicalOperator::kAnd;
    const Truth decisive = TruthOf(!is_and);
    Truth truth = TruthOf(is_and);
    for (const BoundExpressionPtr& operand : operands_) {
      ORRERY_ASSIGN(const Value* value, operand->Evaluate(frame, scratch));
      truth = is_and ? And(truth, TruthOf(*value)) : Or(truth, TruthOf(*value));
      if (truth == decisive) break;
    }
    scratch = ToValue(truth);
    return &scratch;
  }

 private:
  const LogicalOperator op_;
  const Nodes operands_;
};

class CoalesceNode final : public BoundExpression {
 public:
  CoalesceNode(BoundExpressionPtr left, BoundExpressionPtr right)
      : left_(std::move(left)), right_(std::move(right)) {}

  Result<const Value*> Evaluate(Frame& frame, Value& scratch) const override {
    ORRERY_ASSIGN(const Value* left, left_->Evaluate(frame, scratch));
    if (!left->is_undefined()) return left;
    return right_->Evaluate(frame, scratch);
  }

 private:
  const BoundExpressionPtr left_;
  const BoundExpressionPtr right_;
};

// As Ternary of function/operator/arithmetic.h, of which it takes the result that matters only.
class ConditionalNode final : public BoundExpression {
 public:
  ConditionalNode(BoundExpressionPtr condition, BoundExpressionPtr yes, BoundExpressionPtr no)
      : condition_(std::move(condition)), yes_(std::move(yes)), no_(std::move(no)) {}

  Result<const Value*> Evaluate(Frame& frame, Value& scratch) const override {
    ORRERY_ASSIGN(const Value* condition, condition_->Evaluate(frame, scratch));
    if (condition->is_undefined()) return &kUndefined;
    const bool holds = TruthOf(*condition) == Truth::kTrue;
    return (holds ? yes_ : no_)->Evaluate(frame, scratch);
  }

 private:
  const BoundExpressionPtr condition_;
  const BoundExpressionPtr yes_;
  const BoundExpressionPtr no_;
};

}  // namespace

BoundExpressionPtr Logical(LogicalOperator op, Nodes operands) {
  return std::make_unique<LogicalNode>(op, std::move(operands));
}

BoundExpressionPtr Coalesce(BoundExpressionPtr left, BoundExpressionPtr right) {
  return std::make_unique<CoalesceNode>(std::move(left), std::move(right));
}

BoundExpressionPtr Conditional(BoundExpressionPtr condition, BoundExpressionPtr yes,
                               BoundExpressionPtr no) {
  return std::make_unique<ConditionalNode>(std::move(condition), std::move(yes), std::move(no));
}

}  // namespace orrery::sql::node
