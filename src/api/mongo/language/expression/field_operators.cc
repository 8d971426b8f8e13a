// $getField, $setField, $unsetField, $meta, $function.
#include <fmt/core.h>

#include "api/mongo/language/expression/expression_parser.h"
#include "api/mongo/language/expression/operator_table.h"
#include "api/mongo/language/script_runner.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/print.h"

namespace orrery::mongo {
namespace {

using model::Field;
using model::Kind;
using model::Value;

class GetFieldExpression final : public Expression {
 public:
  Answer<Value> Evaluate(Evaluation& evaluation) const override {
    if (input == nullptr) {
      return evaluation.current.value_or(evaluation.root).Get(name);
    }
    MONGO_ASSIGN(const Value object, input->Evaluate(evaluation));
    if (IsNullish(object)) return object.is_null() ? Value::Null() : Value::Undefined();
    const Value* value = object.Find(name);
    return value == nullptr ? Value::Undefined() : *value;
  }

  std::string name;
  ExpressionPtr input;  // nullptr: $$CURRENT
};

Answer<std::string> FieldName(ExpressionParser& parser, const std::string& operation,
                              const Value& value, int32_t code) {
  MONGO_ASSIGN(const ExpressionPtr expression, parser.Parse(value));
  const Value* name = expression->constant();
  if (name == nullptr || name->kind() != Kind::kString) {
    return Refuse(code,
                  fmt::format("{} requires 'field' to evaluate to a constant string", operation));
  }
  return name->AsString();
}

Answer<ExpressionPtr> ParseGetField(ExpressionParser& parser, const std::string& name,
                                    const Value& argument) {
  auto get = std::make_shared<GetFieldExpression>();
  const bool is_named = argument.kind() == Kind::kObject && !argument.AsFields().empty() &&
                        !argument.AsFields().front().name.starts_with('$');
  if (!is_named) {
    MONGO_ASSIGN(get->name, FieldName(parser, name, argument, 5654600));
    return get;
  }
  bool has_field = false;
  for (const Field& field : argument.AsFields()) {
    if (field.name == "field") {
      MONGO_ASSIGN(get->name, FieldName(parser, name, field.value, 5654600));
      has_field = true;
    } else if (field.name == "input") {
      const ExpressionParser::Unfolded unfolded(parser);
      MONGO_ASSIGN(get->input, parser.Parse(field.value));
    } else {
      return Refuse(3041701, fmt::format("$getField found an unknown argument: {}", field.name));
    }
  }
  if (!has_field) return Refuse(3041702, "$getField requires 'field' to be specified");
  if (get->input == nullptr) return Refuse(3041703, "$getField requires 'input' to be specified");
  return get;
}

class SetFieldExpression final : public Expression {
 public:
  Answer<Value> Evaluate(Evaluation& evaluation) const override {
    MONGO_ASSIGN(Value object, input->Evaluate(evaluation));
    if (IsNullish(object)) return Value::Null();
    if (object.kind() != Kind::kObject) {
      return Refuse(4161105, fmt::format("$setField requires 'input' to evaluate to type Object"));
    }
    Value computed;
    if (value != nullptr) {
      MONGO_ASSIGN(computed, value->Evaluate(evaluation));
    }
    model::Fields& fields = object.MutableFields();
    const auto found = std::ranges::find(fields, name, &Field::name);
    if (computed.is_undefined()) {
      if (found != fields.end()) fields.erase(found);
    } else if (found == fields.end()) {
      fields.push_back({name, std::move(computed)});
    } else {
      found->value = std::move(computed);
    }
    return object;
  }

