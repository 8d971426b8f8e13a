#include "api/sql/handler/query/client_merge.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace orrery::sql {
namespace {

using model::Kind;
using model::Value;

bool IsThere(const Value& object, std::string_view name) {
  const Value* value = object.Find(name);
  if (value == nullptr || value->is_null()) return false;
  return value->kind() != Kind::kArray || !value->AsValues().empty();
}

}  // namespace

bool NeedsMerge(const Value& plan) {
  if (IsThere(plan, "hybridSearchQueryInfo")) return true;
  const Value* info = plan.Find("queryInfo");
  if (info == nullptr || info->is_null()) return false;
  constexpr std::array<std::string_view, 7> kMerging = {
      "top", "offset", "limit", "orderBy", "groupByExpressions", "aggregates", "dCountInfo"};
  if (std::ranges::any_of(kMerging, [&](std::string_view name) { return IsThere(*info, name); }))
    return true;
  // Aggregates that have names.
  const Value* named = info->Find("groupByAliasToAggregateType");
  if (named != nullptr && named->kind() == Kind::kObject && !named->AsFields().empty()) return true;
  const Value* distinct = info->Find("distinctType");
  return distinct != nullptr && distinct->kind() == Kind::kString && distinct->AsString() != "None";
}

bool IsOfOneKey(const Value& plan) {
  const Value* ranges = plan.Find("queryRanges");
  if (ranges == nullptr || ranges->kind() != Kind::kArray || ranges->AsValues().size() != 1)
    return false;
  const Value& range = ranges->AsValues().front();
  const Value* min = range.Find("min");
  const Value* max = range.Find("max");
  return min != nullptr && max != nullptr && *min == *max;
}

}  // namespace orrery::sql
