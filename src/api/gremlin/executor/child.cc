#include "api/gremlin/executor/child.h"

#include <algorithm>
#include <set>

#include "api/gremlin/value/element.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

const By kIdentity{};

std::optional<Value> ColumnValue(const Value& value, std::string_view column) {
  const bool keys = column == "keys";
  if (value.type() == Type::kProperty)
    return keys ? value.AsProperty().key : value.AsProperty().value;
  if (value.is_map()) {
    Values items;
    for (const ValueMap::Entry& entry : value.AsMap().entries())
      items.push_back(keys ? entry.key : entry.value);
    return keys ? Value::Set(std::move(items)) : Value::List(std::move(items));
  }
  if (value.type() == Type::kPath) {
    if (!keys) return Value::List(value.AsPath().objects);
    Values labels;
    for (const auto& names : value.AsPath().labels) {
      Values set;
      for (const std::string& name : names) set.push_back(Value::String(name));
      labels.push_back(Value::Set(std::move(set)));
    }
    return Value::List(std::move(labels));
  }
  return std::nullopt;
}

}  // namespace

namespace {

// `unknown`: the tags of which a filter had no answer; null: nobody asks.
Result<ChildResults> RunStarts(Run& run, const Traversal& child, const Batch& starts,
                               ChildNeed need, std::set<uint32_t>* unknown) {
  ChildResults results(starts.size());
  if (starts.empty()) return results;
  if (child.one_by_one && starts.size() > 1) {
    for (size_t i = 0; i < starts.size(); ++i) {
      std::set<uint32_t> tags;
      ORRERY_ASSIGN(ChildResults one, RunStarts(run, child, {starts[i]}, need, &tags));
      results[i] = std::move(one.front());
      if (unknown != nullptr && !tags.empty()) unknown->insert(static_cast<uint32_t>(i));
    }
    return results;
  }
  Batch fed;
  fed.reserve(starts.size());
  for (size_t i = 0; i < starts.size(); ++i) {
    Traverser start = starts[i];
    start.tag = static_cast<uint32_t>(i);
    start.weight *= start.bulk;
    start.bulk = 1;
    fed.push_back(std::move(start));
  }
  ORRERY_ASSIGN(const std::unique_ptr<Pipeline> pipeline, Pipeline::Make(run, child));
  pipeline->Feed(std::move(fed));
  size_t answered = 0;
  while (need == ChildNeed::kAll || answered < starts.size()) {
    Batch out;
    ORRERY_ASSIGN(const bool any, pipeline->Next(out));
    if (!any) break;
    for (Traverser& result : out) {
      Batch& list = results[result.tag];
      if (list.empty()) ++answered;
      if (need == ChildNeed::kFirst && !list.empty()) continue;
      const Traverser& start = starts[static_cast<size_t>(&list - results.data())];
      result.tag = start.tag;
      result.weight = start.weight;
      list.push_back(std::move(result));
    }
  }
  if (unknown != nullptr) *unknown = pipeline->unknown_tags();
  return results;
}

}  // namespace

Result<ChildResults> RunChild(Run& run, const Traversal& child, const Batch& starts,
                              ChildNeed need) {
  return RunStarts(run, child, starts, need, nullptr);
}

Result<std::vector<Truth>> JudgeChild(Run& run, const Traversal& child, const Batch& starts) {
  std::set<uint32_t> unknown;
  ORRERY_ASSIGN(const ChildResults results,
                RunStarts(run, child, starts, ChildNeed::kFirst, &unknown));
  std::vector<Truth> truths;
  truths.reserve(results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    truths.push_back(!results[i].empty()                          ? Truth::kTrue
                     : unknown.contains(static_cast<uint32_t>(i)) ? Truth::kUnknown
                                                                  : Truth::kFalse);
  }
  return truths;
}

Result<std::vector<bool>> TestChild(Run& run, const Traversal& child, const Batch& starts) {
  ORRERY_ASSIGN(const ChildResults results, RunChild(run, child, starts, ChildNeed::kFirst));
  std::vector<bool> passes;
  passes.reserve(results.size());
  for (const Batch& result : results) passes.push_back(!result.empty());
  return passes;
}

const By& LastBy(const Step& step) { return step.bys.empty() ? kIdentity : step.bys.back(); }

const By& ByAt(const Step& step, size_t n) {
  return step.bys.empty() ? kIdentity : step.bys[n % step.bys.size()];
}

