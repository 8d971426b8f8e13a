#include "api/gremlin/planner/compiler.h"

#include <algorithm>

#include "api/gremlin/parser/step_names.h"
#include "api/gremlin/value/element.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

bool IsAny(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

// Splits a traversal at infix and() and or(): `or` binds looser.
const Instruction* InfixOf(std::span<const Instruction> instructions, std::string_view name) {
  for (const Instruction& instruction : instructions) {
    if (instruction.name == name && instruction.args.empty()) return &instruction;
  }
  return nullptr;
}

Value TraversalOf(std::span<const Instruction> steps) {
  return Value(std::make_shared<const Bytecode>(
      Bytecode{.source = {}, .steps = {steps.begin(), steps.end()}}));
}

Instruction Connective(std::string_view name, std::span<const Instruction> steps) {
  Instruction joined{.name = std::string(name), .args = {}};
  size_t from = 0;
  for (size_t i = 0; i <= steps.size(); ++i) {
    const bool ends = i == steps.size() || (steps[i].name == name && steps[i].args.empty());
    if (!ends) continue;
    joined.args.push_back(TraversalOf(steps.subspan(from, i - from)));
    from = i + 1;
  }
  return joined;
}

// property(map) and property(cardinality, map) are a call for each of the map's entries; null is an
// empty map. A value of the map may have a cardinality of its own.
std::vector<Instruction> PropertyCalls(const Instruction& instruction) {
  const Values& args = instruction.args;
  const bool has_cardinality = args.size() == 2 && args.front().is_enum("Cardinality");
  const bool is_map =
      (args.size() == 1 || has_cardinality) && (args.back().is_map() || args.back().is_null());
  if (!is_map) return {instruction};
  std::vector<Instruction> calls;
  if (args.back().is_null()) return calls;
  for (const ValueMap::Entry& entry : args.back().AsMap().entries()) {
    Instruction call{.name = "property", .args = {}};
    Value value = entry.value;
    if (value.type() == Type::kCardinality) {
      call.args.push_back(Value::Enum("Cardinality", value.AsCardinality().cardinality));
      value = Value(value.AsCardinality().value);
    } else if (has_cardinality) {
      call.args.push_back(args.front());
    }
    call.args.push_back(entry.key);
    call.args.push_back(std::move(value));
    calls.push_back(std::move(call));
  }
  return calls;
}

bool IsSideEffect(const Step& step) {
  return IsAny(step.name, {"aggregate", "store", "group", "groupCount", "tree", "subgraph"});
}

bool UsesSideEffects(const Step& step) {
  const auto inner = [](const Child& child) { return child != nullptr && child->one_by_one; };
  if (step.name == "cap" || (IsSideEffect(step) && !step.args.empty())) return true;
  return std::ranges::any_of(step.children, inner) ||
         std::ranges::any_of(step.bys, [&](const By& by) { return inner(by.traversal); }) ||
         std::ranges::any_of(step.options, [&](const Option& o) { return inner(o.branch); });
}

bool HasName(const Predicate& predicate, const std::string& name) {
  return std::ranges::any_of(
             predicate.values,
             [&](const Value& v) { return v.is_string() && v.AsString() == name; }) ||
         std::ranges::any_of(predicate.parts, [&](const auto& p) { return HasName(*p, name); });
}

// Returns whether an argument of the step may mean the side effect of that name.
bool RefersTo(const Step& step, const std::string& name) {
  return std::ranges::any_of(step.args, [&](const Value& arg) {
    if (arg.type() == Type::kPredicate) return HasName(arg.AsPredicate(), name);
    return arg.is_string() && arg.AsString().contains(name);
  });
}

}  // namespace

std::span<const Instruction> JoinInfix(std::span<const Instruction> instructions, size_t first,
                                       std::vector<Instruction>& joined) {
  for (const std::string_view name : {"or", "and"}) {
    if (InfixOf(instructions, name) == nullptr) continue;
    joined.assign(instructions.begin(), instructions.begin() + static_cast<ptrdiff_t>(first));
    joined.push_back(Connective(name, instructions.subspan(first)));
    return joined;
  }
  return instructions;
}

