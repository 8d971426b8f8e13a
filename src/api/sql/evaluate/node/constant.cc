#include "api/sql/evaluate/node/nodes.h"

namespace orrery::sql::node {
namespace {

class OwnedConstant final : public BoundExpression {
 public:
  explicit OwnedConstant(Value value) : value_(std::move(value)) {}

  Result<const Value*> Evaluate(Frame&, Value&) const override { return &value_; }
  const Value* constant() const override { return &value_; }

 private:
  const Value value_;
};

class SharedConstant final : public BoundExpression {
 public:
  explicit SharedConstant(std::shared_ptr<const Value> value) : value_(std::move(value)) {}

  Result<const Value*> Evaluate(Frame&, Value&) const override { return value_.get(); }
  const Value* constant() const override { return value_.get(); }

 private:
  const std::shared_ptr<const Value> value_;
};

class UnknownNode final : public BoundExpression {
 public:
  Result<const Value*> Evaluate(Frame&, Value& scratch) const override {
    scratch = Value::Undefined();
    return &scratch;
  }
};

// The value stays where evaluation left it: copying it out would let a short text multiply a large
// parameter.
class FoldedConstant final : public BoundExpression {
 public:
  explicit FoldedConstant(BoundExpressionPtr origin) : origin_(std::move(origin)) {}

  Status Settle(Frame& frame) {
    ORRERY_ASSIGN(value_, origin_->Evaluate(frame, scratch_));
    if (value_ == &scratch_) origin_.reset();
    return {};
  }

  Result<const Value*> Evaluate(Frame&, Value&) const override { return value_; }
  const Value* constant() const override { return value_; }

 private:
  BoundExpressionPtr origin_;  // null when the value is scratch_
  Value scratch_;
  const Value* value_ = nullptr;  // in origin_ or scratch_; set by Settle
};

// Pure functions ask neither for the time nor for a number.
class StoppedClock final : public Clock {
 public:
  Micros Now() const override { return Micros(0); }
  Micros Monotonic() const override { return Micros(0); }
};

class NoRandom final : public RandomSource {
 public:
  double Next() override { return 0; }
};

}  // namespace

BoundExpressionPtr Constant(Value value) {
  return std::make_unique<OwnedConstant>(std::move(value));
}

BoundExpressionPtr Constant(std::shared_ptr<const Value> value) {
  return std::make_unique<SharedConstant>(std::move(value));
}

BoundExpressionPtr Unknown() { return std::make_unique<UnknownNode>(); }

Result<BoundExpressionPtr> Fold(BoundExpressionPtr expression) {
  if (expression->constant() != nullptr) return expression;
  const StoppedClock clock;
  NoRandom random;
  const CallContext context{clock, random, Micros(0)};
  const FrameContext frame_context(context);
  Frame frame{.slots = {}, .context = frame_context};
  auto folded = std::make_unique<FoldedConstant>(std::move(expression));
  ORRERY_TRY(folded->Settle(frame));
  return folded;
}

}  // namespace orrery::sql::node
