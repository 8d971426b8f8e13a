// SubgraphStrategy and PartitionStrategy are rewritten into steps, verification strategies checked.
#include <algorithm>
#include <array>

#include "api/gremlin/planner/planner.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

using Steps = std::vector<Instruction>;

Value TraversalOf(Steps steps) {
  return Value(std::make_shared<const Bytecode>(Bytecode{.source = {}, .steps = std::move(steps)}));
}

bool IsAnyOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

bool IsMutating(std::string_view name) {
  return IsAnyOf(name, {"addV", "addE", "property", "drop", "mergeV", "mergeE"});
}

// The vertices at the ends of an edge that a step crosses it to.
std::string_view EndStepOf(std::string_view name) {
  if (name == "out" || name == "outE") return "inV";
  if (name == "in" || name == "inE") return "outV";
  return "otherV";
}

class Rewriter {
 public:
  explicit Rewriter(const Strategies& strategies) : strategies_(strategies) {
    if (strategies.subgraph != nullptr) {
      vertices_ = strategies.subgraph->settings.Find("vertices");
      edges_ = strategies.subgraph->settings.Find("edges");
      vertex_properties_ = strategies.subgraph->settings.Find("vertexProperties");
      const Value* check = strategies.subgraph->settings.Find("checkAdjacentVertices");
      checks_ends_ = check == nullptr || check->type() != Type::kBool || check->AsBool();
    }
    if (strategies.partition != nullptr) {
      const ValueMap& settings = strategies.partition->settings;
      if (const Value* key = settings.Find("partitionKey"); key != nullptr && key->is_string())
        partition_key_ = key->AsString();
      write_ = settings.Find("writePartition");
      read_ = settings.Find("readPartitions");
    }
  }

  Result<Steps> Rewrite(const Steps& steps) const {
    Steps rewritten;
    for (const Instruction& step : steps) {
      if (strategies_.read_only && IsMutating(step.name)) {
        return Fail(
            Code::kInvalidArgument,
            "The provided traversal has a mutating step and thus is not read only: " + step.name);
      }
      if (strategies_.verify_edge_labels && step.args.empty() &&
          IsAnyOf(step.name, {"out", "in", "both", "outE", "inE", "bothE"})) {
        return Fail(Code::kInvalidArgument,
                    "The provided traversal contains a vertex step without any specified edge "
                    "label: " +
                        step.name);
      }
      if (step.name == "property" || step.name == "addV" || step.name == "addE")
        ORRERY_TRY(CheckKeys(step));
      Instruction copy{.name = step.name, .args = {}};
      for (const Value& arg : step.args) {
        if (arg.type() != Type::kTraversal) {
          copy.args.push_back(arg);
          continue;
        }
        ORRERY_ASSIGN(Steps child, Rewrite(arg.AsTraversal().steps));
        copy.args.push_back(TraversalOf(std::move(child)));
      }
      Append(rewritten, std::move(copy));
    }
    return rewritten;
  }

 private:
  Status CheckKeys(const Instruction& step) const {
    for (const Value& arg : step.args) {
      if (arg.is_string() && std::ranges::find(strategies_.reserved_keys, arg.AsString()) !=
                                 strategies_.reserved_keys.end()) {
        return Fail(Code::kInvalidArgument,
                    "The provided traversal contains a " + step.name +
                        " that is setting a property key to a reserved word: " + arg.AsString());
      }
      if (step.name == "property") break;
    }
    return {};
  }

  void AppendVertexFilters(Steps& steps) const {
    if (vertices_ != nullptr && vertices_->type() == Type::kTraversal)
      steps.push_back({"filter", {*vertices_}});
    AppendPartitionFilter(steps);
  }
  void AppendEdgeFilters(Steps& steps) const {
    if (edges_ != nullptr && edges_->type() == Type::kTraversal)
      steps.push_back({"filter", {*edges_}});
    if (vertices_ != nullptr && vertices_->type() == Type::kTraversal && checks_ends_) {
      for (const std::string_view end : {"inV", "outV"})
        steps.push_back(
            {"filter", {TraversalOf({{std::string(end), {}}, {"filter", {*vertices_}}})}});
    }
    AppendPartitionFilter(steps);
  }
  void AppendPartitionFilter(Steps& steps) const {
    if (partition_key_.empty() || read_ == nullptr) return;
    Values allowed = read_->is_collection() ? Values(read_->AsItems()) : Values{*read_};
    auto within = std::make_shared<const Predicate>(
        Predicate{.comparison = Comparison::kWithin, .values = std::move(allowed)});
    steps.push_back({"has", {Value::String(partition_key_), Value(std::move(within))}});
  }

  void Append(Steps& steps, Instruction step) const {
    const std::string name = step.name;
    if (IsAnyOf(name, {"out", "in", "both"}) &&
        (edges_ != nullptr || (vertices_ != nullptr && checks_ends_) || read_ != nullptr)) {
      Steps inner = {{name + "E", std::move(step.args)}};
      AppendEdgeFilters(inner);
      inner.push_back({std::string(EndStepOf(name)), {}});
      AppendVertexFilters(inner);
      steps.push_back({"flatMap", {TraversalOf(std::move(inner))}});
      return;
    }
    steps.push_back(std::move(step));
    if (IsAnyOf(name, {"V", "out", "in", "both", "outV", "inV", "bothV", "otherV", "toV"})) {
      AppendVertexFilters(steps);
    } else if (IsAnyOf(name, {"E", "outE", "inE", "bothE", "toE"})) {
      AppendEdgeFilters(steps);
    } else if (name == "properties" && vertex_properties_ != nullptr &&
               vertex_properties_->type() == Type::kTraversal) {
      steps.push_back({"filter", {*vertex_properties_}});
    } else if (IsAnyOf(name, {"addV", "addE"}) && !partition_key_.empty() && write_ != nullptr) {
      steps.push_back({"property", {Value::String(partition_key_), *write_}});
    } else if (name == "values" && vertex_properties_ != nullptr &&
               vertex_properties_->type() == Type::kTraversal) {
      Instruction properties{"properties", std::move(steps.back().args)};
      steps.back() = std::move(properties);
      steps.push_back({"filter", {*vertex_properties_}});
      steps.push_back({"value", {}});
    }
  }

  const Strategies& strategies_;
  const Value* vertices_ = nullptr;
  const Value* edges_ = nullptr;
  const Value* vertex_properties_ = nullptr;
  bool checks_ends_ = true;
  std::string partition_key_;
  const Value* write_ = nullptr;
  const Value* read_ = nullptr;
};

}  // namespace

Result<Bytecode> ApplyStrategies(const Bytecode& bytecode, const Strategies& strategies) {
  Bytecode rewritten{.source = bytecode.source, .steps = {}};
  ORRERY_ASSIGN(rewritten.steps, Rewriter(strategies).Rewrite(bytecode.steps));
  return rewritten;
}

}  // namespace orrery::gremlin
