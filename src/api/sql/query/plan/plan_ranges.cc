#include "api/sql/query/plan/plan_ranges.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "api/sql/query/index/access_path.h"

namespace orrery::sql {
namespace {

using model::Value;

Value RangeOf(std::string min, std::string max, bool includes_max) {
  return Value::Object({{"min", Value::String(std::move(min))},
                        {"max", Value::String(std::move(max))},
                        {"isMinInclusive", Value::Bool(true)},
                        {"isMaxInclusive", Value::Bool(includes_max)}});
}

}  // namespace

Result<Value> PlanRanges(const ast::Query& query, const item::ContainerSchema& schema,
                         const PredicateContext& context) {
  const std::vector<gateway::KeyValues> keys = KeysOf(query, schema, context);
  if (keys.empty()) return Value::Array({RangeOf("", "FF", false)});
  std::map<std::string, Value> ranges;
  for (const gateway::KeyValues& key : keys) {
    ORRERY_ASSIGN(std::string epk, partition::EffectivePartitionKey(schema.hashing, key));
    const bool is_whole = key.size() == schema.partition_key_paths.size();
    Value range = RangeOf(epk, is_whole ? epk : epk + "FF", is_whole);
    ranges.emplace(std::move(epk), std::move(range));
  }
  model::Values list;
  for (auto& [epk, range] : ranges) list.push_back(std::move(range));
  return Value::Array(std::move(list));
}

}  // namespace orrery::sql
