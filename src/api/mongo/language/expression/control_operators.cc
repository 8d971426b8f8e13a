// $and, $or, $cond, $ifNull, $switch, $literal: operators that do not evaluate all arguments.
#include <fmt/core.h>

#include "api/mongo/language/expression/expression_parser.h"
#include "api/mongo/language/expression/operator_table.h"
#include "api/mongo/language/value/bson_type_name.h"

namespace orrery::mongo {
namespace {

using model::Field;
using model::Kind;
using model::Value;

class LogicalExpression final : public Expression {
 public:
  LogicalExpression(std::vector<ExpressionPtr> arguments, bool is_and)
      : arguments_(std::move(arguments)), is_and_(is_and) {}
  Answer<Value> Evaluate(Evaluation& evaluation) const override {
    for (const ExpressionPtr& argument : arguments_) {
      MONGO_ASSIGN(const Value value, argument->Evaluate(evaluation));
      if (IsTrue(value) != is_and_) return Value::Bool(!is_and_);
    }
    return Value::Bool(is_and_);
  }

 private:
  std::vector<ExpressionPtr> arguments_;
  bool is_and_;
};

Answer<ExpressionPtr> ParseLogical(ExpressionParser& parser, const std::string& name,
                                   const Value& argument) {
  MONGO_ASSIGN(std::vector<ExpressionPtr> arguments, parser.ParseArguments(argument));
  auto node = std::make_shared<LogicalExpression>(arguments, name == "$and");
  return Folded(std::move(node), arguments, parser.context());
}

struct Branch {
  ExpressionPtr condition;
  ExpressionPtr result;
};

// $cond and $switch.
class BranchExpression final : public Expression {
 public:
  BranchExpression(std::vector<Branch> branches, ExpressionPtr otherwise)
      : branches_(std::move(branches)), otherwise_(std::move(otherwise)) {}
  Answer<Value> Evaluate(Evaluation& evaluation) const override {
    for (const Branch& branch : branches_) {
      MONGO_ASSIGN(const Value value, branch.condition->Evaluate(evaluation));
      if (IsTrue(value)) return branch.result->Evaluate(evaluation);
    }
    if (otherwise_ != nullptr) return otherwise_->Evaluate(evaluation);
    return Refuse(40066,
                  "$switch could not find a matching branch for an input, and no default "
                  "was specified.");
  }

