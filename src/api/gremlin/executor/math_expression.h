// The expressions of math(): + - * / % ^, parentheses, functions, numbers and names. And how two
// values combine under a constant of Operator (sum, mult, ...).
#pragma once

#include <functional>
#include <optional>
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
  // kInvalidArgument for a division by zero. REQUIRES: one number for each variable.
  Result<double> Evaluate(std::vector<double> numbers) const;

 private:
  struct Numbers {
    std::vector<double> values;
    mutable bool divided_by_zero = false;
  };
  using Node = std::function<double(const Numbers&)>;
  friend class MathParser;

  std::vector<std::string> variables_;
  Node evaluate_;
};

// The number of "pi" and "e", which are constants where nothing else has these names.
std::optional<double> MathConstant(std::string_view name);

Result<Value> CombineValues(std::string_view operation, const Value& a, const Value& b);

}  // namespace orrery::gremlin
