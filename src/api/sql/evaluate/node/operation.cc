#include "api/sql/evaluate/node/nodes.h"
#include "api/sql/function/operator/arithmetic.h"
#include "api/sql/function/operator/comparison.h"
#include "base/check.h"

namespace orrery::sql::node {
namespace {

using ast::BinaryOperator;
using ast::UnaryOperator;

Value Compute(UnaryOperator op, const Value& operand) {
  switch (op) {
    case UnaryOperator::kNot:
      return ToValue(Not(TruthOf(operand)));
    case UnaryOperator::kMinus:
      return Negate(operand);
    case UnaryOperator::kPlus:
      return operand.is_number() ? operand : Value::Undefined();
    case UnaryOperator::kBitNot:
      return BitNot(operand);
  }
  return Value::Undefined();
}

Result<Value> Compute(BinaryOperator op, const Value& a, const Value& b) {
  switch (op) {
    case BinaryOperator::kEqual:
      return ToValue(Equal(a, b));
    case BinaryOperator::kNotEqual:
      return ToValue(NotEqual(a, b));
    case BinaryOperator::kLess:
      return ToValue(Less(a, b));
    case BinaryOperator::kLessOrEqual:
      return ToValue(LessOrEqual(a, b));
    case BinaryOperator::kGreater:
      return ToValue(Greater(a, b));
    case BinaryOperator::kGreaterOrEqual:
      return ToValue(GreaterOrEqual(a, b));
    case BinaryOperator::kConcat:
      return Concatenate(a, b);
    case BinaryOperator::kBitOr:
      return Apply(ArithmeticOperator::kBitOr, a, b);
    case BinaryOperator::kBitXor:
      return Apply(ArithmeticOperator::kBitXor, a, b);
    case BinaryOperator::kBitAnd:
      return Apply(ArithmeticOperator::kBitAnd, a, b);
    case BinaryOperator::kShiftLeft:
      return Apply(ArithmeticOperator::kShiftLeft, a, b);
    case BinaryOperator::kShiftRight:
      return Apply(ArithmeticOperator::kShiftRight, a, b);
    case BinaryOperator::kShiftRightUnsigned:
      return Apply(ArithmeticOperator::kShiftRightUnsigned, a, b);
    case BinaryOperator::kAdd:
      return Apply(ArithmeticOperator::kAdd, a, b);
    case BinaryOperator::kSubtract:
      return Apply(ArithmeticOperator::kSubtract, a, b);
    case BinaryOperator::kMultiply:
      return Apply(ArithmeticOperator::kMultiply, a, b);
    case BinaryOperator::kDivide:
      return Apply(ArithmeticOperator::kDivide, a, b);
    case BinaryOperator::kModulo:
      return Apply(ArithmeticOperator::kModulo, a, b);
    case BinaryOperator::kCoalesce:
      break;
  }
  return Value::Undefined();
}

class UnaryNode final : public BoundExpression {
 public:
  UnaryNode(UnaryOperator op, BoundExpressionPtr operand) : op_(op), operand_(std::move(operand)) {}

  Result<const Value*> Evaluate(Frame& frame, Value& scratch) const override {
    ORRERY_ASSIGN(const Value* operand, operand_->Evaluate(frame, scratch));
    scratch = Compute(op_, *operand);
    return &scratch;
  }

 private:
  const UnaryOperator op_;
  const BoundExpressionPtr operand_;
};

class BinaryNode final : public BoundExpression {
 public:
  BinaryNode(BinaryOperator op, BoundExpressionPtr left, BoundExpressionPtr right)
      : op_(op), left_(std::move(left)), right_(std::move(right)) {}

  Result<const Value*> Evaluate(Frame& frame, Value& scratch) const override {
    ORRERY_ASSIGN(const Value* left, left_->Evaluate(frame, scratch));
    Value right_scratch;
    ORRERY_ASSIGN(const Value* right, right_->Evaluate(frame, right_scratch));
    ORRERY_ASSIGN(scratch, Compute(op_, *left, *right));
    return &scratch;
  }

 private:
  const BinaryOperator op_;
  const BoundExpressionPtr left_;
  const BoundExpressionPtr right_;
};

}  // namespace

BoundExpressionPtr Unary(UnaryOperator op, BoundExpressionPtr operand) {
  return std::make_unique<UnaryNode>(op, std::move(operand));
}

BoundExpressionPtr Binary(BinaryOperator op, BoundExpressionPtr left, BoundExpressionPtr right) {
  ORRERY_CHECK(op != BinaryOperator::kCoalesce);
  return std::make_unique<BinaryNode>(op, std::move(left), std::move(right));
}

}  // namespace orrery::sql::node
