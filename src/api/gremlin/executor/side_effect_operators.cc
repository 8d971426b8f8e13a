// Steps that gather under a key: aggregate, store, group('x'), groupCount('x'), cap, subgraph; and
// barrier, fail.
#include <algorithm>
#include <unordered_set>

#include "api/gremlin/executor/child.h"
#include "api/gremlin/executor/families.h"
#include "api/gremlin/executor/group_map.h"
#include "api/gremlin/executor/math_expression.h"
#include "api/gremlin/value/element.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

Status AddAll(Run& run, const Step& step, const std::string& key, const Batch& in) {
  ORRERY_ASSIGN(const Looks looks, LookBy(run, ByAt(step, 0), in));
  SideEffect& effect = run.side_effects()[key];
  ORRERY_TRY(run.Keep(in.size()));
  if (!effect.reducer.empty() && effect.reducer != "addAll") {
    for (const auto& look : looks) {
      if (!look.has_value()) continue;
      ORRERY_ASSIGN(effect.value, CombineValues(effect.reducer, effect.value, *look));
    }
    return {};
  }
  Values items = effect.value.is_collection() ? effect.value.AsItems() : Values{};
  for (size_t i = 0; i < in.size(); ++i) {
    if (looks[i].has_value()) items.insert(items.end(), static_cast<size_t>(in[i].bulk), *looks[i]);
  }
  effect.value = effect.value.type() == Type::kList  ? Value::List(std::move(items))
                 : effect.value.type() == Type::kSet ? MakeSet(items)
                                                     : Value::BulkSet(std::move(items));
  return {};
}

// aggregate('x'): everything is gathered before anything goes on.
class AggregateOperator final : public BarrierOperator {
 public:
  AggregateOperator(Run& run, const Step& step, const Pipeline& pipeline, std::string key)
      : BarrierOperator(run, step, pipeline), key_(std::move(key)) {
    run.side_effects().try_emplace(key_, SideEffect{.value = Value::BulkSet({})});
  }

 protected:
  Status Gather(Batch in, Batch& out) override {
    ORRERY_TRY(AddAll(run(), step(), key_, in));
    std::ranges::move(in, std::back_inserter(out));
    return {};
  }

 private:
  const std::string key_;
};

class StoreOperator final : public BatchOperator {
 public:
  StoreOperator(Run& run, const Step& step, const Pipeline& pipeline, std::string key)
      : BatchOperator(run, step, pipeline), key_(std::move(key)) {
    run.side_effects().try_emplace(key_, SideEffect{.value = Value::BulkSet({})});
  }

 protected:
  Status Process(Batch in, Batch& out) override {
    for (Traverser& traverser : in) {
      ORRERY_TRY(AddAll(run(), step(), key_, {traverser}));
      out.push_back(std::move(traverser));
    }
    return {};
  }

 private:
  const std::string key_;
};

class GroupSideEffect final : public BatchOperator {
 public:
  GroupSideEffect(Run& run, const Step& step, const Pipeline& pipeline, std::string key)
      : BatchOperator(run, step, pipeline), key_(std::move(key)) {
    run.side_effects().try_emplace(key_, SideEffect{.value = Value::Map({})});
  }

 protected:
  Status Process(Batch in, Batch& out) override {
    ORRERY_TRY(run().Keep(in.size()));
    std::ranges::copy(in, std::back_inserter(members_));
    ORRERY_ASSIGN(run().side_effects()[key_].value, GroupOf(run(), step(), members_));
    std::ranges::move(in, std::back_inserter(out));
    return {};
  }

 private:
  const std::string key_;
  Batch members_;
};

class CapOperator final : public BarrierOperator {
 public:
  using BarrierOperator::BarrierOperator;

