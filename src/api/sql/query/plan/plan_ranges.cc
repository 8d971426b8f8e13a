#include "api/sql/query/plan/plan_ranges.h"

#include <algorithm>
#include <utility>

#include "api/sql/query/plan/key_conditions.h"

namespace orrery::sql {
namespace {

using model::Value;

PlanRange WholeRing() { return {.min = "", .max = "FF"}; }
PlanRange EmptyKey() { return {.min = "", .max = "", .includes_max = true}; }

// The values up to the first that is open.
gateway::KeyValues BeginningOf(const KeySet::Pattern& pattern) {
  gateway::KeyValues key;
  for (const auto& component : pattern) {
    if (!component.has_value()) break;
    key.push_back(component->value);
  }
  return key;
}

// Leaves out what another one has: clients refuse ranges that overlap.
void MakeDisjoint(std::vector<PlanRange>& ranges) {
  std::ranges::sort(ranges, [](const PlanRange& a, const PlanRange& b) {
    return a.min != b.min ? a.min < b.min : a.max > b.max;
  });
  std::vector<PlanRange> disjoint;
  for (PlanRange& range : ranges) {
    const bool is_covered = !disjoint.empty() && range.max <= disjoint.back().max;
    if (!is_covered) disjoint.push_back(std::move(range));
  }
  ranges = std::move(disjoint);
}

}  // namespace

std::vector<PlanRange> PlanRangesOf(const ast::Query& query, const item::ContainerSchema& schema,
                                    const ConditionContext& context) {
  const KeySet keys = PossibleKeysOf(query, schema, context);
  if (keys.is_empty()) return {EmptyKey()};
  // Keys of such tables have tokens.
  if (schema.hashing == partition::KeyHashing::kCassandra) return {WholeRing()};
  std::vector<PlanRange> ranges;
  for (const KeySet::Pattern& pattern : keys.patterns()) {
    const gateway::KeyValues key = BeginningOf(pattern);
    const bool is_whole = key.size() == pattern.size();
    const bool may_be_prefix = schema.hashing == partition::KeyHashing::kMultiHash;
    if (key.empty() || (!is_whole && !may_be_prefix)) return {WholeRing()};
    // A key that has none, such as a text that is too long, is no document's.
    const auto epk = partition::EffectivePartitionKey(schema.hashing, key);
    if (epk.has_value()) ranges.push_back({*epk, is_whole ? *epk : *epk + "FF", is_whole});
  }
  if (ranges.empty()) return {EmptyKey()};
  MakeDisjoint(ranges);
  return ranges;
}

Value ToValue(const std::vector<PlanRange>& ranges) {
  model::Values list;
  for (const PlanRange& range : ranges) {
    list.push_back(Value::Object({{"min", Value::String(range.min)},
                                  {"max", Value::String(range.max)},
                                  {"isMinInclusive", Value::Bool(true)},
                                  {"isMaxInclusive", Value::Bool(range.includes_max)}}));
  }
  return Value::Array(std::move(list));
}

}  // namespace orrery::sql
