// The kinds of expressions that are not operators: constants, paths, variables, objects and arrays
// of expressions; and the calls of operators from the tables.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "api/mongo/language/expression/expression.h"
#include "api/mongo/language/expression/operator_table.h"

namespace orrery::mongo {

class ConstantValueExpression final : public Expression {
 public:
  explicit ConstantValueExpression(model::Value value) : value_(std::move(value)) {}
  Answer<model::Value> Evaluate(Evaluation&) const override { return value_; }
  const model::Value* constant() const override { return &value_; }

 private:
  model::Value value_;
};

// "$a.b"
class PathExpression final : public Expression {
 public:
  explicit PathExpression(std::string path);
  Answer<model::Value> Evaluate(Evaluation& evaluation) const override;
  const std::string* field_path() const override { return &path_; }

 private:
  std::string path_;
  std::vector<std::string> steps_;
};

// "$$name.b"
class VariableExpression final : public Expression {
 public:
  VariableExpression(size_t slot, std::vector<std::string> steps)
      : slot_(slot), steps_(std::move(steps)) {}
  Answer<model::Value> Evaluate(Evaluation& evaluation) const override;

 private:
  size_t slot_;
  std::vector<std::string> steps_;
};

// "$$ROOT", "$$ROOT.b"; $$CURRENT too.
class RootExpression final : public Expression {
 public:
  RootExpression(std::vector<std::string> steps, bool is_current)
      : steps_(std::move(steps)), is_current_(is_current) {}
  Answer<model::Value> Evaluate(Evaluation& evaluation) const override;

 private:
  std::vector<std::string> steps_;
  bool is_current_;
};

// {a: expression, b: expression}: missing values leave their field out.
class ObjectExpression final : public Expression {
 public:
  explicit ObjectExpression(std::vector<std::pair<std::string, ExpressionPtr>> fields)
      : fields_(std::move(fields)) {}
  Answer<model::Value> Evaluate(Evaluation& evaluation) const override;
  const std::vector<std::pair<std::string, ExpressionPtr>>& fields() const { return fields_; }

 private:
  std::vector<std::pair<std::string, ExpressionPtr>> fields_;
};

// [expression, ...]: missing values become null.
class ArrayExpression final : public Expression {
 public:
  explicit ArrayExpression(std::vector<ExpressionPtr> elements) : elements_(std::move(elements)) {}
  Answer<model::Value> Evaluate(Evaluation& evaluation) const override;

 private:
  std::vector<ExpressionPtr> elements_;
};

class CallExpression final : public Expression {
 public:
  CallExpression(std::string_view name, OperatorFunction function,
                 std::vector<ExpressionPtr> arguments, uint32_t given,
                 NullStop null_stop = NullStop::kNever)
      : name_(name),
        function_(function),
        arguments_(std::move(arguments)),
        given_(given),
        null_stop_(null_stop) {}
  Answer<model::Value> Evaluate(Evaluation& evaluation) const override;

 private:
  std::string_view name_;
  OperatorFunction function_;
  std::vector<ExpressionPtr> arguments_;  // nullptr: not given
  uint32_t given_;
  NullStop null_stop_;
};

}  // namespace orrery::mongo