Result<Child> Compiler::CompileChild(const Value& traversal) {
  ORRERY_ASSIGN(Traversal compiled, Compile(traversal.AsTraversal().steps, true));
  return std::make_shared<const Traversal>(std::move(compiled));
}

Result<Child> Compiler::CompileWhere(const Value& traversal) {
  std::vector<Instruction> joined;
  std::span<const Instruction> rest = JoinInfix(traversal.AsTraversal().steps, 0, joined);
  Traversal where;
  const auto only_traversals = [](const Values& args) {
    return !args.empty() && std::ranges::all_of(args, [](const Value& arg) {
      return arg.type() == Type::kTraversal;
    });
  };
  if (!rest.empty() && IsAny(rest.front().name, {"and", "or", "not"}) &&
      only_traversals(rest.front().args)) {
    Step step{.name = rest.front().name, .args = rest.front().args};
    for (const Value& arg : step.args) {
      ORRERY_ASSIGN(Child child, CompileWhere(arg));
      step.children.push_back(std::move(child));
    }
    where.steps.push_back(std::move(step));
    rest = rest.subspan(1);
  }
  const auto labels_of = [](const Instruction& as) -> Result<std::vector<std::string>> {
    std::vector<std::string> labels;
    for (const Value& label : as.args) {
      if (!label.is_string()) return Wrong("as() takes strings");
      labels.push_back(label.AsString());
    }
    if (labels.empty()) return Wrong("as() needs a label");
    return labels;
  };
  if (where.steps.empty() && !rest.empty() && rest.front().name == "as") {
    Step start{.name = std::string(kWhereStart)};
    ORRERY_ASSIGN(start.labels, labels_of(rest.front()));
    where.steps.push_back(std::move(start));
    plan_.tracks_path = true;
    rest = rest.subspan(1);
  }
  std::optional<Step> end;
  if (!rest.empty() && rest.back().name == "as") {
    end.emplace(Step{.name = std::string(kWhereEnd)});
    ORRERY_ASSIGN(end->labels, labels_of(rest.back()));
    plan_.tracks_path = true;
    rest = rest.subspan(0, rest.size() - 1);
  }
  ORRERY_ASSIGN(Traversal middle, Compile(rest, true));
  where.one_by_one = middle.one_by_one || std::ranges::any_of(where.steps, UsesSideEffects);
  std::ranges::move(middle.steps, std::back_inserter(where.steps));
  if (end.has_value()) where.steps.push_back(*std::move(end));
  return std::make_shared<const Traversal>(std::move(where));
}

Result<Child> Compiler::CompileTest(const Value& test) {
  if (test.type() == Type::kTraversal) return CompileChild(test);
  if (test.type() == Type::kPredicate) {
    Traversal is;
    is.steps.push_back(Step{.name = "is", .args = {test}, .children = {nullptr}});
    return std::make_shared<const Traversal>(std::move(is));
  }
  return Wrong("expected a traversal or a predicate, found " + ToText(test));
}

Result<Traversal> Compiler::Compile(std::span<const Instruction> instructions, bool nested) {
  if (++depth_ > kTraversalDepthMax)
    return Wrong("traversals are nested more than " + std::to_string(kTraversalDepthMax) +
                 " levels deep");
  // The step that starts the traversal stays in front.
  const bool starts = !nested && !instructions.empty() &&
                      IsAny(instructions.front().name, {"V", "E", "inject", "addV", "addE"});
  std::vector<Instruction> joined;
  instructions = JoinInfix(instructions, starts ? 1 : 0, joined);
  std::optional<Loop> outer = std::exchange(pending_, std::nullopt);
  Traversal traversal;
  for (const Instruction& instruction : instructions) {
    ORRERY_ASSIGN(const bool taken, TakeModulator(instruction, traversal));
    if (taken) continue;
    if (!IsStepName(instruction.name)) return Wrong(UnknownStep(instruction.name));
    if (nested && IsAny(instruction.name, {"profile", "executionProfile"}))
      return Wrong(instruction.name + "() measures a whole traversal: it cannot be nested");
    ORRERY_ASSIGN(Step step, MakeStep(instruction));
    if (pending_.has_value()) {
      if (step.name != "repeat") return Wrong("The repeat()-traversal was not defined");
      const std::string name = step.loop.name;
      step.loop = *std::exchange(pending_, std::nullopt);
      step.loop.name = name;
    }
    Note(step);
    traversal.steps.push_back(std::move(step));
  }
  traversal.one_by_one = std::ranges::any_of(traversal.steps, UsesSideEffects);
  if (pending_.has_value()) return Wrong("The repeat()-traversal was not defined");
  pending_ = std::move(outer);
  --depth_;
  return traversal;
}

