#include "api/gremlin/planner/planner.h"

#include <algorithm>
#include <array>

#include "api/gremlin/parser/step_names.h"
#include "api/gremlin/planner/compiler.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

// Strategies that make TinkerPop's own engine faster and change no result.
constexpr auto kOptimisations = std::to_array<std::string_view>({"AdjacentToIncidentStrategy",
                                                                 "ByModulatorOptimizationStrategy",
                                                                 "ComputerFinalizationStrategy",
                                                                 "ComputerVerificationStrategy",
                                                                 "ConnectiveStrategy",
                                                                 "CountStrategy",
                                                                 "EarlyLimitStrategy",
                                                                 "ElementIdStrategy",
                                                                 "FilterRankingStrategy",
                                                                 "HaltedTraverserStrategy",
                                                                 "IdentityRemovalStrategy",
                                                                 "IncidentToAdjacentStrategy",
                                                                 "InlineFilterStrategy",
                                                                 "LambdaRestrictionStrategy",
                                                                 "LazyBarrierStrategy",
                                                                 "MatchAlgorithmStrategy",
                                                                 "MatchPredicateStrategy",
                                                                 "MatchStepStrategy",
                                                                 "MessagePassingReductionStrategy",
                                                                 "PathProcessorStrategy",
                                                                 "PathRetractionStrategy",
                                                                 "ProfileStrategy",
                                                                 "ReferenceElementStrategy",
                                                                 "RepeatUnrollStrategy",
                                                                 "RequirementsStrategy",
                                                                 "SideEffectStrategy",
                                                                 "StandardVerificationStrategy",
                                                                 "TinkerGraphCountStrategy",
                                                                 "TinkerGraphStepStrategy",
                                                                 "VertexProgramRestrictionStrategy",
                                                                 "SackStrategy"});

class SourceReader {
 public:
  SourceReader(Plan& plan, Strategies& strategies) : plan_(plan), strategies_(strategies) {}

  Status Read(const Instruction& call) {
    const Values& args = call.args;
    if (call.name == "withBulk") {
      if (args.size() != 1 || args[0].type() != Type::kBool)
        return Wrong("withBulk() takes a boolean");
      plan_.bulks = args[0].AsBool();
      return {};
    }
    if (call.name == "withPath") {
      plan_.tracks_path = true;
      return {};
    }
    if (call.name == "withSack") {
      if (args.empty()) return Wrong("withSack() takes a value");
      if (args.size() > 2 || (args.size() == 2 && !args[1].is_enum("Operator"))) {
        return Fail(Code::kUnsupported,
                    "withSack() takes a value and a constant of Operator that merges sacks: "
                    "functions that make or split them are lambdas, which are not evaluated here");
      }
      if (args.size() == 2) plan_.sack_merge = args[1].AsEnum().name;
      plan_.sack = args[0];
      return {};
    }
    if (call.name == "withSideEffect") {
      if (args.size() < 2 || !args[0].is_string())
        return Wrong("withSideEffect() takes a key and a value");
      std::string reducer =
          args.size() > 2 && args[2].is_enum("Operator") ? args[2].AsEnum().name : "";
      plan_.side_effects.push_back({args[0].AsString(), args[1], std::move(reducer)});
      return {};
    }
    if (call.name == "with") {
      if (args.empty() || !args[0].is_string()) return Wrong("with() takes the name of an option");
      return ReadOption(args[0].AsString(), args.size() > 1 ? args[1] : Value::Bool(true));
    }
    if (call.name == "withoutStrategies") return {};
    if (call.name == "withStrategies") {
      for (const Value& arg : args) {
        if (arg.type() != Type::kStrategy) return Wrong("withStrategies() takes strategies");
        ORRERY_TRY(ReadStrategy(arg.AsStrategy()));
      }
      return {};
    }
    if (call.name == "withComputer") return Computer();
    if (call.name == "tx") {
      return Fail(Code::kUnsupported,
                  "transactions over several requests are not supported: the "
                  "writes of one request to one partition are atomic");
    }
    return Wrong("unknown configuration '" + call.name + "()' of the traversal source");
  }

