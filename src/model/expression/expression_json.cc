#include "model/expression/expression_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/document/json.h"

namespace orrery::model {
namespace {

Result<Expression> Read(const Value& json, int depth);

Result<std::vector<Expression>> ReadOperands(const Value& json, int depth) {
  std::vector<Expression> operands;
  if (json.kind() != Kind::kArray) {
    ORRERY_ASSIGN(Expression operand, Read(json, depth));
    operands.push_back(std::move(operand));
    return operands;
  }
  for (const Value& element : json.AsValues()) {
    ORRERY_ASSIGN(Expression operand, Read(element, depth));
    operands.push_back(std::move(operand));
  }
  return operands;
}

Result<Expression> ReadObject(const Value& json, int depth) {
  if (json.kind() != Kind::kObject) return Fail(Code::kInvalidArgument, "'object' needs an object");
  std::vector<std::pair<std::string, Expression>> fields;
  for (const Field& field : json.AsFields()) {
    ORRERY_ASSIGN(Expression value, Read(field.value, depth));
    fields.emplace_back(field.name, std::move(value));
  }
  return Expression::Object(std::move(fields));
}

Result<Expression> Read(const Value& json, int depth) {
  if (depth > kExpressionDepthMax) {
    return Fail(Code::kInvalidArgument,
                fmt::format("an expression nested more than {} deep", kExpressionDepthMax));
  }
  if (json.kind() == Kind::kArray) {
    return Fail(Code::kInvalidArgument, "an array is no expression: use 'array' or 'literal'");
  }
  if (json.kind() != Kind::kObject) return Expression::Literal(json);
  if (json.AsFields().size() != 1) {
    return Fail(Code::kInvalidArgument,
                fmt::format("an expression has one operator, this has {}: {}",
                            json.AsFields().size(), ToJson(json)));
  }
  const auto& [name, argument] = json.AsFields().front();
  if (name == "literal") return Expression::Literal(argument);
  if (name == "object") return ReadObject(argument, depth + 1);
  if (name == "path" || name == "field") {
    if (argument.kind() != Kind::kString)
      return Fail(Code::kInvalidArgument, fmt::format("'{}' needs a string", name));
    ORRERY_ASSIGN(Path path, Path::Parse(argument.AsString()));
    return name == "path" ? Expression::Reference(std::move(path))
                          : Expression::Field(std::move(path));
  }
  const auto info = std::ranges::find(Operators(), std::string_view(name), &OperatorInfo::name);
  if (info == Operators().end())
    return Fail(Code::kInvalidArgument, fmt::format("unknown operator '{}'", name));
  ORRERY_ASSIGN(std::vector<Expression> operands, ReadOperands(argument, depth + 1));
  return Expression::Apply(info->op, std::move(operands));
}

Value Single(std::string name, Value value) {
  return Value::Object({Field{std::move(name), std::move(value)}});
}

}  // namespace

Result<Expression> ExpressionFromJson(const Value& json) { return Read(json, /*depth=*/1); }

Value ExpressionToJson(const Expression& expression) {
  switch (expression.op()) {
    case Operator::kLiteral:
      return Single("literal", expression.literal());
    case Operator::kPath:
      return Single("path", Value::String(expression.path().ToString()));
    case Operator::kField:
      return Single("field", Value::String(expression.path().ToString()));
    case Operator::kObject: {
      Fields fields;
      for (size_t i = 0; i < expression.operands().size(); ++i) {
        fields.push_back(Field{expression.names()[i], ExpressionToJson(expression.operands()[i])});
      }
      return Single("object", Value::Object(std::move(fields)));
    }
    default:
      break;
  }
  Values operands;
  for (const Expression& operand : expression.operands())
    operands.push_back(ExpressionToJson(operand));
  const auto info = std::ranges::find(Operators(), expression.op(), &OperatorInfo::op);
  return Single(std::string(info->name), Value::Array(std::move(operands)));
}

}  // namespace orrery::model
