#include "api/sql/evaluate/node/nodes.h"
#include "api/sql/function/argument.h"
#include "api/sql/function/operator/comparison.h"
#include "model/sql/constant_set.h"

namespace orrery::sql::node {
namespace {

// The answer of a predicate, or its opposite where the text says NOT.
Result<const Value*> Answer(Truth truth, bool negated, Value& scratch) {
  scratch = ToValue(negated ? Not(truth) : truth);
  return &scratch;
}

class InNode final : public BoundExpression {
 public:
  InNode(bool negated, BoundExpressionPtr value, Nodes candidates)
      : negated_(negated), value_(std::move(value)), candidates_(std::move(candidates)) {}

  Result<const Value*> Evaluate(Frame& frame, Value& scratch) const override {
    ORRERY_ASSIGN(const Value* value, value_->Evaluate(frame, scratch));
    Truth found = Truth::kFalse;
    Value candidate_scratch;
    for (const BoundExpressionPtr& node : candidates_) {
      ORRERY_ASSIGN(const Value* candidate, node->Evaluate(frame, candidate_scratch));
      found = Or(found, Equal(*value, *candidate));
      if (found == Truth::kTrue) break;
    }
    return Answer(found, negated_, scratch);
  }

 private:
  const bool negated_;
  const BoundExpressionPtr value_;
  const Nodes candidates_;
};

// From this many constants on, a set is faster than comparing with each.
constexpr size_t kSetCandidatesMin = 16;

class InSetNode final : public BoundExpression {
 public:
  InSetNode(bool negated, BoundExpressionPtr value, Nodes candidates,
            const std::vector<const Value*>& constants)
      : negated_(negated),
        value_(std::move(value)),
        candidates_(std::move(candidates)),
        set_(constants) {}

  Result<const Value*> Evaluate(Frame& frame, Value& scratch) const override {
    ORRERY_ASSIGN(const Value* value, value_->Evaluate(frame, scratch));
    return Answer(set_.Contains(*value), negated_, scratch);
  }

 private:
  const bool negated_;
  const BoundExpressionPtr value_;
  const Nodes candidates_;  // what set_ points into
  const model::sql::ConstantSet set_;
};

class BetweenNode final : public BoundExpression {
 public:
  BetweenNode(bool negated, BoundExpressionPtr value, BoundExpressionPtr low,
              BoundExpressionPtr high)
      : negated_(negated), value_(std::move(value)), low_(std::move(low)), high_(std::move(high)) {}

  Result<const Value*> Evaluate(Frame& frame, Value& scratch) const override {
    ORRERY_ASSIGN(const Value* value, value_->Evaluate(frame, scratch));
    Value low_scratch;
    ORRERY_ASSIGN(const Value* low, low_->Evaluate(frame, low_scratch));
    Value high_scratch;
    ORRERY_ASSIGN(const Value* high, high_->Evaluate(frame, high_scratch));
    return Answer(sql::Between(*value, *low, *high), negated_, scratch);
  }

 private:
  const bool negated_;
  const BoundExpressionPtr value_;
  const BoundExpressionPtr low_;
  const BoundExpressionPtr high_;
};

class LikeNode final : public BoundExpression {
 public:
  LikeNode(bool negated, BoundExpressionPtr value, BoundExpressionPtr pattern,
           std::optional<std::string> escape)
      : negated_(negated), value_(std::move(value)), pattern_(std::move(pattern)) {
    if (escape.has_value()) escape_ = Value::String(*std::move(escape));
  }

  Result<const Value*> Evaluate(Frame& frame, Value& scratch) const override {
    ORRERY_ASSIGN(const Value* value, value_->Evaluate(frame, scratch));
    Value pattern_scratch;
    ORRERY_ASSIGN(const Value* pattern, pattern_->Evaluate(frame, pattern_scratch));
    ORRERY_ASSIGN(const Truth matches,
                  sql::Like(*value, *pattern, escape_.has_value() ? &*escape_ : nullptr));
    return Answer(matches, negated_, scratch);
  }

 private:
  const bool negated_;
  const BoundExpressionPtr value_;
  const BoundExpressionPtr pattern_;
  std::optional<Value> escape_;  // constant after construction
};

class CompiledLikeNode final : public BoundExpression {
 public:
  CompiledLikeNode(bool negated, BoundExpressionPtr value, LikePattern pattern)
      : negated_(negated), value_(std::move(value)), pattern_(std::move(pattern)) {}

  Result<const Value*> Evaluate(Frame& frame, Value& scratch) const override {
    ORRERY_ASSIGN(const Value* value, value_->Evaluate(frame, scratch));
    const std::string* text = TextOf(*value);
    if (text == nullptr) return &kUndefined;
    return Answer(TruthOf(pattern_.Matches(*text)), negated_, scratch);
  }

 private:
  const bool negated_;
  const BoundExpressionPtr value_;
  const LikePattern pattern_;
};

}  // namespace

BoundExpressionPtr In(bool negated, BoundExpressionPtr value, Nodes candidates) {
  std::vector<const Value*> constants;
  for (const BoundExpressionPtr& candidate : candidates) {
    if (candidate->constant() != nullptr) constants.push_back(candidate->constant());
  }
  if (constants.size() == candidates.size() && constants.size() >= kSetCandidatesMin)
    return std::make_unique<InSetNode>(negated, std::move(value), std::move(candidates), constants);
  return std::make_unique<InNode>(negated, std::move(value), std::move(candidates));
}

BoundExpressionPtr Between(bool negated, BoundExpressionPtr value, BoundExpressionPtr low,
                           BoundExpressionPtr high) {
  return std::make_unique<BetweenNode>(negated, std::move(value), std::move(low), std::move(high));
}

BoundExpressionPtr Like(bool negated, BoundExpressionPtr value, BoundExpressionPtr pattern,
                        std::optional<std::string> escape) {
  return std::make_unique<LikeNode>(negated, std::move(value), std::move(pattern),
                                    std::move(escape));
}

BoundExpressionPtr Like(bool negated, BoundExpressionPtr value, LikePattern pattern) {
  return std::make_unique<CompiledLikeNode>(negated, std::move(value), std::move(pattern));
}

}  // namespace orrery::sql::node
