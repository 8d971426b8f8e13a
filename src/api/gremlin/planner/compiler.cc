#include "api/gremlin/planner/compiler.h"

#include <algorithm>

#include "api/gremlin/parser/step_names.h"
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

}  // namespace

Result<Child> Compiler::CompileChild(const Value& traversal) {
  ORRERY_ASSIGN(Traversal compiled, Compile(traversal.AsTraversal().steps, true));
  return std::make_shared<const Traversal>(std::move(compiled));
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
  std::vector<Instruction> joined;
  for (const std::string_view name : {"or", "and"}) {
    if (InfixOf(instructions, name) == nullptr) continue;
    // The step that starts the traversal stays in front.
    const bool starts = !nested && !instructions.empty() &&
                        IsAny(instructions.front().name, {"V", "E", "inject", "addV", "addE"});
    if (starts) joined.push_back(instructions.front());
    joined.push_back(Connective(name, instructions.subspan(starts ? 1 : 0)));
    instructions = joined;
    break;
  }
  std::optional<Loop> outer = std::exchange(pending_, std::nullopt);
  Traversal traversal;
  for (const Instruction& instruction : instructions) {
    ORRERY_ASSIGN(const bool taken, TakeModulator(instruction, traversal));
    if (taken) continue;
    if (!IsStepName(instruction.name)) return Wrong(UnknownStep(instruction.name));
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
      // Where a nested traversal begins with as() it looks the label up.
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
    const bool behind = last != nullptr && last->name == "repeat" && last->labels.empty();
    if (behind) {
      ORRERY_TRY(TakeLoop(instruction, last->loop, false));
    } else {
      if (!pending_.has_value()) pending_.emplace();
      ORRERY_TRY(TakeLoop(instruction, *pending_, true));
    }
    return true;
  }
  if (name == "property" && last != nullptr && IsAny(last->name, {"addV", "addE"})) {
    // A map is one property for each of its entries.
    std::vector<Instruction> calls;
    if (instruction.args.size() == 1 && instruction.args.front().is_map()) {
      for (const ValueMap::Entry& entry : instruction.args.front().AsMap().entries())
        calls.push_back({"property", {entry.key, entry.value}});
    } else {
      calls.push_back(instruction);
    }
    for (const Instruction& call : calls) {
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
    if (instruction.args.size() == 1 && instruction.args.front().is_map()) {
      for (const ValueMap::Entry& entry : instruction.args.front().AsMap().entries()) {
        ORRERY_ASSIGN(PropertyCall call, MakeProperty({"property", {entry.key, entry.value}}));
        step.properties.push_back(std::move(call));
      }
    } else {
      ORRERY_ASSIGN(PropertyCall call, MakeProperty(instruction));
      step.properties.push_back(std::move(call));
    }
    return step;
  }
  step.args = instruction.args;
  step.children.resize(step.args.size());
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
  if (IsAny(step.name, {"addV", "addE", "property", "drop", "mergeV", "mergeE"}))
    plan_.mutates = true;
  if (step.name == "bothE" || step.name == "toE") return;
  // Labels that a step looks up.
  if (IsAny(step.name, {"select", "where", "dedup", "math", "format"})) {
    if (std::ranges::any_of(step.args, [](const Value& arg) { return arg.is_string(); }))
      plan_.tracks_path = true;
  }
}

}  // namespace orrery::gremlin
