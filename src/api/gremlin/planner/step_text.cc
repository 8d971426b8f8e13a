#include "api/gremlin/planner/step_text.h"

#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

// A script may nest deeply, and its text would repeat what is inside at each level.
constexpr int kShownDepthMax = 8;

std::string ChainText(const std::vector<Instruction>& steps, int depth);

std::string ArgumentText(const Value& value, int depth) {
  if (value.type() != Type::kTraversal) return ToText(value);
  return depth >= kShownDepthMax ? "[..]" : ChainText(value.AsTraversal().steps, depth + 1);
}

std::string CallText(const std::string& name, const Values& args, int depth) {
  std::string text = name + "(";
  for (size_t i = 0; i < args.size(); ++i) {
    if (i > 0) text += ",";
    text += ArgumentText(args[i], depth);
  }
  return text + ")";
}

std::string ChainText(const std::vector<Instruction>& steps, int depth) {
  std::string text = "[";
  for (size_t i = 0; i < steps.size(); ++i) {
    if (i > 0) text += ", ";
    text += CallText(steps[i].name, steps[i].args, depth);
  }
  return text + "]";
}

std::string PredicateText(const Predicate& predicate) {
  return ToText(Value(std::make_shared<const Predicate>(predicate)));
}

// Tells by which index V() and E() find their elements.
std::string AccessText(const Step& step) {
  std::string text;
  const auto add = [&text](const std::string& condition) {
    text += (text.empty() ? "{" : ", ") + condition;
  };
  const auto joined = [](const auto& items, auto to_text) {
    std::string all;
    for (const auto& item : items) all += (all.empty() ? "" : "|") + to_text(item);
    return all;
  };
  const auto same = [](const std::string& word) { return word; };
  if (step.query.partitions.has_value())
    add("partition = " + joined(*step.query.partitions, [](const Value& v) { return ToText(v); }));
  if (step.query.ids.has_value()) add("id = " + joined(*step.query.ids, same));
  if (step.query.labels.has_value()) add("label = " + joined(*step.query.labels, same));
  for (const PropertyCondition& condition : step.query.conditions)
    add(condition.key + " " + PredicateText(*condition.predicate));
  if (step.wanted != SIZE_MAX) add("limit " + std::to_string(step.wanted));
  return text.empty() ? text : text + "}";
}

Value Texts(const std::vector<std::string>& texts) {
  Values items;
  for (const std::string& text : texts) items.push_back(Value::String(text));
  return Value::List(std::move(items));
}

}  // namespace

std::string StepText(const Instruction& instruction) {
  return CallText(instruction.name, instruction.args, 0);
}

std::string StepText(const Step& step) {
  std::string text = CallText(step.name, step.args, 0);
  if (step.name == "V" || step.name == "E") text += AccessText(step);
  for (const std::string& label : step.labels) text += "@" + label;
  return text;
}

std::string TraversalText(const Bytecode& traversal) { return ChainText(traversal.steps, 0); }

Value Explanation(const Bytecode& given, const Plan& plan) {
  std::vector<std::string> original;
  for (const Instruction& step : given.steps) original.push_back(StepText(step));
  std::vector<std::string> compiled;
  for (const Step& step : plan.traversal.steps) compiled.push_back(StepText(step));
  Values stages;
  stages.push_back(Value::Map({{"strategy", Value::String("ElementAccessStrategy")},
                               {"category", Value::String("ProviderOptimizationStrategy")},
                               {"traversal", Texts(compiled)}}));
  return Value::Metrics({{"original", Texts(original)},
                         {"intermediate", Value::List(std::move(stages))},
                         {"final", Texts(compiled)}});
}

}  // namespace orrery::gremlin
