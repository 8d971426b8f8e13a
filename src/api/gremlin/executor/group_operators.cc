// group and groupCount, as results and as side effects.
#include <algorithm>

#include "api/gremlin/executor/child.h"
#include "api/gremlin/executor/families.h"
#include "api/gremlin/executor/group_map.h"

namespace orrery::gremlin {

void GroupMap::Add(Value key, Traverser member) {
  if (const Value* at = index_.Find(key); at != nullptr) {
    groups_[static_cast<size_t>(at->AsInteger())].members.push_back(std::move(member));
    return;
  }
  index_.Set(key, Value::Long(static_cast<int64_t>(groups_.size())));
  Batch members;
  members.push_back(std::move(member));
  groups_.push_back({std::move(key), std::move(members)});
}

bool EndsInBarrier(const Traversal& traversal) {
  static constexpr std::string_view kBarriers[] = {
      "count", "sum",   "min",  "max",    "mean",    "fold", "group",    "groupCount",
      "tree",  "order", "tail", "sample", "barrier", "cap",  "aggregate"};
  return std::ranges::any_of(traversal.steps, [](const Step& step) {
    return std::ranges::find(kBarriers, step.name) != std::end(kBarriers) &&
           (step.args.empty() || !step.args.front().is_enum("Scope", "local"));
  });
}

namespace {

bool IsReducing(std::string_view name) {
  static constexpr std::string_view kNames[] = {"count", "sum",   "min",        "max", "mean",
                                                "fold",  "group", "groupCount", "tree"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}
bool IsWaiting(std::string_view name) {
  static constexpr std::string_view kNames[] = {"order", "dedup",  "limit",   "range",     "skip",
                                                "tail",  "sample", "barrier", "aggregate", "cap"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

// A group of which nothing reaches the first barrier of its by() is left out, unless that reduces:
// fold() makes an empty list of nothing, order().fold() nothing.
Result<bool> ReachesBarrier(Run& run, const Traversal& traversal, Batch members) {
  const auto barrier = std::ranges::find_if(traversal.steps, [](const Step& step) {
    const bool local = !step.args.empty() && step.args.front().is_enum("Scope", "local");
    return !local && (IsReducing(step.name) || IsWaiting(step.name));
  });
  if (barrier == traversal.steps.end() || IsReducing(barrier->name)) return true;
  const Traversal before{
      .steps = {traversal.steps.begin(), barrier + (barrier->name == "limit" ? 1 : 0)}};
  for (Traverser& member : members) member.tag = 0;
  ORRERY_ASSIGN(const auto pipeline, Pipeline::Make(run, before));
  ORRERY_ASSIGN(const Batch results, pipeline->RunAll(std::move(members)));
  return !results.empty();
}

}  // namespace

Result<ValueMap> GroupMap::Reduced(Run& run, const By& by) const {
  ValueMap map;
  for (const Group& group : groups_) {
    if (by.kind == By::Kind::kTraversal && EndsInBarrier(*by.traversal)) {
      // All members as one stream.
      Batch starts = group.members;
      for (Traverser& start : starts) start.tag = 0;
      ORRERY_ASSIGN(const auto pipeline, Pipeline::Make(run, *by.traversal));
      ORRERY_ASSIGN(const Batch results, pipeline->RunAll(std::move(starts)));
      if (results.empty()) continue;
      ORRERY_ASSIGN(const bool any, ReachesBarrier(run, *by.traversal, group.members));
      if (any) map.Set(group.key, results.front().value);
      continue;
    }
    ORRERY_ASSIGN(const Looks looks, LookBy(run, by, group.members));
    if (by.kind == By::Kind::kTraversal) {
      // Each overwrites the one before.
      for (const auto& look : looks) {
        if (look.has_value()) map.Set(group.key, *look);
      }
      continue;
    }
    Values items;
    for (size_t i = 0; i < looks.size(); ++i) {
      if (looks[i].has_value())
        items.insert(items.end(), static_cast<size_t>(group.members[i].bulk), *looks[i]);
    }
    map.Set(group.key, Value::List(std::move(items)));
  }
  return map;
}

Result<Value> GroupOf(Run& run, const Step& step, const Batch& members) {
  ORRERY_ASSIGN(const Looks keys,
                LookBy(run, step.name == "groupCount" ? LastBy(step) : ByAt(step, 0), members));
  if (step.name == "groupCount") {
    ValueMap counts;
    for (size_t i = 0; i < members.size(); ++i) {
      if (!keys[i].has_value()) continue;
      Value* count = counts.Find(*keys[i]);
      const int64_t before = count == nullptr ? 0 : count->AsInteger();
      counts.Set(*keys[i], Value::Long(before + members[i].bulk * members[i].weight));
    }
    return Value::Map(std::move(counts));
  }
  GroupMap groups;
  for (size_t i = 0; i < members.size(); ++i) {
    if (keys[i].has_value()) groups.Add(*keys[i], members[i]);
  }
  static const By kAll{};
  ORRERY_ASSIGN(ValueMap map, groups.Reduced(run, step.bys.size() > 1 ? step.bys[1] : kAll));
  return Value::Map(std::move(map));
}

namespace {

class GroupOperator final : public BarrierOperator {
 public:
  using BarrierOperator::BarrierOperator;

 protected:
  Status Gather(Batch in, Batch& out) override {
    std::map<uint32_t, Batch> groups;
    for (const uint32_t tag : pipeline().tags()) groups[tag];
    for (Traverser& traverser : in) groups[traverser.tag].push_back(std::move(traverser));
    for (auto& [tag, members] : groups) {
      ORRERY_ASSIGN(Value map, GroupOf(run(), step(), members));
      out.push_back(run().Start(std::move(map), tag));
    }
    return {};
  }
};

}  // namespace

MadeOperator MakeGroupOperator(Run& run, const Step& step, const Pipeline& pipeline) {
  if ((step.name == "group" || step.name == "groupCount") && step.args.empty())
    return std::make_unique<GroupOperator>(run, step, pipeline);
  return nullptr;
}

}  // namespace orrery::gremlin
