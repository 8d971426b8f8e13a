#include "api/sql/query/condition/order_finder.h"

#include <string>
#include <utility>

#include "api/sql/function/argument.h"
#include "api/sql/query/bind/grouping.h"
#include "api/sql/query/bind/order_direction.h"
#include "api/sql/query/bind/tree_walk.h"
#include "api/sql/query/condition/constant.h"
#include "api/sql/query/condition/document_paths.h"

namespace orrery::sql {
namespace {

using query::NearestOrder;
using query::WantedOrder;

bool GivesFirstRows(const ast::Query& query, const FunctionRegistry& functions) {
  bool is_grouped = !query.group_by.empty();
  ForEachSelected(query.select, [&](const ast::Expression& expression) {
    is_grouped = is_grouped || HasAggregate(expression, functions);
  });
  return (query.select.top.has_value() || query.offset_limit.has_value()) && !is_grouped &&
         !query.select.is_distinct;
}

// Nothing when the call is undefined whatever the documents are, or may be.
std::optional<model::VectorMeasure> MeasureOf(const ast::FunctionCall& call,
                                              const ConditionContext& context) {
  if (call.arguments.size() < 4) return model::VectorMeasure::kCosine;
  const auto options = ConstantOf(call.arguments[3], context);
  if (!options.has_value() || ObjectOf(*options) == nullptr) return std::nullopt;
  const model::Value* name = options->Find("distanceFunction");
  if (name == nullptr) return model::VectorMeasure::kCosine;
  const std::string* text = TextOf(*name);
  return text == nullptr ? std::nullopt : model::FindVectorMeasure(*text);
}

std::optional<bool> ComparesAll(const ast::FunctionCall& call, const ConditionContext& context) {
  if (call.arguments.size() < 3) return false;
  const auto flag = ConstantOf(call.arguments[2], context);
  return flag.has_value() ? BoolOf(*flag) : std::nullopt;
}

}  // namespace

std::optional<NearestOrder> NearestOrderOf(const ast::Query& query,
                                           const ConditionContext& context) {
  if (ReaderOf(query) != &query || !query.order_by.has_value() || query.order_by->is_rank ||
      query.order_by->orderings.size() != 1 || !GivesFirstRows(query, context.functions))
    return std::nullopt;
  const ast::Ordering& ordering = query.order_by->orderings.front();
  if (!IsVectorDistance(ordering.value)) return std::nullopt;
  const auto& call = *ordering.value.As<ast::FunctionCall>();
  if (call.arguments.size() < 2 || call.arguments.size() > 4) return std::nullopt;
  const AliasPaths aliases = AliasPathsOf(query);
  auto path = PathOf(call.arguments[0], aliases);
  const ast::Expression* other = &call.arguments[1];
  if (!path.has_value()) {
    path = PathOf(call.arguments[1], aliases);
    other = &call.arguments[0];
  }
  if (!path.has_value() || path->has_elements() || context.IsComputed(*path) ||
      context.IsBeyondIndexes(*path))
    return std::nullopt;
  const auto constant = ConstantOf(*other, context);
  if (!constant.has_value()) return std::nullopt;
  auto target = model::VectorOf(*constant);
  const auto measure = MeasureOf(call, context);
  const auto compares_all = ComparesAll(call, context);
  if (!target.has_value() || !measure.has_value() || !compares_all.has_value()) return std::nullopt;
  NearestOrder order{.path = *std::move(path), .search = {}};
  order.search.target = *std::move(target);
  order.search.measure = *measure;
  order.search.descending = IsDescending(ordering);
  order.search.compares_all = *compares_all;
  return order;
}

std::optional<WantedOrder> WantedOrderOf(const ast::Query& query, const ConditionContext& context) {
  if (ReaderOf(query) != &query || !query.order_by.has_value() || query.order_by->is_rank ||
      !query.group_by.empty())
    return std::nullopt;
  WantedOrder order;
  const AliasPaths aliases = AliasPathsOf(query);
  for (const ast::Ordering& ordering : query.order_by->orderings) {
    auto path = PathOf(ordering.value, aliases);
    if (!path.has_value() || path->has_elements() || context.IsBeyondIndexes(*path))
      return std::nullopt;
    order.paths.push_back(*std::move(path));
    order.descending.push_back(IsDescending(ordering));
  }
  return order;
}

}  // namespace orrery::sql