Result<bool> Compiler::TakeModulator(const Instruction& instruction, Traversal& traversal) {
  const std::string& name = instruction.name;
  Step* last = traversal.steps.empty() ? nullptr : &traversal.steps.back();
  if (name == "as") {
    if (instruction.args.empty()) return Wrong("as() needs a label");
    if (last == nullptr) {
      traversal.steps.push_back(Step{.name = "as"});
      last = &traversal.steps.back();
    }
    for (const Value& label : instruction.args) {
      if (!label.is_string()) return Wrong("as() takes strings");
      last->labels.push_back(label.AsString());
    }
    plan_.tracks_path = true;
    return true;
  }
  if (name == "by") {
    if (last == nullptr) return Wrong("by() must follow a step");
    ORRERY_TRY(TakeBy(instruction, *last));
    return true;
  }
  const bool is_direction =
      !instruction.args.empty() && instruction.args.front().is_enum("Direction");
  if (name == "from" || (name == "to" && !is_direction)) {
    if (last == nullptr) return Wrong(name + "() must follow a step");
    ORRERY_TRY(TakeEnd(instruction, *last));
    return true;
  }
  if (name == "option") {
    if (last == nullptr) return Wrong("option() must follow a step");
    ORRERY_TRY(TakeOption(instruction, *last));
    return true;
  }
  if (name == "with") {
    if (last == nullptr || instruction.args.empty() || !instruction.args.front().is_string())
      return Wrong("with() needs a step before it and the name of an option");
    last->with.Set(instruction.args.front().AsString(),
                   instruction.args.size() > 1 ? instruction.args[1] : Value::Bool(true));
    return true;
  }
  if (IsAny(name, {"until", "emit", "times"})) {
    // What a repeat() has already belongs to the next one.
    const bool behind = last != nullptr && last->name == "repeat" && last->labels.empty();
    const bool has_it =
        behind && (name == "emit" ? last->loop.emits
                                  : last->loop.until != nullptr || last->loop.times.has_value());
    if (behind && !has_it) {
      ORRERY_TRY(TakeLoop(instruction, last->loop, false));
    } else {
      if (!pending_.has_value()) pending_.emplace();
      ORRERY_TRY(TakeLoop(instruction, *pending_, true));
    }
    return true;
  }
  if (name == "property" && last != nullptr && IsAny(last->name, {"addV", "addE"})) {
    for (const Instruction& call : PropertyCalls(instruction)) {
      ORRERY_ASSIGN(PropertyCall property, MakeProperty(call));
      last->properties.push_back(std::move(property));
    }
    return true;
  }
  return false;
}

Status Compiler::TakeBy(const Instruction& instruction, Step& step) {
  if (!IsAny(step.name,
             {"aggregate", "cyclicPath", "dedup",      "format",  "group",       "groupCount",
              "math",      "order",      "path",       "project", "propertyMap", "sack",
              "sample",    "select",     "simplePath", "store",   "tree",        "valueMap",
              "where",     "choose",     "index",      "call"}))
    return Wrong("The by() modulator cannot follow " + step.name + "()");
  By by;
  for (const Value& arg : instruction.args) {
    if (arg.is_string()) {
      by.kind = By::Kind::kProperty;
      by.name = arg.AsString();
    } else if (arg.is_enum("T")) {
      by.kind = By::Kind::kToken;
      by.name = arg.AsEnum().name;
    } else if (arg.is_enum("Column")) {
      by.kind = By::Kind::kColumn;
      by.name = arg.AsEnum().name;
    } else if (arg.is_enum("Order")) {
      by.order = arg.AsEnum().name == "desc"      ? By::Order::kDescending
                 : arg.AsEnum().name == "shuffle" ? By::Order::kShuffle
                                                  : By::Order::kAscending;
    } else if (arg.type() == Type::kTraversal) {
      by.kind = By::Kind::kTraversal;
      ORRERY_ASSIGN(by.traversal, CompileChild(arg));
    } else {
      return Wrong("by() takes a property key, a token, a traversal or an order, not " +
                   ToText(arg));
    }
  }
  step.bys.push_back(std::move(by));
  return {};
}

