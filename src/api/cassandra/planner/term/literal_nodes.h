// Expressions that put values together: collections, tuples, user-defined values and vectors.
#pragma once

#include <string>
#include <vector>

#include "api/cassandra/planner/term/expression.h"

namespace orrery::cassandra {

using ExpressionList = std::vector<ExpressionPtr>;

bool AllConstant(const ExpressionList& parts);

// A list, set or vector. Elements may not be null.
class ElementsExpression final : public Expression {
 public:
  ElementsExpression(TypePtr type, ExpressionList elements);
  CqlResult<TermValue> Evaluate(const Evaluation& evaluation) const override;
  bool is_constant() const override { return constant_; }

 private:
  const ExpressionList elements_;
  const bool constant_;
};

// Of equal keys the last one's value counts.
class EntriesExpression final : public Expression {
 public:
  EntriesExpression(TypePtr type, ExpressionList keys, ExpressionList values);
  CqlResult<TermValue> Evaluate(const Evaluation& evaluation) const override;
  bool is_constant() const override { return constant_; }

 private:
  const ExpressionList keys_;
  const ExpressionList values_;
  const bool constant_;
};

// A tuple or a user-defined value; a part that is not given is null.
class ComponentsExpression final : public Expression {
 public:
  ComponentsExpression(TypePtr type, ExpressionList components);
  CqlResult<TermValue> Evaluate(const Evaluation& evaluation) const override;
  bool is_constant() const override { return constant_; }

  // For who needs them one by one: (a, b) > (?, 1).
  const ExpressionList& components() const { return components_; }

 private:
  const ExpressionList components_;
  const bool constant_;
};

}  // namespace orrery::cassandra
