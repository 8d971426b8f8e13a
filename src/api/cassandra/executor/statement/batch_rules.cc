#include "api/cassandra/executor/statement/batch_rules.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string>

namespace orrery::cassandra {

CqlStatus CheckBatch(WriteKind kind, std::span<const ModificationPlanPtr> statements,
                     bool with_timestamp, bool with_ttl) {
  if (statements.size() > kBatchStatementsMax)
    return Invalid(fmt::format("A batch has at most {} statements", kBatchStatementsMax));
  if (with_ttl) return Invalid("Global TTL on the BATCH statement is not supported.");
  const auto is_counter = [](const ModificationPlanPtr& plan) { return plan->table->is_counter; };
  const auto is_conditional = [](const ModificationPlanPtr& plan) {
    return plan->is_conditional();
  };
  const bool counters = std::ranges::any_of(statements, is_counter);
  const bool conditional = std::ranges::any_of(statements, is_conditional);
  if (with_timestamp) {
    if (conditional) return Invalid("Cannot provide custom timestamp for conditional BATCH");
    if (counters || kind == WriteKind::kCounterBatch)
      return Invalid("Cannot provide custom timestamp for counter BATCH");
    const bool own = std::ranges::any_of(statements, [](const ModificationPlanPtr& plan) {
      return plan->attributes.timestamp != nullptr;
    });
    if (own) return Invalid("Timestamp must be set either on BATCH or individual statements");
  }
  if (kind == WriteKind::kCounterBatch && !std::ranges::all_of(statements, is_counter))
    return Invalid("Cannot include non-counter statement in a counter batch");
  if (kind == WriteKind::kLoggedBatch && counters)
    return Invalid("Cannot include a counter statement in a logged batch");
  if (counters && !std::ranges::all_of(statements, is_counter))
    return Invalid("Counter and non-counter mutations cannot exist in the same batch");
  if (conditional) {
    if (kind == WriteKind::kCounterBatch)
      return Invalid("Conditions are not supported in counter batches");
    const std::string& id = statements.front()->table->id;
    const bool one_table = std::ranges::all_of(
        statements, [&](const ModificationPlanPtr& plan) { return plan->table->id == id; });
    if (!one_table) return Invalid("Batch with conditions cannot span multiple tables");
  }
  return {};
}

namespace {

CqlStatus CheckOnePartition(std::span<const WrittenStatement> statements) {
  const std::string* key = nullptr;
  for (const WrittenStatement& statement : statements) {
    if (statement.bound.partition_keys.size() > 1)
      return Invalid("IN on the partition key is not supported with conditional updates");
    if (statement.bound.partition_keys.empty()) continue;
    const std::string& own = statement.bound.partition_keys.front();
    if (key != nullptr && *key != own)
      return Invalid("Batch with conditions cannot span multiple partitions");
    key = &own;
  }
  return {};
}

enum class ConditionKind : uint8_t { kNotExists, kExists, kColumns };

// The kind of conditions that each row has, by its clustering key; static columns are asked of an
// empty one.
class ConditionKinds {
 public:
  CqlStatus Add(const std::string& row, ConditionKind kind) {
    const auto [known, added] = kinds_.try_emplace(row, kind);
    if (added || known->second == kind) return {};
    if (kind == ConditionKind::kColumns)
      return Invalid("Cannot mix IF conditions and IF NOT EXISTS for the same row");
    if (known->second != ConditionKind::kColumns) {
      return Invalid("Cannot mix IF EXISTS and IF NOT EXISTS conditions for the same row");
    }
    return Invalid(fmt::format("Cannot mix IF conditions and IF {}EXISTS for the same row",
                               kind == ConditionKind::kNotExists ? "NOT " : ""));
  }

 private:
  std::map<std::string, ConditionKind> kinds_;
};

}  // namespace

CqlStatus CheckConditions(std::span<const WrittenStatement> statements) {
  CQL_TRY(CheckOnePartition(statements));
  ConditionKinds kinds;
  for (const WrittenStatement& statement : statements) {
    const ModificationPlan& plan = *statement.plan;
    const auto& rows = statement.bound.rows;
    const std::string row = rows.empty() ? "" : rows.front().lower;
    if (plan.if_not_exists) CQL_TRY(kinds.Add(row, ConditionKind::kNotExists));
    if (plan.if_exists) CQL_TRY(kinds.Add(row, ConditionKind::kExists));
    for (const Condition& condition : plan.conditions)
      CQL_TRY(kinds.Add(condition.column->is_static() ? "" : row, ConditionKind::kColumns));
  }
  return {};
}

}  // namespace orrery::cassandra
