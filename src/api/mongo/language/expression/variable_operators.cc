// $let, $map, $filter, $reduce: operators that bind variables.
#include <fmt/core.h>

#include "api/mongo/language/expression/expression_parser.h"
#include "api/mongo/language/expression/operator_table.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/number.h"
#include "api/mongo/language/value/work.h"

namespace orrery::mongo {
namespace {

using model::Field;
using model::Kind;
using model::Value;
using model::Values;

void SetVariable(Evaluation& evaluation, size_t slot, Value value) {
  if (evaluation.variables.size() <= slot) evaluation.variables.resize(slot + 1);
  evaluation.variables[slot] = std::move(value);
}

class LetExpression final : public Expression {
 public:
  Answer<Value> Evaluate(Evaluation& evaluation) const override {
    Values values;
    for (const auto& [slot, expression] : bound) {
      MONGO_ASSIGN(Value value, expression->Evaluate(evaluation));
      values.push_back(std::move(value));
    }
    for (size_t i = 0; i < bound.size(); ++i) {
      SetVariable(evaluation, bound[i].first, std::move(values[i]));
    }
    return in->Evaluate(evaluation);
  }

  std::vector<std::pair<size_t, ExpressionPtr>> bound;
  ExpressionPtr in;
};

Answer<ExpressionPtr> ParseLet(ExpressionParser& parser, const std::string&,
                               const Value& argument) {
  if (argument.kind() != Kind::kObject)
    return Refuse(16874, "$let only supports an object as its argument");
  const Value* vars = argument.Find("vars");
  const Value* in = argument.Find("in");
  for (const Field& field : argument.AsFields()) {
    if (field.name != "vars" && field.name != "in") {
      return Refuse(16875, fmt::format("Unrecognized parameter to $let: {}", field.name));
    }
  }
  if (vars == nullptr) return Refuse(16876, "Missing 'vars' parameter to $let");
  if (in == nullptr) return Refuse(16877, "Missing 'in' parameter to $let");
  if (vars->kind() != Kind::kObject) {
    return Refuse(ErrorCode::kTypeMismatch, "invalid parameter: expected an object (vars)");
  }
  auto let = std::make_shared<LetExpression>();
  std::vector<ExpressionPtr> values;
  for (const Field& field : vars->AsFields()) {
    MONGO_TRY(ExpressionParser::CheckVariableName(field.name));
    MONGO_ASSIGN(ExpressionPtr value, parser.Parse(field.value));
    values.push_back(std::move(value));
  }
  std::vector<std::unique_ptr<ExpressionParser::Scope>> scopes;
  for (size_t i = 0; i < values.size(); ++i) {
    scopes.push_back(std::make_unique<ExpressionParser::Scope>(parser, vars->AsFields()[i].name));
    let->bound.emplace_back(scopes.back()->slot(), values[i]);
  }
  Answer<ExpressionPtr> body = parser.Parse(*in);
  while (!scopes.empty()) scopes.pop_back();
  MONGO_ASSIGN(let->in, std::move(body));
  return let;
}

// $map and $filter.
class EachExpression final : public Expression {
 public:
  Answer<Value> Evaluate(Evaluation& evaluation) const override {
    MONGO_ASSIGN(const Value list, input->Evaluate(evaluation));
    if (IsNullish(list)) return Value::Null();
    if (list.kind() != Kind::kArray) {
      return is_filter ? Refuse(28651, fmt::format("input to $filter must be an array not {}",
                                                   BsonTypeName(list.kind())))
                       : Refuse(16883, fmt::format("input to $map must be an array not {}",
                                                   BsonTypeName(list.kind())));
    }
    int64_t left = INT64_MAX;
    if (limit != nullptr) {
      MONGO_ASSIGN(const Value value, limit->Evaluate(evaluation));
      if (!IsNullish(value)) {
        const std::optional<int64_t> number =
            value.is_number() ? ExactInt64(value) : std::optional<int64_t>();
        if (!number.has_value()) {
          return Refuse(327391, "$filter: limit must be represented as a 32-bit integral value");
        }
        if (*number <= 0) {
          return Refuse(327392, fmt::format("$filter: limit must be greater than 0: {}", *number));
        }
        left = *number;
      }
    }
    Values results;
    size_t made = 0;  // elements, those of results that are arrays included
    for (const Value& element : list.AsValues()) {
      if (left == 0) break;
      SetVariable(evaluation, slot, element);
      MONGO_ASSIGN(Value value, body->Evaluate(evaluation));
      MONGO_TRY(CountWork());
      made += 1 + ElementsOf(value);
      if (made > kMadeElementsMax)
        return Refuse(ErrorCode::kExceededMemoryLimit, "$map would make too many elements");
      if (!is_filter) {
        results.push_back(value.is_undefined() ? Value::Null() : std::move(value));
      } else if (IsTrue(value)) {
        results.push_back(element);
        --left;
      }
    }
    return Value::Array(std::move(results));
  }

