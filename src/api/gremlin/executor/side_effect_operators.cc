// Steps that gather under a key: aggregate, store, group('x'), groupCount('x'), cap, subgraph; and
// barrier, fail.
#include <algorithm>
#include <deque>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "api/gremlin/executor/child.h"
#include "api/gremlin/executor/families.h"
#include "api/gremlin/executor/group_map.h"
#include "api/gremlin/executor/math_expression.h"
#include "api/gremlin/value/arithmetic.h"
#include "api/gremlin/value/element.h"
#include "api/gremlin/value/relation.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

// Adds what by() sees of the traversers to a side effect.
Status AddAll(Run& run, const Step& step, const std::string& key, const Batch& in) {
  ORRERY_ASSIGN(const Looks looks, LookBy(run, LastBy(step), in));
  SideEffect& effect = run.side_effects()[key];
  ORRERY_TRY(run.Keep(in.size()));
  Values added;
  for (size_t i = 0; i < in.size(); ++i) {
    if (looks[i].has_value())
      added.insert(added.end(), static_cast<size_t>(in[i].bulk * in[i].weight), *looks[i]);
  }
  if (effect.reducer == "assign") {
    effect.value = Value::BulkSet(std::move(added));
    return {};
  }
  if (!effect.reducer.empty() && effect.reducer != "addAll") {
    for (const Value& value : added) {
      ORRERY_ASSIGN(effect.value, CombineValues(effect.reducer, effect.value, value));
    }
    return {};
  }
  Values items = effect.value.is_collection() ? effect.value.AsItems() : Values{};
  std::ranges::move(added, std::back_inserter(items));
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

// A step that gathers what passes. Where a later step reads the side effect, traversers go on one
// by one: each sees what was gathered up to it.
class GatheringOperator : public Operator {
 public:
  GatheringOperator(Run& run, const Step& step, const Pipeline& pipeline, std::string key,
                    Value initial)
      : Operator(run, step, pipeline), key_(std::move(key)) {
    run.side_effects().try_emplace(key_, SideEffect{.value = std::move(initial)});
  }

 protected:
  const std::string& key() const { return key_; }
  virtual Status Add(const Batch& in) = 0;

  Result<bool> Produce(Batch& out) override {
    while (waiting_.empty()) {
      Batch in;
      ORRERY_ASSIGN(const bool any, Pull(in));
      if (!any) return false;
      // Without paths TinkerPop puts a barrier before the step that reads.
      if (!run().plan().reads_side_effects || !run().plan().needs_whole_path) {
        ORRERY_TRY(Add(in));
        std::ranges::move(in, std::back_inserter(out));
        return true;
      }
      std::ranges::move(in, std::back_inserter(waiting_));
    }
    Batch one;
    one.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
    ORRERY_TRY(Add(one));
    out.push_back(std::move(one.front()));
    return true;
  }

 private:
  const std::string key_;
  std::deque<Traverser> waiting_;
};

class StoreOperator final : public GatheringOperator {
 public:
  StoreOperator(Run& run, const Step& step, const Pipeline& pipeline, std::string key)
      : GatheringOperator(run, step, pipeline, std::move(key), Value::BulkSet({})) {}

 protected:
  Status Add(const Batch& in) override {
    for (const Traverser& traverser : in) ORRERY_TRY(AddAll(run(), step(), key(), {traverser}));
    return {};
  }
};

class GroupSideEffect final : public GatheringOperator {
 public:
  GroupSideEffect(Run& run, const Step& step, const Pipeline& pipeline, std::string key)
      : GatheringOperator(run, step, pipeline, std::move(key), Value::Map({})) {}

 protected:
  Status Add(const Batch& in) override {
    ORRERY_TRY(run().Keep(in.size()));
    Value& value = run().side_effects()[key()].value;
    if (step().name == "groupCount") {
      // Several steps may count under one key.
      ORRERY_ASSIGN(const Value counted, GroupOf(run(), step(), in));
      ValueMap counts = value.is_map() ? value.AsMap() : ValueMap();
      for (const ValueMap::Entry& entry : counted.AsMap().entries()) {
        const Value* before = counts.Find(entry.key);
        const int64_t sum = entry.value.AsInteger() +
                            (before != nullptr && before->is_integer() ? before->AsInteger() : 0);
        counts.Set(entry.key, Value::Long(sum));
      }
      run().side_effects()[key()].value = Value::Map(std::move(counts));
      return {};
    }
    Batch& members = run().group_members(key());
    for (Traverser member : in) {
      member.bulk *= std::exchange(member.weight, 1);
      members.push_back(std::move(member));
    }
    ORRERY_ASSIGN(Value map, GroupOf(run(), step(), members));
    run().side_effects()[key()].value = std::move(map);
    return {};
  }
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

// barrier(). Under withSack(value, operator) equal traversers become one here, their sacks
// combined.
class BarrierStep final : public BarrierOperator {
 public:
  using BarrierOperator::BarrierOperator;

 protected:
  Status Gather(Batch in, Batch& out) override {
    if (!run().plan().sack_merge.empty() && !run().plan().tracks_path) {
      ORRERY_ASSIGN(in, Merged(std::move(in)));
    }
    if (!step().args.empty() && step().args.front().is_enum("Barrier", "normSack"))
      ORRERY_TRY(Normalize(in));
    std::ranges::move(in, std::back_inserter(out));
    return {};
  }

 private:
  static bool SameLoops(const Traverser& a, const Traverser& b) {
    return std::ranges::equal(a.loops, b.loops, [](const LoopCount& x, const LoopCount& y) {
      return x.name == y.name && x.count == y.count;
    });
  }

  Result<Batch> Merged(Batch in) {
    Batch merged;
    std::unordered_multimap<size_t, size_t> places;  // from hash to position
    for (Traverser& traverser : in) {
      const size_t hash = Hash(traverser.value);
      const auto [first, last] = places.equal_range(hash);
      const auto same = std::find_if(first, last, [&](const auto& place) {
        const Traverser& other = merged[place.second];
        return other.tag == traverser.tag && Equivalent(other.value, traverser.value) &&
               SameLoops(other, traverser);
      });
      if (same == last) {
        places.emplace(hash, merged.size());
        merged.push_back(std::move(traverser));
        continue;
      }
      Traverser& other = merged[same->second];
      ORRERY_ASSIGN(other.sack, CombineValues(run().plan().sack_merge, other.sack, traverser.sack));
      other.bulk = run().plan().bulks ? other.bulk + traverser.bulk : 1;
    }
    return merged;
  }

  static Status Normalize(Batch& in) {
    std::map<uint32_t, double> sums;
    for (const Traverser& traverser : in) {
      if (!traverser.sack.is_number())
        return Fail(Code::kInvalidArgument, "barrier(normSack) needs sacks that are numbers");
      sums[traverser.tag] += ToDouble(traverser.sack) * static_cast<double>(traverser.bulk);
    }
    for (Traverser& traverser : in) {
      traverser.sack = Value::Double(ToDouble(traverser.sack) *
                                     static_cast<double>(traverser.bulk) / sums[traverser.tag]);
    }
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
  if (name == "barrier" &&
      (step.args.empty() || step.args.front().is_integer() || step.args.front().is_enum("Barrier")))
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
