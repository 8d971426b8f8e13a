#include "api/sql/query/plan/query_info.h"

#include <string_view>
#include <utility>

namespace orrery::sql {
namespace {

using model::Value;

Value Text(std::string_view text) { return Value::String(std::string(text)); }

Value Texts(const std::vector<std::string>& texts) {
  model::Values values;
  for (const std::string& text : texts) values.push_back(Text(text));
  return Value::Array(std::move(values));
}

std::string_view NameOf(QueryInfo::Distinct distinct) {
  switch (distinct) {
    case QueryInfo::Distinct::kOrdered:
      return "Ordered";
    case QueryInfo::Distinct::kUnordered:
      return "Unordered";
    case QueryInfo::Distinct::kNone:
      break;
  }
  return "None";
}

}  // namespace

Value QueryInfo::ToValue() const {
  model::Values directions;
  for (const bool descending : order_by)
    directions.push_back(Text(descending ? "Descending" : "Ascending"));
  model::Values names;
  model::Values aggregates;
  model::Fields types;
  for (const GroupedItem& item : grouped) {
    Value type = item.aggregate.has_value() ? Text(PlanNameOf(*item.aggregate)) : Value::Null();
    if (item.name.empty()) {
      if (item.aggregate.has_value()) aggregates.push_back(std::move(type));
      continue;
    }
    names.push_back(Text(item.name));
    types.push_back({item.name, std::move(type)});
  }
  Value count = Value::Null();
  if (distinct_count.has_value()) count = Value::Object({{"dCountAlias", Text(*distinct_count)}});
  return Value::Object({{"distinctType", Text(NameOf(distinct))},
                        {"top", top},
                        {"offset", offset},
                        {"limit", limit},
                        {"orderBy", Value::Array(std::move(directions))},
                        {"orderByExpressions", Texts(order_by_expressions)},
                        {"groupByExpressions", Texts(group_by_expressions)},
                        {"groupByAliases", Value::Array(std::move(names))},
                        {"aggregates", Value::Array(std::move(aggregates))},
                        {"groupByAliasToAggregateType", Value::Object(std::move(types))},
                        {"rewrittenQuery", Text(rewritten_query)},
                        {"hasSelectValue", Value::Bool(has_select_value)},
                        {"hasNonStreamingOrderBy", Value::Bool(has_non_streaming_order_by)},
                        {"dCountInfo", std::move(count)}});
}

}  // namespace orrery::sql
