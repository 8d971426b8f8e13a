// From the filters behind V() and E() to what the store can look up.
#include <algorithm>

#include "api/gremlin/planner/compiler.h"
#include "api/gremlin/value/relation.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

// The values that a predicate allows, if it names them all.
std::optional<Values> AllowedBy(const Value& test) {
  if (test.type() != Type::kPredicate) {
    if (test.type() == Type::kTraversal) return std::nullopt;
    return Values{test};
  }
  const Predicate& predicate = test.AsPredicate();
  if (predicate.comparison == Comparison::kEq || predicate.comparison == Comparison::kWithin)
    return predicate.values;
  return std::nullopt;
}

template <typename T, typename Same>
void Narrow(std::optional<std::vector<T>>& known, std::vector<T> allowed, Same same) {
  if (!known.has_value()) {
    known = std::move(allowed);
    return;
  }
  std::erase_if(*known, [&](const T& item) {
    return std::ranges::none_of(allowed, [&](const T& other) { return same(item, other); });
  });
}

bool SameText(const std::string& a, const std::string& b) { return a == b; }

void NarrowIds(ElementQuery& query, const Values& allowed) {
  std::vector<std::string> ids;
  for (const Value& id : allowed) {
    if (id.is_element()) {
      ids.push_back(IdText(*IdOf(id)));
    } else if (IsIdType(id.type())) {
      ids.push_back(IdText(id));
    } else if (!id.is_null()) {
      return;
    }
  }
  Narrow(query.ids, std::move(ids), SameText);
}

void NarrowLabels(ElementQuery& query, const Values& allowed) {
  std::vector<std::string> labels;
  for (const Value& label : allowed) {
    if (label.is_string()) labels.push_back(label.AsString());
  }
  Narrow(query.labels, std::move(labels), SameText);
}

void FoldHas(ElementQuery& query, const Step& step, const GraphRules& rules) {
  Values args = step.args;
  if (args.size() == 3) {
    if (!args[0].is_string()) return;
    NarrowLabels(query, {args[0]});
    args.erase(args.begin());
  }
  if (args.size() != 2 || args[1].type() == Type::kTraversal) return;
  const auto allowed = AllowedBy(args[1]);
  const bool is_id =
      args[0].is_enum("T", "id") || (args[0].is_string() && args[0].AsString() == "id");
  const bool is_label =
      args[0].is_enum("T", "label") || (args[0].is_string() && args[0].AsString() == "label");
  if (is_id) {
    if (allowed.has_value()) NarrowIds(query, *allowed);
    return;
  }
  if (is_label) {
    if (allowed.has_value()) NarrowLabels(query, *allowed);
    return;
  }
  if (!args[0].is_string()) return;
  const std::string& key = args[0].AsString();
  if (key == rules.partition_key && !rules.partition_is_id) {
    if (query.kind == ElementKind::kVertex && allowed.has_value())
      Narrow(query.partitions, *allowed, Equals);
    return;
  }
  auto predicate = args[1].type() == Type::kPredicate
                       ? args[1].predicate()
                       : std::make_shared<const Predicate>(
                             Predicate{.comparison = Comparison::kEq, .values = {args[1]}});
  query.conditions.push_back({.key = key, .predicate = std::move(predicate)});
}

bool IsLabelFilter(const Step& step) {
  return step.name == "hasLabel" && !step.args.empty() && step.labels.empty() &&
         std::ranges::all_of(step.args, [](const Value& arg) { return arg.is_string(); });
}

}  // namespace

void FoldCount(Traversal& traversal) {
  std::vector<Step>& steps = traversal.steps;
  if (steps.empty()) return;
  Step& source = steps.front();
  if ((source.name != "V" && source.name != "E") || !source.args.empty() || !source.labels.empty())
    return;
  const auto end = std::find_if_not(steps.begin() + 1, steps.end(), IsLabelFilter);
  if (end == steps.end() || end->name != "count" || !end->args.empty()) return;
  source.counts_only = true;
  steps.erase(steps.begin() + 1, end);
}

void FoldFilters(Traversal& traversal, const GraphRules& rules) {
  for (size_t i = 0; i < traversal.steps.size(); ++i) {
    Step& source = traversal.steps[i];
    if (source.name != "V" && source.name != "E") continue;
    source.query.kind = source.name == "V" ? ElementKind::kVertex : ElementKind::kEdge;
    for (size_t j = i + 1; j < traversal.steps.size(); ++j) {
      const Step& step = traversal.steps[j];
      if (step.name == "has") {
        FoldHas(source.query, step, rules);
      } else if (step.name == "hasLabel" && !step.args.empty()) {
        if (std::ranges::all_of(step.args, [](const Value& arg) { return arg.is_string(); }))
          NarrowLabels(source.query, step.args);
      } else if (step.name == "hasId" && !step.args.empty()) {
        Values ids = step.args.size() == 1 && step.args.front().is_collection()
                         ? Values(step.args.front().AsItems())
                         : step.args;
        if (std::ranges::all_of(ids, [](const Value& id) { return IsIdType(id.type()); }))
          NarrowIds(source.query, ids);
      } else if (step.name == "limit" && step.args.size() == 1 && step.args.front().is_integer()) {
        source.wanted = static_cast<size_t>(std::max<int64_t>(0, step.args.front().AsInteger()));
        break;
      } else if (step.name != "identity" && step.name != "as") {
        break;
      }
      if (!step.labels.empty()) continue;
    }
  }
}

}  // namespace orrery::gremlin