 private:
  static Status Computer() {
    return Fail(Code::kUnsupported,
                "graph computers (withComputer) are not supported: OLAP steps need them");
  }

  Status ReadOption(const std::string& name, const Value& value) {
    if ((name == "evaluationTimeout" || name == "scriptEvaluationTimeout") && value.is_integer())
      plan_.timeout_ms = value.AsInteger();
    if (name == "batchSize" && value.is_integer()) plan_.batch_size = value.AsInteger();
    if (name == "materializeProperties" && value.is_string())
      plan_.materializes_properties = value.AsString() != "tokens";
    return {};
  }

  Status ReadStrategy(const Strategy& strategy) {
    const std::string& name = strategy.name;
    if (name == "ReadOnlyStrategy") {
      strategies_.read_only = true;
    } else if (name == "SubgraphStrategy") {
      strategies_.subgraph = &strategy;
    } else if (name == "PartitionStrategy") {
      strategies_.partition = &strategy;
    } else if (name == "ProductiveByStrategy") {
      plan_.productive_by = true;
    } else if (name == "SeedStrategy") {
      const Value* seed = strategy.settings.Find("seed");
      if (seed == nullptr || !seed->is_integer()) return Wrong("SeedStrategy needs a seed");
      plan_.seed = seed->AsInteger();
    } else if (name == "OptionsStrategy") {
      for (const ValueMap::Entry& entry : strategy.settings.entries())
        ORRERY_TRY(ReadOption(ToText(entry.key), entry.value));
    } else if (name == "EdgeLabelVerificationStrategy") {
      const Value* throws = strategy.settings.Find("throwException");
      strategies_.verify_edge_labels =
          throws != nullptr && throws->type() == Type::kBool && throws->AsBool();
    } else if (name == "ReservedKeysVerificationStrategy") {
      const Value* throws = strategy.settings.Find("throwException");
      if (throws == nullptr || throws->type() != Type::kBool || !throws->AsBool()) return {};
      strategies_.reserved_keys = {"id", "label"};
      if (const Value* keys = strategy.settings.Find("keys");
          keys != nullptr && keys->is_collection()) {
        strategies_.reserved_keys.clear();
        for (const Value& key : keys->AsItems()) strategies_.reserved_keys.push_back(ToText(key));
      }
    } else if (name == "ProjectionStrategy") {
      const Value* names = strategy.settings.Find("IncludeSystemProperties");
      if (names == nullptr) return {};
      for (const Value& item : names->is_collection() ? names->AsItems() : Values{*names})
        plan_.system_properties.push_back(ToText(item));
    } else if (name == "VertexProgramStrategy") {
      return Computer();
    } else if (std::ranges::find(kOptimisations, name) == kOptimisations.end()) {
      return Fail(Code::kUnsupported, "the strategy '" + name + "' is not supported");
    }
    return {};
  }

  Plan& plan_;
  Strategies& strategies_;
};

// Returns whether the step gives several results for each traverser, edges not counted, as
// TinkerPop's FlatMapStep.
bool IsFlatMap(std::string_view name) {
  static constexpr auto kNames = std::to_array<std::string_view>(
      {"out", "in", "both", "outV", "inV", "bothV", "otherV", "toV", "values", "properties",
       "unfold", "flatMap", "coalesce", "V", "E"});
  return std::ranges::find(kNames, name) != kNames.end();
}
bool IsBarrier(std::string_view name) {
  static constexpr auto kNames = std::to_array<std::string_view>(
      {"count", "sum", "min", "max", "mean", "fold", "group", "groupCount", "tree", "order",
       "sample", "barrier", "cap", "aggregate", "dedup", "discard", "none"});
  return std::ranges::find(kNames, name) != kNames.end();
}

