#include "api/sql/evaluate/node/nodes.h"
#include "api/sql/function/argument.h"
#include "base/check.h"

namespace orrery::sql::node {
namespace {

Result<model::Values> EvaluateAll(const Nodes& nodes, Frame& frame) {
  model::Values values;
  values.reserve(nodes.size());
  for (const BoundExpressionPtr& node : nodes) {
    Value scratch;
    ORRERY_ASSIGN(const Value* value, node->Evaluate(frame, scratch));
    values.push_back(Take(value, scratch));
  }
  return values;
}

class CallNode final : public BoundExpression {
 public:
  CallNode(const Function& function, Nodes arguments)
      : function_(function), arguments_(std::move(arguments)) {
    ORRERY_CHECK(function.Takes(arguments_.size()));
  }

  Result<const Value*> Evaluate(Frame& frame, Value& scratch) const override {
    if (arguments_.size() == 1) {
      // The most common case: one argument is a list already, where it is.
      ORRERY_ASSIGN(const Value* argument, arguments_[0]->Evaluate(frame, scratch));
      ORRERY_ASSIGN(scratch,
                    function_.Call(Arguments(argument, 1), FrameContext::Of(frame).calls()));
      return &scratch;
    }
    ORRERY_ASSIGN(const model::Values arguments, EvaluateAll(arguments_, frame));
    ORRERY_ASSIGN(scratch, function_.Call(arguments, FrameContext::Of(frame).calls()));
    return &scratch;
  }

 private:
  const Function& function_;  // lives as long as the program
  const Nodes arguments_;
};

class UserCallNode final : public BoundExpression {
 public:
  UserCallNode(std::string name, Nodes arguments)
      : name_(std::move(name)), arguments_(std::move(arguments)) {}

  Result<const Value*> Evaluate(Frame& frame, Value& scratch) const override {
    UserFunctions* const functions = FrameContext::Of(frame).user_functions();
    if (functions == nullptr)
      return Fail(Code::kUnsupported, "user-defined functions cannot be called here");
    ORRERY_ASSIGN(const model::Values arguments, EvaluateAll(arguments_, frame));
    ORRERY_ASSIGN(scratch, functions->Call(name_, arguments));
    return &scratch;
  }

 private:
  const std::string name_;
  const Nodes arguments_;
};

class RegexMatchNode final : public BoundExpression {
 public:
  RegexMatchNode(BoundExpressionPtr text, model::Regex regex)
      : text_(std::move(text)), regex_(std::move(regex)) {}

  Result<const Value*> Evaluate(Frame& frame, Value& scratch) const override {
    ORRERY_ASSIGN(const Value* value, text_->Evaluate(frame, scratch));
    const std::string* text = TextOf(*value);
    if (text == nullptr) return &kUndefined;
    ORRERY_ASSIGN(const bool found, regex_.Search(*text));
    scratch = Value::Bool(found);
    return &scratch;
  }

 private:
  const BoundExpressionPtr text_;
  const model::Regex regex_;
};

}  // namespace

BoundExpressionPtr Call(const Function& function, Nodes arguments) {
  return std::make_unique<CallNode>(function, std::move(arguments));
}

BoundExpressionPtr UserCall(std::string name, Nodes arguments) {
  return std::make_unique<UserCallNode>(std::move(name), std::move(arguments));
}

BoundExpressionPtr RegexMatch(BoundExpressionPtr text, model::Regex regex) {
  return std::make_unique<RegexMatchNode>(std::move(text), std::move(regex));
}

}  // namespace orrery::sql::node