 protected:
  Status Gather(Batch, Batch& out) override {
    ValueMap all;
    for (const Value& name : step().args) {
      if (!name.is_string())
        return Fail(Code::kInvalidArgument, "cap() takes keys of side effects");
      const auto found = run().side_effects().find(name.AsString());
      if (found == run().side_effects().end())
        return Fail(Code::kInvalidArgument,
                    "The side-effect key does not exist in the side-effects: " + name.AsString());
      all.Set(name, found->second.value);
    }
    const uint32_t tag = pipeline().tags().empty() ? 0 : pipeline().tags().front();
    Value result = all.size() == 1 ? all.entries().front().value : Value::Map(std::move(all));
    out.push_back(run().Start(std::move(result), tag));
    return {};
  }
};

class SubgraphOperator final : public BatchOperator {
 public:
  SubgraphOperator(Run& run, const Step& step, const Pipeline& pipeline, std::string key)
      : BatchOperator(run, step, pipeline), key_(std::move(key)) {
    run.side_effects().try_emplace(key_,
                                   SideEffect{.value = Value(std::make_shared<const Graph>())});
  }

 protected:
  Status Process(Batch in, Batch& out) override {
    std::vector<ElementKey> ends;
    for (const Traverser& traverser : in) {
      if (traverser.value.type() != Type::kEdge)
        return Fail(Code::kInvalidArgument,
                    "subgraph() follows edges, not " + ToText(traverser.value));
      const auto& edge = traverser.value.AsEdge();
      if (!edges_.insert(edge->key()).second) continue;
      graph_.edges.push_back(edge);
      for (const ElementKey& key : {edge->out.key(), edge->in.key()}) {
        if (vertices_.insert(key).second) ends.push_back(key);
      }
    }
    ORRERY_ASSIGN(const auto vertices, run().graph().GetVertices(ends));
    for (const auto& vertex : vertices) {
      if (vertex != nullptr) graph_.vertices.push_back(vertex);
    }
    ORRERY_TRY(run().Keep(in.size()));
    run().side_effects()[key_].value = Value(std::make_shared<const Graph>(graph_));
    std::ranges::move(in, std::back_inserter(out));
    return {};
  }

 private:
  const std::string key_;
  Graph graph_;
  std::unordered_set<ElementKey, ElementKeyHash> vertices_;
  std::unordered_set<ElementKey, ElementKeyHash> edges_;
};

class BarrierStep final : public BarrierOperator {
 public:
  using BarrierOperator::BarrierOperator;

 protected:
  Status Gather(Batch in, Batch& out) override {
    std::ranges::move(in, std::back_inserter(out));
    return {};
  }
};

// fail(): the message is the client's own.
class FailOperator final : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  Status Process(Batch in, Batch&) override {
    if (in.empty()) return {};
    const std::string message =
        step().args.empty() ? std::string("fail() step triggered") : ToText(step().args.front());
    run().SetFailed(message);
    return Fail(Code::kInvalidArgument, "fail() Step Triggered: " + message);
  }
};

}  // namespace

MadeOperator MakeSideEffectOperator(Run& run, const Step& step, const Pipeline& pipeline) {
  const std::string& name = step.name;
  if (name == "barrier" && (step.args.empty() || step.args.front().is_integer()))
    return std::make_unique<BarrierStep>(run, step, pipeline);
  if (name == "cap") return std::make_unique<CapOperator>(run, step, pipeline);
  if (name == "fail") return std::make_unique<FailOperator>(run, step, pipeline);
  if (name != "aggregate" && name != "store" && name != "group" && name != "groupCount" &&
      name != "subgraph")
    return nullptr;
  const bool local =
      name == "store" || (!step.args.empty() && step.args.front().is_enum("Scope", "local"));
  if (step.args.empty() || !step.args.back().is_string())
    return Fail(Code::kInvalidArgument, name + "() takes the key of a side effect");
  std::string key = step.args.back().AsString();
  if (name == "subgraph")
    return std::make_unique<SubgraphOperator>(run, step, pipeline, std::move(key));
  if (name == "group" || name == "groupCount")
    return std::make_unique<GroupSideEffect>(run, step, pipeline, std::move(key));
  if (local) return std::make_unique<StoreOperator>(run, step, pipeline, std::move(key));
  return std::make_unique<AggregateOperator>(run, step, pipeline, std::move(key));
}

}  // namespace orrery::gremlin