  std::string name;
  ExpressionPtr input;
  ExpressionPtr value;  // nullptr: removed
};

Answer<ExpressionPtr> ParseSetField(ExpressionParser& parser, const std::string& name,
                                    const Value& argument) {
  if (argument.kind() != Kind::kObject) {
    return Refuse(4161100, fmt::format("{} only supports an object as its argument", name));
  }
  auto set = std::make_shared<SetFieldExpression>();
  bool has_field = false;
  for (const Field& field : argument.AsFields()) {
    if (field.name == "field") {
      MONGO_ASSIGN(set->name, FieldName(parser, name, field.value, 4161106));
      has_field = true;
    } else if (field.name == "input") {
      const ExpressionParser::Unfolded unfolded(parser);
      MONGO_ASSIGN(set->input, parser.Parse(field.value));
    } else if (field.name == "value" && name == "$setField") {
      const ExpressionParser::Unfolded unfolded(parser);
      MONGO_ASSIGN(set->value, parser.Parse(field.value));
    } else {
      return Refuse(4161101, fmt::format("{} found an unknown argument: {}", name, field.name));
    }
  }
  if (!has_field) return Refuse(4161102, fmt::format("{} requires 'field' to be specified", name));
  if (name == "$setField" && set->value == nullptr) {
    return Refuse(4161103, "$setField requires 'value' to be specified");
  }
  if (set->input == nullptr) {
    return Refuse(4161109, fmt::format("{} requires 'input' to be specified", name));
  }
  return set;
}

class MetaExpression final : public Expression {
 public:
  explicit MetaExpression(std::string name) : name_(std::move(name)) {}
  Answer<Value> Evaluate(Evaluation& evaluation) const override {
    const RowMeta* meta = evaluation.meta;
    if (meta == nullptr) return Value::Undefined();
    const auto number = [](const std::optional<double>& value) {
      return value.has_value() ? Value::Double(*value) : Value::Undefined();
    };
    const auto any = [](const std::optional<Value>& value) {
      return value.has_value() ? *value : Value::Undefined();
    };
    if (name_ == "textScore") return number(meta->text_score);
    if (name_ == "geoNearDistance") return number(meta->geo_distance);
    if (name_ == "geoNearPoint") return any(meta->geo_point);
    if (name_ == "sortKey") return any(meta->sort_key);
    if (name_ == "recordId") return any(meta->record_id);
    return any(meta->index_key);
  }

 private:
  std::string name_;
};

Answer<ExpressionPtr> ParseMeta(ExpressionParser&, const std::string&, const Value& argument) {
  if (argument.kind() != Kind::kString) {
    return Refuse(17307, "$meta only supports string arguments");
  }
  const std::string& name = argument.AsString();
  if (name != "textScore" && name != "geoNearDistance" && name != "geoNearPoint" &&
      name != "sortKey" && name != "recordId" && name != "indexKey") {
    return Refuse(17308, fmt::format("Unsupported argument to $meta: {}", name));
  }
  return std::make_shared<MetaExpression>(name);
}

class FunctionExpression final : public Expression {
 public:
  Answer<Value> Evaluate(Evaluation& evaluation) const override {
    if (evaluation.context.scripts == nullptr) {
      return Refuse(31264,
                    "Cannot run server-side javascript without the javascript engine enabled");
    }
    MONGO_ASSIGN(const Value list, arguments->Evaluate(evaluation));
    if (list.kind() != Kind::kArray) {
      return Refuse(31266, "The args field must be of type array");
    }
    MONGO_ASSIGN(Value result, evaluation.context.scripts->Call(body, list.AsValues(), nullptr));
    return result.is_undefined() ? Value::Null() : std::move(result);
  }

  std::string body;
  ExpressionPtr arguments;
};

Answer<ExpressionPtr> ParseFunction(ExpressionParser& parser, const std::string&,
                                    const Value& argument) {
  const Value* body = argument.Find("body");
  const Value* args = argument.Find("args");
  const Value* lang = argument.Find("lang");
  if (body == nullptr) return Refuse(31261, "The body function must be specified.");
  if (body->kind() != Kind::kString && body->kind() != Kind::kJavaScript) {
    return Refuse(31262, "The body function must evaluate to type string or code");
  }
  if (args == nullptr) return Refuse(31263, "The args field must be specified.");
  if (lang == nullptr) return Refuse(31418, "The lang field must be specified.");
  if (lang->kind() != Kind::kString || lang->AsString() != "js") {
    return Refuse(31419, "Currently the only supported language specifier is 'js'.");
  }
  auto function = std::make_shared<FunctionExpression>();
  function->body = body->AsString();
  MONGO_ASSIGN(function->arguments, parser.Parse(*args));
  return function;
}

constexpr SpecialOperator kFieldOperators[] = {
    {"$getField", ParseGetField}, {"$setField", ParseSetField}, {"$unsetField", ParseSetField},
    {"$meta", ParseMeta},         {"$function", ParseFunction},
};

}  // namespace

std::span<const SpecialOperator> FieldOperators() { return kFieldOperators; }

}  // namespace orrery::mongo
