// The expressions of math(): + - * / % ^, parentheses, functions, numbers and names. And how two
// values combine under a constant of Operator (sum, mult, ...).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "api/gremlin/value/value.h"
#include "base/status.h"

namespace orrery::gremlin {

class MathExpression {
 public:
  // kInvalidArgument says what is malformed.
  static Result<MathExpression> Parse(std::string_view text);

  // Names in the order of their first appearance; "_" is the traverser.
  const std::vector<std::string>& variables() const { return variables_; }
  // REQUIRES: one number for each variable.
  double Evaluate(const std::vector<double>& numbers) const { return evaluate_(numbers); }

 private:
  using Node = std::function<double(const std::vector<double>&)>;
  friend class MathParser;

  std::vector<std::string> variables_;
  Node evaluate_;
};

Result<Value> CombineValues(std::string_view operation, const Value& a, const Value& b);

}  // namespace orrery::gremlin