  ExpressionPtr input;
  ExpressionPtr body;
  ExpressionPtr limit;
  size_t slot = 0;
  bool is_filter = false;
};

Answer<ExpressionPtr> ParseEach(ExpressionParser& parser, const std::string& name,
                                const Value& argument) {
  auto each = std::make_shared<EachExpression>();
  each->is_filter = name == "$filter";
  const std::string body_name = each->is_filter ? "cond" : "in";
  if (argument.kind() != Kind::kObject) {
    return Refuse(each->is_filter ? 28646 : 16878,
                  fmt::format("{} only supports an object as its argument", name));
  }
  std::string variable = "this";
  const Value* body = nullptr;
  for (const Field& field : argument.AsFields()) {
    if (field.name == "input") {
      MONGO_ASSIGN(each->input, parser.Parse(field.value));
    } else if (field.name == "as") {
      if (field.value.kind() != Kind::kString) {
        return Refuse(ErrorCode::kTypeMismatch, fmt::format("'as' of {} must be a string", name));
      }
      variable = field.value.AsString();
      MONGO_TRY(ExpressionParser::CheckVariableName(variable));
    } else if (field.name == body_name) {
      body = &field.value;
    } else if (field.name == "limit" && each->is_filter) {
      MONGO_ASSIGN(each->limit, parser.Parse(field.value));
    } else {
      return Refuse(each->is_filter ? 28647 : 16879,
                    fmt::format("Unrecognized parameter to {}: {}", name, field.name));
    }
  }
  if (each->input == nullptr) {
    return Refuse(each->is_filter ? 28648 : 16880,
                  fmt::format("Missing 'input' parameter to {}", name));
  }
  if (body == nullptr) {
    return Refuse(each->is_filter ? 28650 : 16882,
                  fmt::format("Missing '{}' parameter to {}", body_name, name));
  }
  ExpressionParser::Scope scope(parser, variable);
  each->slot = scope.slot();
  MONGO_ASSIGN(each->body, parser.Parse(*body));
  return each;
}

class ReduceExpression final : public Expression {
 public:
  Answer<Value> Evaluate(Evaluation& evaluation) const override {
    MONGO_ASSIGN(const Value list, input->Evaluate(evaluation));
    if (IsNullish(list)) return Value::Null();
    if (list.kind() != Kind::kArray) {
      return Refuse(40080, fmt::format("$reduce requires that 'input' be an array, found: {}",
                                       BsonTypeName(list.kind())));
    }
    MONGO_ASSIGN(Value accumulated, initial->Evaluate(evaluation));
    for (const Value& element : list.AsValues()) {
      SetVariable(evaluation, this_slot, element);
      SetVariable(evaluation, value_slot, std::move(accumulated));
      MONGO_TRY(CountWork());
      MONGO_ASSIGN(accumulated, body->Evaluate(evaluation));
    }
    return accumulated;
  }

  ExpressionPtr input;
  ExpressionPtr initial;
  ExpressionPtr body;
  size_t this_slot = 0;
  size_t value_slot = 0;
};

Answer<ExpressionPtr> ParseReduce(ExpressionParser& parser, const std::string&,
                                  const Value& argument) {
  if (argument.kind() != Kind::kObject) {
    return Refuse(40075, fmt::format("$reduce requires an object as an argument, found: {}",
                                     BsonTypeName(argument.kind())));
  }
  auto reduce = std::make_shared<ReduceExpression>();
  const Value* body = nullptr;
  for (const Field& field : argument.AsFields()) {
    if (field.name == "input") {
      MONGO_ASSIGN(reduce->input, parser.Parse(field.value));
    } else if (field.name == "initialValue") {
      MONGO_ASSIGN(reduce->initial, parser.Parse(field.value));
    } else if (field.name == "in") {
      body = &field.value;
    } else {
      return Refuse(40076, fmt::format("$reduce found an unknown argument: {}", field.name));
    }
  }
  if (reduce->input == nullptr) return Refuse(40077, "$reduce requires 'input' to be specified");
  if (reduce->initial == nullptr) {
    return Refuse(40078, "$reduce requires 'initialValue' to be specified");
  }
  if (body == nullptr) return Refuse(40079, "$reduce requires 'in' to be specified");
  ExpressionParser::Scope this_scope(parser, "this");
  ExpressionParser::Scope value_scope(parser, "value");
  reduce->this_slot = this_scope.slot();
  reduce->value_slot = value_scope.slot();
  MONGO_ASSIGN(reduce->body, parser.Parse(*body));
  return reduce;
}

constexpr SpecialOperator kVariableOperators[] = {
    {"$let", ParseLet}, {"$map", ParseEach}, {"$filter", ParseEach}, {"$reduce", ParseReduce}};

}  // namespace

std::span<const SpecialOperator> VariableOperators() { return kVariableOperators; }

}  // namespace orrery::mongo