Status Compiler::TakeEnd(const Instruction& instruction, Step& step) {
  const bool is_path = IsAny(step.name, {"path", "simplePath", "cyclicPath"});
  if (!is_path && step.name != "addE")
    return Wrong(instruction.name + "() cannot follow " + step.name + "()");
  if (instruction.args.size() != 1) return Wrong(instruction.name + "() takes one argument");
  const Value& arg = instruction.args.front();
  End end;
  if (arg.is_string()) {
    end.label = arg.AsString();
    plan_.tracks_path = true;
  } else if (arg.type() == Type::kTraversal && !is_path) {
    ORRERY_ASSIGN(end.traversal, CompileChild(arg));
  } else if (arg.type() == Type::kVertex && !is_path) {
    end.vertex = arg;
  } else {
    return Wrong(instruction.name + "() takes a label, a vertex or a traversal, not " +
                 ToText(arg));
  }
  (instruction.name == "from" ? step.from : step.to) = std::move(end);
  return {};
}

Status Compiler::TakeOption(const Instruction& instruction, Step& step) {
  if (!IsAny(step.name, {"choose", "branch", "mergeV", "mergeE"}))
    return Wrong("option() cannot follow " + step.name + "()");
  Option option;
  const Values& args = instruction.args;
  if (args.empty() || args.size() > 3) return Wrong("option() takes a pick and a traversal");
  if (args.size() == 1) {
    option.pick = Value::Enum("Pick", "any");
    ORRERY_ASSIGN(option.branch, CompileTest(args.front()));
    step.options.push_back(std::move(option));
    return {};
  }
  if (args[0].type() == Type::kTraversal) {
    ORRERY_ASSIGN(option.pick_child, CompileChild(args[0]));
  } else {
    option.pick = args[0];
  }
  if (args[1].type() == Type::kTraversal) {
    ORRERY_ASSIGN(option.branch, CompileChild(args[1]));
  } else if (args[1].is_map() || args[1].is_null()) {
    option.map = args[1];
  } else {
    return Wrong("option() takes a traversal or a map, not " + ToText(args[1]));
  }
  if (args.size() == 3 && args[2].is_enum("Cardinality"))
    option.cardinality = args[2].AsEnum().name;
  step.options.push_back(std::move(option));
  return {};
}

Status Compiler::TakeLoop(const Instruction& instruction, Loop& loop, bool before) {
  const Values& args = instruction.args;
  if (instruction.name == "times") {
    if (args.size() != 1 || !args.front().is_integer())
      return Wrong("times() takes a whole number");
    loop.times = args.front().AsInteger();
    loop.until_first = before;
    return {};
  }
  if (instruction.name == "until") {
    if (args.size() != 1) return Wrong("until() takes one traversal");
    loop.until_first = before;
    ORRERY_ASSIGN(loop.until, CompileTest(args.front()));
    return {};
  }
  if (args.size() > 1) return Wrong("emit() takes at most one traversal");
  loop.emits = true;
  loop.emit_first = before;
  if (!args.empty()) {
    ORRERY_ASSIGN(loop.emit, CompileTest(args.front()));
  }
  return {};
}