Result<Looks> LookBy(Run& run, const By& by, const Batch& traversers) {
  Looks looks;
  looks.reserve(traversers.size());
  if (by.kind == By::Kind::kTraversal) {
    ORRERY_ASSIGN(const ChildResults results,
                  RunChild(run, *by.traversal, traversers, ChildNeed::kFirst));
    for (const Batch& result : results) {
      looks.push_back(result.empty() ? std::nullopt : std::optional(result.front().value));
    }
  } else {
    for (const Traverser& traverser : traversers) {
      switch (by.kind) {
        case By::Kind::kIdentity:
          looks.emplace_back(traverser.value);
          break;
        case By::Kind::kProperty:
          if (traverser.value.is_null() ||
              (!traverser.value.is_element() && !traverser.value.is_map() &&
               traverser.value.type() != Type::kProperty)) {
            return Fail(Code::kInvalidArgument,
                        "The by(\"" + by.name +
                            "\") modulator can only be applied to a traverser "
                            "that is an Element or a Map - it is being applied to [" +
                            ToText(traverser.value) + "] a " +
                            std::string(TypeName(traverser.value.type())));
          }
          looks.push_back(PropertyValue(run, traverser.value, by.name));
          break;
        case By::Kind::kToken:
          looks.push_back(TokenValue(traverser.value, by.name));
          break;
        default:
          looks.push_back(ColumnValue(traverser.value, by.name));
          break;
      }
    }
  }
  if (run.plan().productive_by) {
    for (std::optional<Value>& look : looks) {
      if (!look.has_value()) look = Value::Null();
    }
  }
  return looks;
}

Result<Looks> LookBy(Run& run, const By& by, const Batch& traversers, const Values& values) {
  Batch placed = traversers;
  for (size_t i = 0; i < values.size(); ++i) placed[i].value = values[i];
  return LookBy(run, by, placed);
}

std::optional<Value> TokenValue(const Value& value, std::string_view token) {
  if (token == "id") {
    const Value* id = IdOf(value);
    return id == nullptr ? std::nullopt : std::optional(*id);
  }
  if (token == "label") {
    const std::string* label = LabelOf(value);
    return label == nullptr ? std::nullopt : std::optional(Value::String(*label));
  }
  if (value.type() == Type::kVertexProperty) {
    const VertexProperty& property = value.AsVertexProperty().property;
    return token == "key" ? Value::String(property.key) : property.value;
  }
  if (value.type() == Type::kProperty)
    return token == "key" ? value.AsProperty().key : value.AsProperty().value;
  return std::nullopt;
}

std::optional<Value> PropertyValue(const Run& run, const Value& value, std::string_view key) {
  if (value.is_map()) {
    const Value* found = value.AsMap().Find(key);
    return found == nullptr ? std::nullopt : std::optional(*found);
  }
  const Value newest = run.graph().Newest(value);
  switch (newest.type()) {
    case Type::kVertex:
      for (const VertexProperty& property : newest.AsVertex()->properties) {
        if (property.key == key) return property.value;
      }
      if (auto system = newest.AsVertex()->system.Find(key); system.has_value()) return system;
      break;
    case Type::kEdge:
      if (const Value* found = newest.AsEdge()->Find(key); found != nullptr) return *found;
      if (auto system = newest.AsEdge()->system.Find(key); system.has_value()) return system;
      break;
    case Type::kVertexProperty:
      for (const Property& property : newest.AsVertexProperty().property.meta) {
        if (property.key == key) return property.value;
      }
      return std::nullopt;
    case Type::kProperty:
      if (key == "key") return newest.AsProperty().key;
      if (key == "value") return newest.AsProperty().value;
      return std::nullopt;
    default:
      return std::nullopt;
  }
  if (key == "id" || key == "label") return TokenValue(newest, key);
  return std::nullopt;
}

Values LabelledObjects(const PathRef& path, std::string_view label) {
  Values objects;
  for (const PathNode* node = path.get(); node != nullptr; node = node->parent.get()) {
    if (std::ranges::find(node->labels, label) != node->labels.end())
      objects.push_back(node->value);
  }
  std::ranges::reverse(objects);
  return objects;
}

std::optional<Value> ScopeValue(Run& run, const Traverser& traverser, std::string_view name,
                                Pop pop) {
  if (traverser.value.is_map()) {
    if (const Value* found = traverser.value.AsMap().Find(name); found != nullptr) return *found;
  }
  const auto side_effect = run.side_effects().find(name);
  if (side_effect != run.side_effects().end()) return side_effect->second.value;
  Values objects = LabelledObjects(traverser.path, name);
  if (objects.empty()) return std::nullopt;
  switch (pop) {
    case Pop::kFirst:
      return objects.front();
    case Pop::kLast:
      return objects.back();
    case Pop::kMixed:
      if (objects.size() == 1) return objects.front();
      break;
    case Pop::kAll:
      break;
  }
  return Value::List(std::move(objects));
}

}  // namespace orrery::gremlin
