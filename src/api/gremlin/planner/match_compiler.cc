// The patterns of match(): which variables they begin and end at, and which they need before.
#include <algorithm>

#include "api/gremlin/planner/compiler.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

using Names = std::vector<std::string>;

// Patterns that one match() may have in a group: their number fits a bit set.
constexpr size_t kPatternsMax = 64;

bool Contains(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}
void AddName(Names& names, const std::string& name) {
  if (!name.empty() && !Contains(names, name)) names.push_back(name);
}

void AddPredicateNames(const Predicate& predicate, Names& names) {
  for (const Value& value : predicate.values) {
    if (value.is_string()) AddName(names, value.AsString());
  }
  for (const auto& part : predicate.parts) AddPredicateNames(*part, names);
}

bool IsConnective(const Instruction& instruction) {
  return instruction.name == "and" || instruction.name == "or" || instruction.name == "not";
}

// The labels at which the traversal of a where() begins, connectives looked through.
void AddWhereStarts(std::span<const Instruction> steps, Names& names) {
  if (steps.empty()) return;
  if (steps.front().name == "as" && !steps.front().args.empty()) {
    AddName(names, ToText(steps.front().args.front()));
  } else if (IsConnective(steps.front())) {
    for (const Value& arg : steps.front().args) {
      if (arg.type() == Type::kTraversal) AddWhereStarts(arg.AsTraversal().steps, names);
    }
  }
}

// All names that where() steps refer to, nested ones included.
void AddWhereNames(std::span<const Instruction> steps, bool in_where, Names& names) {
  if (in_where && !steps.empty()) {
    for (const Instruction* as : {&steps.front(), &steps.back()}) {
      if (as->name == "as" && !as->args.empty()) AddName(names, ToText(as->args.front()));
    }
  }
  for (const Instruction& step : steps) {
    const bool is_where = step.name == "where" || (in_where && IsConnective(step));
    for (const Value& arg : step.args) {
      if (arg.type() == Type::kTraversal) AddWhereNames(arg.AsTraversal().steps, is_where, names);
      if (is_where && arg.is_string()) AddName(names, arg.AsString());
      if (is_where && arg.type() == Type::kPredicate) AddPredicateNames(arg.AsPredicate(), names);
    }
  }
}

// The variable that a traverser without any is a value of: one that no pattern ends at, or else one
// that patterns lead away from.
std::string FirstVariable(const MatchPattern& group) {
  Names starts;
  Names ends;
  Names all;
  for (const MatchPattern& part : group.parts) {
    const Names& begins = part.kind == MatchPattern::Kind::kTraversal ? part.needs : part.starts;
    for (const std::string& name : begins) {
      AddName(starts, name);
      AddName(all, name);
    }
    AddName(ends, part.end);
    AddName(all, part.end);
  }
  for (const std::string& name : starts) {
    if (!Contains(ends, name)) return name;
  }
  const auto leads = [&](const std::string& from, const std::string& to) {
    return std::ranges::any_of(group.parts, [&](const MatchPattern& part) {
      return part.end == to && Contains(part.needs, from);
    });
  };
  std::string first = all.empty() ? "" : all.front();
  for (const std::string& name : all) {
    if (leads(name, first) && !leads(first, name)) first = name;
  }
  return first;
}

}  // namespace

Result<MatchPattern> Compiler::MakeMatchPattern(std::span<const Instruction> instructions) {
  std::vector<Instruction> joined;
  instructions = JoinInfix(instructions, 0, joined);
  const auto without_start = [&] {
    return Wrong("All match()-traversals must have a single start label (i.e. variable): [" +
                 (instructions.empty() ? std::string() : instructions.front().name + "()..") + "]");
  };
  if (instructions.empty()) return without_start();
  const Instruction& first = instructions.front();
  if (first.name == "and" || first.name == "or") {
    if (instructions.size() > 1)
      return Wrong("no step may follow " + first.name + "() in a pattern of match()");
    return MakeMatchGroup(first.name == "and" ? MatchPattern::Kind::kAll : MatchPattern::Kind::kAny,
                          first.args);
  }
  MatchPattern pattern;
  std::vector<Instruction> body(instructions.begin(), instructions.end());
  Names starts;
  if (first.name == "as") {
    if (first.args.empty() || !first.args.front().is_string()) return Wrong("as() takes strings");
    AddName(starts, first.args.front().AsString());
    body.erase(body.begin());
  } else if (first.name == "where" && first.args.size() == 2 && first.args.front().is_string()) {
    AddName(starts, first.args.front().AsString());
    body.front().args.erase(body.front().args.begin());
  } else if (first.name == "where" || first.name == "not") {
    if (first.args.size() != 1) return without_start();
    if (first.name == "not") {
      body.front() = {
          "where",
          {Value(std::make_shared<const Bytecode>(Bytecode{.source = {}, .steps = {first}}))}};
    }
    const Value& condition = body.front().args.front();
    if (condition.type() == Type::kTraversal) AddWhereStarts(condition.AsTraversal().steps, starts);
  } else {
    return without_start();
  }
  pattern.is_filter = !body.empty() && body.front().name == "where";
  if (starts.size() == 1) pattern.start = starts.front();
  if (!body.empty() && body.back().name == "as") {
    if (body.back().args.size() != 1 || !body.back().args.front().is_string())
      return Wrong("The end step of a match()-traversal can have at most one label");
    pattern.end = body.back().args.front().AsString();
    body.pop_back();
  }
  AddName(pattern.needs, pattern.start);
  // The group keeps those of them that patterns end at.
  AddWhereNames(body, false, pattern.needs);
  ORRERY_ASSIGN(Traversal compiled, Compile(body, true));
  pattern.body = std::make_shared<const Traversal>(std::move(compiled));
  return pattern;
}

Result<MatchPattern> Compiler::MakeMatchGroup(MatchPattern::Kind kind, const Values& traversals) {
  if (traversals.empty()) return Wrong("match() takes patterns, such as __.as('a').out().as('b')");
  if (traversals.size() > kPatternsMax)
    return Wrong("match() takes at most " + std::to_string(kPatternsMax) + " patterns");
  if (++depth_ > kTraversalDepthMax)
    return Wrong("traversals are nested more than " + std::to_string(kTraversalDepthMax) +
                 " levels deep");
  plan_.tracks_path = true;
  MatchPattern group{.kind = kind};
  Names ends;
  for (const Value& traversal : traversals) {
    if (traversal.type() != Type::kTraversal)
      return Wrong("match() takes traversals, not " + ToText(traversal));
    ORRERY_ASSIGN(MatchPattern part, MakeMatchPattern(traversal.AsTraversal().steps));
    if (part.kind == MatchPattern::Kind::kTraversal) {
      AddName(group.starts, part.start);
      AddName(ends, part.end);
    } else {
      for (const std::string& name : part.starts) AddName(group.starts, name);
      for (const std::string& name : part.variables) {
        if (!Contains(part.starts, name)) AddName(ends, name);
      }
    }
    group.parts.push_back(std::move(part));
  }
  for (MatchPattern& part : group.parts) {
    if (part.kind != MatchPattern::Kind::kTraversal) continue;
    std::erase_if(part.needs, [&](const std::string& name) {
      return name != part.start && !Contains(ends, name);
    });
  }
  group.variables = group.starts;
  for (const std::string& name : ends) AddName(group.variables, name);
  group.first = FirstVariable(group);
  // What an enclosing group must have found before.
  for (const std::string& name : group.starts) {
    if (!Contains(ends, name) && name != group.first) AddName(group.needs, name);
  }
  --depth_;
  return group;
}

}  // namespace orrery::gremlin