Result<PropertyCall> Compiler::MakeProperty(const Instruction& instruction) {
  PropertyCall call;
  size_t at = 0;
  const Values& args = instruction.args;
  if (!args.empty() && args.front().is_enum("Cardinality")) {
    call.cardinality = args.front().AsEnum().name;
    at = 1;
  }
  if (args.size() < at + 2 || (args.size() - at) % 2 != 0)
    return Wrong("property() takes a key and a value, and pairs of them for meta-properties");
  if (args[at].type() == Type::kTraversal) {
    ORRERY_ASSIGN(call.key_child, CompileChild(args[at]));
  } else if (args[at].is_string() || args[at].is_enum("T")) {
    call.key = args[at];
  } else {
    return Wrong("the key of property() is a string, T.id or T.label, not " + ToText(args[at]));
  }
  const Value& value = args[at + 1];
  if (value.type() == Type::kTraversal) {
    ORRERY_ASSIGN(call.value_child, CompileChild(value));
  } else {
    call.value = value;
  }
  for (size_t i = at + 2; i < args.size(); i += 2) {
    if (!args[i].is_string()) return Wrong("the key of a meta-property is a string");
    Child child;
    if (args[i + 1].type() == Type::kTraversal) {
      ORRERY_ASSIGN(child, CompileChild(args[i + 1]));
    }
    call.meta.emplace_back(args[i].AsString(), args[i + 1]);
    call.meta_children.push_back(std::move(child));
  }
  return call;
}

Result<Step> Compiler::MakeStep(const Instruction& instruction) {
  Step step{.name = instruction.name};
  if (step.name == "property") {
    for (const Instruction& each : PropertyCalls(instruction)) {
      ORRERY_ASSIGN(PropertyCall call, MakeProperty(each));
      step.properties.push_back(std::move(call));
    }
    return step;
  }
  step.args = instruction.args;
  step.children.resize(step.args.size());
  if (step.name == "match") {
    ORRERY_ASSIGN(MatchPattern group, MakeMatchGroup(MatchPattern::Kind::kAll, step.args));
    step.match = std::make_shared<const MatchPattern>(std::move(group));
    return step;
  }
  if (step.name == "where" && step.args.size() == 1 &&
      step.args.front().type() == Type::kTraversal) {
    ORRERY_ASSIGN(step.children.front(), CompileWhere(step.args.front()));
    return step;
  }
  for (size_t i = 0; i < step.args.size(); ++i) {
    if (step.args[i].type() == Type::kTraversal) {
      ORRERY_ASSIGN(step.children[i], CompileChild(step.args[i]));
    }
  }
  if (step.name == "repeat") {
    if (step.args.size() == 2 && step.args.front().is_string()) {
      step.loop.name = step.args.front().AsString();
      step.args.erase(step.args.begin());
      step.children.erase(step.children.begin());
    }
    if (step.args.size() != 1 || step.children.front() == nullptr)
      return Wrong("repeat() takes one traversal");
  }
  return step;
}

void Compiler::Note(const Step& step) {
  if (IsAny(step.name, {"path", "tree", "simplePath", "cyclicPath", "otherV", "match"}))
    plan_.tracks_path = true;
  if (IsAny(step.name, {"path", "tree", "simplePath", "cyclicPath"}) ||
      (step.name == "select" && !step.args.empty() && step.args.front().is_enum("Pop", "all")))
    plan_.needs_whole_path = true;
  if (IsAny(step.name, {"addV", "addE", "property", "drop", "mergeV", "mergeE"}))
    plan_.mutates = true;
  if (IsAny(step.name, {"aggregate", "store", "group", "groupCount", "tree", "subgraph"}) &&
      !step.args.empty() && step.args.back().is_string())
    side_effects_.push_back(step.args.back().AsString());
  if (step.name != "cap" && std::ranges::any_of(side_effects_, [&](const std::string& key) {
        return RefersTo(step, key) && (step.args.empty() || !IsSideEffect(step));
      }))
    plan_.reads_side_effects = true;
  if (step.name == "bothE" || step.name == "toE") return;
  // Labels that a step looks up.
  if (IsAny(step.name, {"select", "where", "dedup", "math", "format"})) {
    if (std::ranges::any_of(step.args, [](const Value& arg) { return arg.is_string(); }))
      plan_.tracks_path = true;
  }
}

}  // namespace orrery::gremlin