 private:
  std::vector<Branch> branches_;
  ExpressionPtr otherwise_;
};

Answer<ExpressionPtr> ParseCond(ExpressionParser& parser, const std::string&,
                                const Value& argument) {
  std::vector<ExpressionPtr> parts(3);
  if (argument.kind() == Kind::kObject) {
    for (const Field& field : argument.AsFields()) {
      const size_t index = field.name == "if"     ? 0
                           : field.name == "then" ? 1
                           : field.name == "else" ? 2
                                                  : 3;
      if (index == 3) {
        return Refuse(17083, fmt::format("Unrecognized parameter to $cond: {}", field.name));
      }
      MONGO_ASSIGN(parts[index], parser.Parse(field.value));
    }
    if (parts[0] == nullptr) return Refuse(17080, "Missing 'if' parameter to $cond");
    if (parts[1] == nullptr) return Refuse(17081, "Missing 'then' parameter to $cond");
    if (parts[2] == nullptr) return Refuse(17082, "Missing 'else' parameter to $cond");
  } else {
    MONGO_ASSIGN(parts, parser.ParseArguments(argument));
    if (parts.size() != 3) {
      return Refuse(16020,
                    fmt::format("Expression $cond takes exactly 3 arguments. {} were passed in.",
                                parts.size()));
    }
  }
  auto node =
      std::make_shared<BranchExpression>(std::vector<Branch>{{parts[0], parts[1]}}, parts[2]);
  return Folded(std::move(node), parts, parser.context());
}

Answer<Branch> ParseBranch(ExpressionParser& parser, const Value& value,
                           std::vector<ExpressionPtr>& parts) {
  if (value.kind() != Kind::kObject) {
    return Refuse(40062, fmt::format("$switch expected each branch to be an object, found: {}",
                                     BsonTypeName(value.kind())));
  }
  Branch branch;
  for (const Field& field : value.AsFields()) {
    if (field.name != "case" && field.name != "then") {
      return Refuse(40063,
                    fmt::format("$switch found an unknown argument to a branch: {}", field.name));
    }
    MONGO_ASSIGN(ExpressionPtr part, parser.Parse(field.value));
    parts.push_back(part);
    (field.name == "case" ? branch.condition : branch.result) = std::move(part);
  }
  if (branch.condition == nullptr) {
    return Refuse(40064, "$switch requires each branch have a 'case' expression");
  }
  if (branch.result == nullptr) {
    return Refuse(40065, "$switch requires each branch have a 'then' expression.");
  }
  return branch;
}

Answer<ExpressionPtr> ParseSwitch(ExpressionParser& parser, const std::string&,
                                  const Value& argument) {
  if (argument.kind() != Kind::kObject) {
    return Refuse(40060, fmt::format("$switch requires an object as an argument, found: {}",
                                     BsonTypeName(argument.kind())));
  }
  std::vector<Branch> branches;
  std::vector<ExpressionPtr> parts;
  ExpressionPtr otherwise;
  for (const Field& field : argument.AsFields()) {
    if (field.name == "branches") {
      if (field.value.kind() != Kind::kArray) {
        return Refuse(40061, fmt::format("$switch expected an array for 'branches', found: {}",
                                         BsonTypeName(field.value.kind())));
      }
      for (const Value& value : field.value.AsValues()) {
        MONGO_ASSIGN(Branch branch, ParseBranch(parser, value, parts));
        branches.push_back(std::move(branch));
      }
    } else if (field.name == "default") {
      MONGO_ASSIGN(otherwise, parser.Parse(field.value));
      parts.push_back(otherwise);
    } else {
      return Refuse(40067, fmt::format("$switch found an unknown argument: {}", field.name));
    }
  }
  if (branches.empty()) return Refuse(40068, "$switch requires at least one branch.");
  auto node = std::make_shared<BranchExpression>(std::move(branches), std::move(otherwise));
  return Folded(std::move(node), parts, parser.context());
}

class IfNullExpression final : public Expression {
 public:
  explicit IfNullExpression(std::vector<ExpressionPtr> arguments)
      : arguments_(std::move(arguments)) {}
  Answer<Value> Evaluate(Evaluation& evaluation) const override {
    for (size_t i = 0; i + 1 < arguments_.size(); ++i) {
      MONGO_ASSIGN(Value value, arguments_[i]->Evaluate(evaluation));
      if (!IsNullish(value)) return value;
    }
    return arguments_.back()->Evaluate(evaluation);
  }

 private:
  std::vector<ExpressionPtr> arguments_;
};

Answer<ExpressionPtr> ParseIfNull(ExpressionParser& parser, const std::string&,
                                  const Value& argument) {
  MONGO_ASSIGN(std::vector<ExpressionPtr> arguments, parser.ParseArguments(argument));
  if (arguments.size() < 2) {
    return Refuse(1257300,
                  fmt::format("$ifNull needs at least two arguments, had: {}", arguments.size()));
  }
  auto node = std::make_shared<IfNullExpression>(arguments);
  return Folded(std::move(node), arguments, parser.context());
}

Answer<ExpressionPtr> ParseLiteral(ExpressionParser&, const std::string&, const Value& argument) {
  return ConstantExpression(argument);
}

constexpr SpecialOperator kControlOperators[] = {
    {"$and", ParseLogical},   {"$or", ParseLogical},    {"$cond", ParseCond},
    {"$switch", ParseSwitch}, {"$ifNull", ParseIfNull}, {"$literal", ParseLiteral},
    {"$const", ParseLiteral},
};

}  // namespace

std::span<const SpecialOperator> ControlOperators() { return kControlOperators; }

}  // namespace orrery::mongo
