// Expressions without parts: a constant, and a bound value.
#pragma once

#include <string>

#include "api/cassandra/planner/term/expression.h"

namespace orrery::cassandra {

class ConstantExpression final : public Expression {
 public:
  ConstantExpression(TypePtr type, TermValue value)
      : Expression(std::move(type)), value_(std::move(value)) {}
  CqlResult<TermValue> Evaluate(const Evaluation& evaluation) const override;
  bool is_constant() const override { return true; }

 private:
  const TermValue value_;
};

// Validates what was bound. Sets and maps come out in order and without duplicates, as every value
// that is stored has them.
class MarkerExpression final : public Expression {
 public:
  MarkerExpression(TypePtr type, uint16_t number, std::string receiver_name);
  CqlResult<TermValue> Evaluate(const Evaluation& evaluation) const override;
  std::optional<uint16_t> marker() const override { return number_; }

 private:
  const uint16_t number_;
  const std::string receiver_name_;
  const bool normalise_;
};

}  // namespace orrery::cassandra
