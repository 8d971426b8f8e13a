#include "api/mongo/language/expression/nodes.h"

#include "api/mongo/language/expression/path_value.h"
#include "api/mongo/language/value/field_path.h"
#include "api/mongo/language/value/work.h"

namespace orrery::mongo {

using model::DocumentView;
using model::Value;

PathExpression::PathExpression(std::string path)
    : path_(std::move(path)), steps_(SplitPath(path_)) {}

Answer<Value> PathExpression::Evaluate(Evaluation& evaluation) const {
  return ValueAtPath(evaluation.current.value_or(evaluation.root), steps_);
}

Answer<Value> VariableExpression::Evaluate(Evaluation& evaluation) const {
  return ValueAtPath(evaluation.variables[slot_], steps_);
}

Answer<Value> RootExpression::Evaluate(Evaluation& evaluation) const {
  return ValueAtPath(is_current_ ? evaluation.current.value_or(evaluation.root) : evaluation.root,
                     steps_);
}

Answer<Value> ObjectExpression::Evaluate(Evaluation& evaluation) const {
  model::Fields fields;
  fields.reserve(fields_.size());
  for (const auto& [name, expression] : fields_) {
    MONGO_ASSIGN(Value value, expression->Evaluate(evaluation));
    if (!value.is_undefined()) fields.push_back({name, std::move(value)});
  }
  return Value::Object(std::move(fields));
}

Answer<Value> ArrayExpression::Evaluate(Evaluation& evaluation) const {
  model::Values values;
  values.reserve(elements_.size());
  for (const ExpressionPtr& element : elements_) {
    MONGO_ASSIGN(Value value, element->Evaluate(evaluation));
    values.push_back(value.is_undefined() ? Value::Null() : std::move(value));
  }
  return Value::Array(std::move(values));
}

Answer<Value> CallExpression::Evaluate(Evaluation& evaluation) const {
  std::vector<Value> arguments(arguments_.size());
  size_t elements = 1;
  for (size_t i = 0; i < arguments_.size(); ++i) {
    if (arguments_[i] == nullptr) continue;
    MONGO_ASSIGN(arguments[i], arguments_[i]->Evaluate(evaluation));
    elements += ElementsOf(arguments[i]);
    const bool is_stop =
        null_stop_ == NullStop::kEach || (null_stop_ == NullStop::kFirst && i == 0);
    if (is_stop && IsNullish(arguments[i])) break;
    if (null_stop_ == NullStop::kOneOfTwo && i == 1 &&
        (IsNullish(arguments[0]) || IsNullish(arguments[1]))) {
      break;
    }
  }
  MONGO_TRY(CountWork(elements));
  return function_({name_, arguments, evaluation.context, evaluation.meta, given_});
}

}  // namespace orrery::mongo
