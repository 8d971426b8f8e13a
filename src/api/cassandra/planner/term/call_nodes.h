// Expressions that compute: calls, operators, casts, and the results of aggregates.
#pragma once

#include <memory>
#include <string>

#include "api/cassandra/function/function.h"
#include "api/cassandra/planner/term/literal_nodes.h"
#include "api/cassandra/types/arithmetic.h"

namespace orrery::cassandra {

class CallExpression final : public Expression {
 public:
  CallExpression(std::shared_ptr<const ScalarFunction> function, ExpressionList arguments);
  CqlResult<TermValue> Evaluate(const Evaluation& evaluation) const override;
  bool is_constant() const override { return constant_; }
  const ScalarFunction& function() const { return *function_; }

 private:
  const std::shared_ptr<const ScalarFunction> function_;
  const ExpressionList arguments_;
  const bool constant_;
};

class ArithmeticExpression final : public Expression {
 public:
  ArithmeticExpression(TypePtr type, Operator op, ExpressionPtr left, ExpressionPtr right);
  CqlResult<TermValue> Evaluate(const Evaluation& evaluation) const override;
  bool is_constant() const override { return left_->is_constant() && right_->is_constant(); }

 private:
  const Operator op_;
  const ExpressionPtr left_;
  const ExpressionPtr right_;
};

class NegationExpression final : public Expression {
 public:
  explicit NegationExpression(ExpressionPtr term)
      : Expression(term->type()), term_(std::move(term)) {}
  CqlResult<TermValue> Evaluate(const Evaluation& evaluation) const override;
  bool is_constant() const override { return term_->is_constant(); }

 private:
  const ExpressionPtr term_;
};

class CastExpression final : public Expression {
 public:
  CastExpression(TypePtr type, ExpressionPtr term)
      : Expression(std::move(type)), term_(std::move(term)) {}
  CqlResult<TermValue> Evaluate(const Evaluation& evaluation) const override;
  bool is_constant() const override { return term_->is_constant(); }

 private:
  const ExpressionPtr term_;
};

// The result of an aggregate; the executor computes it (AggregateCall).
class AggregateExpression final : public Expression {
 public:
  AggregateExpression(TypePtr type, size_t place) : Expression(std::move(type)), place_(place) {}
  CqlResult<TermValue> Evaluate(const Evaluation& evaluation) const override;

 private:
  const size_t place_;
};

}  // namespace orrery::cassandra
