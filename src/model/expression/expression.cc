#include "model/expression/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace orrery::model {
namespace {

constexpr size_t kMany = std::numeric_limits<size_t>::max();

constexpr OperatorInfo kOperators[] = {
    {Operator::kEqual, "=", 2, 2},
    {Operator::kNotEqual, "!=", 2, 2},
    {Operator::kLess, "<", 2, 2},
    {Operator::kLessOrEqual, "<=", 2, 2},
    {Operator::kGreater, ">", 2, 2},
    {Operator::kGreaterOrEqual, ">=", 2, 2},
    {Operator::kAnd, "and", 2, kMany},
    {Operator::kOr, "or", 2, kMany},
    {Operator::kNot, "not", 1, 1},
    {Operator::kAdd, "+", 2, 2},
    {Operator::kSubtract, "-", 2, 2},
    {Operator::kMultiply, "*", 2, 2},
    {Operator::kDivide, "/", 2, 2},
    {Operator::kModulo, "%", 2, 2},
    {Operator::kNegate, "negate", 1, 1},
    {Operator::kConcat, "||", 2, 2},
    {Operator::kCoalesce, "??", 2, 2},
    {Operator::kConditional, "?:", 3, 3},
    {Operator::kIn, "in", 2, kMany},
    {Operator::kBetween, "between", 3, 3},
    {Operator::kIsDefined, "is_defined", 1, 1},
    {Operator::kIsNull, "is_null", 1, 1},
    {Operator::kIsNumber, "is_number", 1, 1},
    {Operator::kIsString, "is_string", 1, 1},
    {Operator::kIsBool, "is_bool", 1, 1},
    {Operator::kIsArray, "is_array", 1, 1},
    {Operator::kIsObject, "is_object", 1, 1},
    {Operator::kStartsWith, "starts_with", 2, 2},
    {Operator::kEndsWith, "ends_with", 2, 2},
    {Operator::kContains, "contains", 2, 2},
    {Operator::kArrayContains, "array_contains", 2, 2},
    {Operator::kArrayLength, "array_length", 1, 1},
    {Operator::kLength, "length", 1, 1},
    {Operator::kLower, "lower", 1, 1},
    {Operator::kUpper, "upper", 1, 1},
    {Operator::kAbs, "abs", 1, 1},
    {Operator::kArray, "array", 0, kMany},
};

}  // namespace

std::span<const OperatorInfo> Operators() { return kOperators; }

Expression Expression::Literal(Value value) {
  auto node = std::make_shared<Node>();
  node->literal = std::move(value);
  return Expression(std::move(node));
}

Expression Expression::Reference(Path path) {
  auto node = std::make_shared<Node>();
  node->op = Operator::kPath;
  node->path = std::move(path);
  return Expression(std::move(node));
}

Result<Expression> Expression::Make(Node node) {
  for (const Expression& operand : node.operands)
    node.depth = std::max(node.depth, operand.depth() + 1);
  if (node.depth > kExpressionDepthMax) {
    return Fail(Code::kInvalidArgument,
                fmt::format("an expression nested more than {} deep", kExpressionDepthMax));
  }
  return Expression(std::make_shared<const Node>(std::move(node)));
}

Result<Expression> Expression::Apply(Operator op, std::vector<Expression> operands) {
  const auto info = std::ranges::find(kOperators, op, &OperatorInfo::op);
  if (info == std::end(kOperators))
    return Fail(Code::kInvalidArgument, "this operator has its own constructor");
  if (operands.size() < info->operands_min || operands.size() > info->operands_max) {
    return Fail(Code::kInvalidArgument,
                fmt::format("operator '{}' has {} operand{}", info->name, operands.size(),
                            operands.size() == 1 ? "" : "s"));
  }
  Node node;
  node.op = op;
  node.operands = std::move(operands);
  return Make(std::move(node));
}

Result<Expression> Expression::Object(std::vector<std::pair<std::string, Expression>> fields) {
  Node node;
  node.op = Operator::kObject;
  for (auto& [name, value] : fields) {
    node.names.push_back(std::move(name));
    node.operands.push_back(std::move(value));
  }
  return Make(std::move(node));
}

}  // namespace orrery::model