// Barriers of plans whose sacks are merged stand where TinkerPop's LazyBarrierStrategy puts them:
// sums depend on it.
void InsertBarriers(Traversal& traversal) {
  bool found = false;
  for (size_t i = 0; i < traversal.steps.size(); ++i) {
    const Step& step = traversal.steps[i];
    if (!IsFlatMap(step.name)) continue;
    const bool is_last = i + 1 == traversal.steps.size();
    const bool is_start = i == 0 && (step.name == "V" || step.name == "E");
    if (is_start &&
        (!step.args.empty() || is_last || traversal.steps[i + 1].name.starts_with("has")))
      continue;
    if (found && !is_last && !IsBarrier(traversal.steps[i + 1].name)) {
      traversal.steps.insert(traversal.steps.begin() + static_cast<ptrdiff_t>(i) + 1,
                             Step{.name = "barrier"});
      ++i;
    } else {
      found = true;
    }
  }
}

// profile() stands at the end, or before cap() at the end.
Status CheckProfile(const Traversal& traversal, Plan& plan) {
  const std::vector<Step>& steps = traversal.steps;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].name != "profile" && steps[i].name != "executionProfile") continue;
    const bool is_last = i + 1 == steps.size();
    const bool is_capped = i + 2 == steps.size() && steps.back().name == "cap";
    if (!is_last && !is_capped) {
      return Wrong(
          "When specified, the profile()-Step must be the last step or followed only by the "
          "cap()-step.");
    }
    const Values& args = steps[i].args;
    if (args.size() > 1 || (args.size() == 1 && !args.front().is_string()) ||
        (steps[i].name == "executionProfile" && !args.empty()))
      return Wrong(steps[i].name + "() takes at most the key of a side effect");
    plan.profiles = true;
  }
  return {};
}

// Query folding reaches nested traversals, too.
void FoldAll(Traversal& traversal, const GraphRules& rules);
void FoldChild(Child& child, const GraphRules& rules) {
  if (child == nullptr) return;
  Traversal copy = *child;
  FoldAll(copy, rules);
  child = std::make_shared<const Traversal>(std::move(copy));
}
void FoldAll(Traversal& traversal, const GraphRules& rules) {
  FoldFilters(traversal, rules);
  for (Step& step : traversal.steps) {
    for (Child& child : step.children) FoldChild(child, rules);
    for (By& by : step.bys) FoldChild(by.traversal, rules);
    for (Option& option : step.options) FoldChild(option.branch, rules);
    if (step.from.has_value()) FoldChild(step.from->traversal, rules);
    if (step.to.has_value()) FoldChild(step.to->traversal, rules);
    FoldChild(step.loop.until, rules);
    FoldChild(step.loop.emit, rules);
  }
}

}  // namespace

Result<Plan> MakePlan(const Bytecode& bytecode, const GraphRules& rules) {
  Plan plan;
  Strategies strategies;
  SourceReader reader(plan, strategies);
  for (const Instruction& call : bytecode.source) ORRERY_TRY(reader.Read(call));
  if (bytecode.steps.empty()) return Wrong("the traversal has no steps");
  ORRERY_ASSIGN(const Bytecode rewritten, ApplyStrategies(bytecode, strategies));
  static constexpr auto kStarts = std::to_array<std::string_view>(
      {"V", "E", "addV", "addE", "mergeV", "mergeE", "inject", "union", "call", "io"});
  const std::string& first = rewritten.steps.front().name;
  if (std::ranges::find(kStarts, first) == kStarts.end()) {
    if (!IsStepName(first)) return Wrong(UnknownStep(first));
    return Wrong(first +
                 "() cannot begin a traversal: begin with g.V(), g.E(), g.addV(), g.addE(), "
                 "g.mergeV(), g.mergeE(), g.union() or g.inject()");
  }
  Compiler compiler(plan);
  ORRERY_ASSIGN(plan.traversal, compiler.Compile(rewritten.steps, false));
  ORRERY_TRY(CheckProfile(plan.traversal, plan));
  const bool merges_sacks = !plan.sack_merge.empty() && !plan.tracks_path && !plan.mutates;
  if (merges_sacks) InsertBarriers(plan.traversal);
  FoldAll(plan.traversal, rules);
  if (!plan.mutates && !plan.tracks_path) FoldCount(plan.traversal);
  return plan;
}

}  // namespace orrery::gremlin
