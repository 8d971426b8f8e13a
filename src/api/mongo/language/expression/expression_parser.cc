#include "api/mongo/language/expression/expression_parser.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "api/mongo/language/expression/nodes.h"
#include "api/mongo/language/expression/path_value.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/field_path.h"
#include "model/compare.h"

namespace orrery::mongo {

using model::Field;
using model::Fields;
using model::Kind;
using model::Value;

ExpressionPtr ConstantExpression(Value value) {
  return std::make_shared<ConstantValueExpression>(std::move(value));
}

Answer<ExpressionPtr> Folded(ExpressionPtr expression, const std::vector<ExpressionPtr>& parts,
                             const QueryContext& context) {
  for (const ExpressionPtr& part : parts) {
    if (part != nullptr && part->constant() == nullptr) return expression;
  }
  Evaluation evaluation{.root = model::DocumentView(), .context = context};
  Answer<Value> value = expression->Evaluate(evaluation);
  if (!value.has_value()) {
    if (!context.refuses_bad_constants) return expression;
    return std::unexpected(std::move(value).error());
  }
  return ConstantExpression(*std::move(value));
}

ExpressionParser::Unfolded::Unfolded(ExpressionParser& parser)
    : parser_(parser), outer_(parser.context_), context_(*parser.context_) {
  context_.refuses_bad_constants = false;
  parser_.context_ = &context_;
}

ExpressionParser::Unfolded::~Unfolded() { parser_.context_ = outer_; }

ExpressionParser::Scope::Scope(ExpressionParser& parser, std::string name)
    : parser_(parser), slot_(parser.scopes_.size()) {
  parser_.scopes_.push_back(std::move(name));
}

ExpressionParser::Scope::~Scope() { parser_.scopes_.pop_back(); }

Outcome ExpressionParser::CheckVariableName(std::string_view name) {
  const auto is_start = [](char c) {
    return std::islower(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0;
  };
  const auto is_part = [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0;
  };
  if (name == "CURRENT") return {};
  if (name.empty()) {
    return Refuse(ErrorCode::kFailedToParse, "empty variable names are not allowed");
  }
  if (!is_start(name.front())) {
    return Refuse(
        ErrorCode::kFailedToParse,
        fmt::format("'{}' starts with an invalid character for a user variable name", name));
  }
  if (const auto bad = std::ranges::find_if_not(name, is_part); bad != name.end()) {
    return Refuse(
        ErrorCode::kFailedToParse,
        fmt::format("'{}' contains an invalid character for a variable name: '{}'", name, *bad));
  }
  return {};
}

Answer<ExpressionPtr> ExpressionParser::Parse(const Value& value) {
  switch (value.kind()) {
    case Kind::kString:
      if (value.AsString().starts_with('$')) return ParsePath(value.AsString());
      return ConstantExpression(value);
    case Kind::kObject:
      break;
    case Kind::kArray: {
      MONGO_ASSIGN(std::vector<ExpressionPtr> elements, ParseArguments(value));
      auto array = std::make_shared<ArrayExpression>(elements);
      return Folded(std::move(array), elements, *context_);
    }
    default:
      return ConstantExpression(value);
  }
  if (++depth_ > kParseDepthMax) {
    return Refuse(ErrorCode::kOverflow, "expression is nested too deeply");
  }
  const Fields& fields = value.AsFields();
  Answer<ExpressionPtr> result =
      !fields.empty() && fields.front().name.starts_with('$')
          ? (fields.size() == 1
                 ? ParseOperator(fields.front().name, fields.front().value)
                 : Refuse(15983, fmt::format("an expression specification must contain exactly one "
                                             "field, the name of the expression. Found {} fields.",
                                             fields.size())))
          : ParseObject(fields);
  --depth_;
  return result;
}

Answer<ExpressionPtr> ExpressionParser::ParseObject(const Fields& fields) {
  std::vector<std::pair<std::string, ExpressionPtr>> parsed;
  std::vector<ExpressionPtr> parts;
  for (const Field& field : fields) {
    if (field.name.starts_with('$')) {
      return Refuse(16410,
                    fmt::format("FieldPath field names may not start with '$'. Consider using "
                                "$getField or $setField."));
    }
    if (field.name.find('.') != std::string::npos) {
      return Refuse(16412, "FieldPath field names may not contain '.'.");
    }
    MONGO_ASSIGN(ExpressionPtr expression, Parse(field.value));
    parts.push_back(expression);
    const auto same = std::ranges::find(parsed, field.name, [](const auto& p) { return p.first; });
    if (same != parsed.end()) {
      return Refuse(
          16406, fmt::format("duplicate field name specified in object literal: {}", field.name));
    }
    parsed.emplace_back(field.name, std::move(expression));
  }
  return Folded(std::make_shared<ObjectExpression>(std::move(parsed)), parts, *context_);
}

Answer<std::vector<ExpressionPtr>> ExpressionParser::ParseArguments(const Value& argument) {
  std::vector<ExpressionPtr> expressions;
  if (argument.kind() != Kind::kArray) {
    MONGO_ASSIGN(ExpressionPtr expression, Parse(argument));
    expressions.push_back(std::move(expression));
    return expressions;
  }
  for (const Value& element : argument.AsValues()) {
    MONGO_ASSIGN(ExpressionPtr expression, Parse(element));
    expressions.push_back(std::move(expression));
  }
  return expressions;
}

Answer<ExpressionPtr> ExpressionParser::ParseOperator(const std::string& name,
                                                      const Value& argument) {
  if (const SpecialOperator* special = FindSpecialOperator(name)) {
    return special->parse(*this, name, argument);
  }
  if (const NamedOperator* named = FindNamedOperator(name)) return ParseNamed(*named, argument);
  const ListOperator* row = FindListOperator(name);
  if (row == nullptr) {
    return Refuse(ErrorCode::kInvalidPipelineOperator,
                  fmt::format("Unrecognized expression '{}'", name));
  }
  MONGO_ASSIGN(std::vector<ExpressionPtr> arguments, ParseArguments(argument));
  if (row->arguments_min == row->arguments_max && arguments.size() != row->arguments_min) {
    return Refuse(16020, fmt::format("Expression {} takes exactly {} arguments. {} were passed in.",
                                     name, row->arguments_min, arguments.size()));
  }
  if (arguments.size() < row->arguments_min || arguments.size() > row->arguments_max) {
    if (row->arguments_max == kAnyArguments) {
      return Refuse(ErrorCode::kBadValue, fmt::format("Expression {} needs at least {} arguments",
                                                      name, row->arguments_min));
    }
    return Refuse(28667,
                  fmt::format("Expression {} takes at least {} arguments, and at most {}, "
                              "but {} were passed in.",
                              name, row->arguments_min, row->arguments_max, arguments.size()));
  }
  if (row->check != nullptr && context().refuses_bad_constants)
    MONGO_TRY(row->check(row->name, arguments));
  auto call = std::make_shared<CallExpression>(row->name, row->function, arguments, UINT32_MAX,
                                               row->null_stop);
  if (!row->is_deterministic) return call;
  return Folded(std::move(call), arguments, *context_);
}

Answer<ExpressionPtr> ExpressionParser::ParseNamed(const NamedOperator& row,
                                                   const Value& argument) {
  if (argument.kind() != Kind::kObject) {
    return Refuse(row.not_object_code,
                  fmt::format("{} only supports an object as an argument, found: {}", row.name,
                              BsonTypeName(argument.kind())));
  }
  std::vector<ExpressionPtr> arguments(row.arguments.size());
  uint32_t given = 0;
  for (const Field& field : argument.AsFields()) {
    const auto known = std::ranges::find(row.arguments, field.name, &NamedArgument::name);
    if (known == row.arguments.end()) {
      return Refuse(row.unknown_code,
                    fmt::format("{} found an unknown argument: {}", row.name, field.name));
    }
    const auto index = static_cast<size_t>(known - row.arguments.begin());
    if (known->is_literal) {
      arguments[index] = ConstantExpression(field.value);
    } else {
      MONGO_ASSIGN(arguments[index], Parse(field.value));
    }
    given |= 1U << index;
  }
  for (size_t i = 0; i < row.arguments.size(); ++i) {
    if (row.arguments[i].is_required && arguments[i] == nullptr) {
      return Refuse(row.missing_code, fmt::format("{} requires '{}' to be specified", row.name,
                                                  row.arguments[i].name));
    }
  }
  if (row.check != nullptr && context().refuses_bad_constants)
    MONGO_TRY(row.check(row.name, arguments));
  auto call = std::make_shared<CallExpression>(row.name, row.function, arguments, given);
  if (!row.is_folded) return call;
  return Folded(std::move(call), arguments, *context_);
}

namespace {

Outcome CheckPathSteps(const std::vector<std::string>& steps) {
  for (const std::string& step : steps) {
    if (step.empty()) {
      return Refuse(steps.size() == 1 ? 40352 : 15998,
                    steps.size() == 1 ? "FieldPath cannot be constructed with empty string"
                                      : "FieldPath field names may not be empty strings.");
    }
    if (step.starts_with('$')) {
      return Refuse(16410,
                    "FieldPath field names may not start with '$'. Consider using $getField or "
                    "$setField.");
    }
    if (step.find('\0') != std::string::npos) {
      return Refuse(16411, "FieldPath field names may not contain '\\0'.");
    }
  }
  return {};
}

}  // namespace

Answer<ExpressionPtr> ExpressionParser::ParsePath(const std::string& text) {
  if (text.starts_with("$$")) return ParseVariable(std::string_view(text).substr(2));
  if (text.size() == 1) return Refuse(16872, "'$' by itself is not a valid FieldPath");
  if (text.back() == '.') return Refuse(40353, "FieldPath must not end with a '.'.");
  std::vector<std::string> steps = SplitPath(std::string_view(text).substr(1));
  MONGO_TRY(CheckPathSteps(steps));
  for (size_t slot = scopes_.size(); slot-- > 0;) {
    if (scopes_[slot] == "CURRENT") {
      return std::make_shared<VariableExpression>(slot, std::move(steps));
    }
  }
  return std::make_shared<PathExpression>(text.substr(1));
}

Answer<ExpressionPtr> ExpressionParser::ParseVariable(std::string_view text) {
  if (text.empty()) return Refuse(16870, "'$$' by itself is not a valid Variable");
  if (text.back() == '.') return Refuse(40353, "FieldPath must not end with a '.'.");
  std::vector<std::string> steps = SplitPath(text);
  const std::string name = steps.front();
  steps.erase(steps.begin());
  MONGO_TRY(CheckPathSteps(steps));
  for (size_t slot = scopes_.size(); slot-- > 0;) {
    if (scopes_[slot] == name) return std::make_shared<VariableExpression>(slot, std::move(steps));
  }
  const auto constant = [&](const Value& value) {
    return ConstantExpression(steps.empty() ? value : Value::Undefined());
  };
  if (name == "ROOT" || name == "CURRENT") {
    if (name == "CURRENT" && !steps.empty()) {
      std::string path(text.substr(name.size() + 1));
      return std::make_shared<PathExpression>(std::move(path));
    }
    return std::make_shared<RootExpression>(std::move(steps), name == "CURRENT");
  }
  if (name == "REMOVE") return constant(Value::Undefined());
  if (name == "NOW") return constant(Value::DateTime(context_->now_unix_ms));
  if (name == "CLUSTER_TIME") {
    if (!context_->cluster_time.has_value()) {
      return Refuse(51144, "Builtin variable '$$CLUSTER_TIME' is not available");
    }
    return constant(Value::Timestamp(*context_->cluster_time));
  }
  if (name == "USER_ROLES" && context_->user_roles.has_value())
    return constant(*context_->user_roles);
  if (name == "DESCEND") return constant(Value::String("descend"));
  if (name == "PRUNE") return constant(Value::String("prune"));
  if (name == "KEEP") return constant(Value::String("keep"));
  for (const Field& variable : context_->variables) {
    if (variable.name != name) continue;
    return ConstantExpression(ValueAtPath(variable.value, steps));
  }
  return Refuse(17276, fmt::format("Use of undefined variable: {}", name));
}

Answer<ExpressionPtr> ParseExpression(const Value& expression, const QueryContext& context) {
  return ExpressionParser(context).Parse(expression);
}

Answer<Value> EvaluateOn(const Expression& expression, model::DocumentView document,
                         const QueryContext& context, const RowMeta* meta) {
  Evaluation evaluation{.root = document, .context = context, .meta = meta};
  return expression.Evaluate(evaluation);
}

bool IsTrue(const Value& value) {
  switch (value.kind()) {
    case Kind::kBool:
      return value.AsBool();
    case Kind::kNull:
    case Kind::kUndefined:
      return false;
    default:
      return !value.is_number() ||
             model::Compare(value, Value::Int32(0), model::Order::kMongo) != 0;
  }
}

}  // namespace orrery::mongo
