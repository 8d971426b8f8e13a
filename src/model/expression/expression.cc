#include "model/expression/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <vector>

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
    {Operator::kIsPrimitive, "is_primitive", 1, 1},
    {Operator::kIsInteger, "is_integer", 1, 1},
    {Operator::kIsFiniteNumber, "is_finite_number", 1, 1},
    {Operator::kStartsWithAnyCase, "starts_with_any_case", 2, 2},
    {Operator::kEndsWithAnyCase, "ends_with_any_case", 2, 2},
    {Operator::kContainsAnyCase, "contains_any_case", 2, 2},
    {Operator::kEqualsAnyCase, "equals_any_case", 2, 2},
    {Operator::kArrayContainsPart, "array_contains_part", 2, 2},
    {Operator::kMongoEqual, "$eq", 2, 2},
    {Operator::kMongoLess, "$lt", 2, 2},
    {Operator::kMongoLessOrEqual, "$lte", 2, 2},
    {Operator::kMongoGreater, "$gt", 2, 2},
    {Operator::kMongoGreaterOrEqual, "$gte", 2, 2},
    {Operator::kMongoIn, "$in", 1, kMany},
    {Operator::kMongoExists, "$exists", 1, 1},
    {Operator::kMongoType, "$type", 2, kMany},
    {Operator::kMongoSize, "$size", 2, 2},
    {Operator::kMongoElement, "$elemMatch", 2, 2},
    {Operator::kMongoValue, "$value", 1, 1},
};

// From so many literals on, a set is faster than comparing with each.
constexpr size_t kSetCandidatesMin = 16;

bool IsMongo(Operator op) { return op >= Operator::kMongoEqual && op <= Operator::kMongoValue; }

bool IsIntegerLiteral(const Expression& operand) {
  return operand.op() == Operator::kLiteral &&
         (operand.literal().kind() == Kind::kInt32 || operand.literal().kind() == Kind::kInt64);
}

// Returns whether the operands of an operator of MongoDB's are of the kinds that it takes.
bool AreMongoOperands(Operator op, std::span<const Expression> operands) {
  if (operands.front().op() != Operator::kPath) return false;
  const auto others = operands.subspan(1);
  if (op == Operator::kMongoElement) return true;
  if (op == Operator::kMongoType || op == Operator::kMongoSize)
    return std::ranges::all_of(others, IsIntegerLiteral);
  return std::ranges::all_of(
      others, [](const Expression& each) { return each.op() == Operator::kLiteral; });
}

// Null unless there are many, all of them literals.
std::shared_ptr<const sql::ConstantSet> CandidatesOf(std::span<const Expression> operands) {
  if (operands.size() < kSetCandidatesMin) return nullptr;
  std::vector<const Value*> literals;
  for (const Expression& operand : operands) {
    if (operand.op() != Operator::kLiteral) return nullptr;
    literals.push_back(&operand.literal());
  }
  return std::make_shared<const sql::ConstantSet>(literals);
}

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

Expression Expression::Field(Path path) {
  auto node = std::make_shared<Node>();
  node->op = Operator::kField;
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
  if (IsMongo(op) && !AreMongoOperands(op, operands)) {
    return Fail(
        Code::kInvalidArgument,
        fmt::format("operator '{}' takes a path, and then literals of its kind", info->name));
  }
  Node node;
  node.op = op;
  node.operands = std::move(operands);
  if (op == Operator::kIn) node.candidates = CandidatesOf(std::span(node.operands).subspan(1));
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
