#include "api/table/query/query_plan.h"

#include <utility>
#include <vector>

#include "api/table/entity/stored_entity.h"
#include "api/table/query/filter_conditions.h"
#include "model/key/key_codec.h"

namespace orrery::table {
namespace {

std::string Encoded(const std::string& key) {
  const model::Value value = model::Value::String(key);
  return model::EncodeKey({&value, 1}, model::Order::kSql);
}

// Intervals of keys as ranges of an index.
std::vector<query::ValueRange> RangesOf(const KeyRanges& keys) {
  std::vector<query::ValueRange> ranges;
  for (const KeyInterval& interval : keys.intervals()) {
    const item::ValueBound lower{Encoded(interval.lower), true};
    if (interval.is_single()) {
      ranges.push_back({lower, lower});
    } else if (interval.upper.has_value()) {
      ranges.push_back({lower, item::ValueBound{Encoded(*interval.upper), false}});
    } else {
      ranges.push_back({lower, std::nullopt});
    }
  }
  return ranges;
}

// Returns the part of the scope that can be said of partition keys alone.
KeyRanges ScopeOf(const KeyScope& scope) {
  return KeyRanges::Between(scope.first_partition_key, scope.last_partition_key);
}

std::optional<query::AccessPath> IndexPathOf(const EntityQuery& query,
                                             const std::optional<std::string>& partition_key) {
  const query::Conditions conditions = ConditionsOf(query.filter.get());
  if (conditions.all.empty() && conditions.disjunctions.empty()) return std::nullopt;
  std::optional<gateway::KeyValues> key;
  if (partition_key.has_value()) key = {model::Value::String(*partition_key)};
  query::AccessPath path = query::ChooseAccessPath(conditions, *query.container->schema, key);
  if (path.row_key.has_value()) return std::nullopt;
  if (path.index.has_value()) path.index_union = {*std::exchange(path.index, std::nullopt)};
  if (path.index_union.empty()) return std::nullopt;
  path.index_only.reset();
  path.partition_key = std::move(key);
  path.is_ordered = false;
  return path;
}

}  // namespace

Outcome<QueryPlan> PlanQuery(const EntityQuery& query) {
  QueryPlan plan;
  plan.partition_keys =
      KeyRanges::Allowed(query.filter.get(), "PartitionKey").Intersect(ScopeOf(query.scope));
  plan.row_keys = KeyRanges::Allowed(query.filter.get(), "RowKey");
  plan.partition_key = plan.partition_keys.single();
  if (plan.is_empty()) return plan;
  const bool goes_on_in_order = query.after.has_value() && query.after->is_scan;
  if (!goes_on_in_order && !query.descending && !plan.single_row_key().has_value())
    plan.index = IndexPathOf(query, plan.partition_key);
  if (plan.partition_key.has_value())
    plan.ordered.partition_key = gateway::KeyValues{model::Value::String(*plan.partition_key)};
  plan.ordered.is_ordered = true;
  // Records of one partition are in that order already.
  if (plan.partition_key.has_value() && !query.descending) return plan;
  auto index = query::AutomaticIndexAt(query::DocumentPath().Field(std::string(kPartitionKeyField)),
                                       RangesOf(plan.partition_keys), *query.container->schema);
  if (!index.has_value()) {
    return Refuse(ErrorCode::kInvalidInput,
                  "One of the request inputs is not valid: the table's indexing policy excludes "
                  "'/$pk', without which entities have no order. Include it again.");
  }
  index->descending = query.descending;
  plan.ordered.index = *std::move(index);
  return plan;
}

}  // namespace orrery::table
