#include "api/sql/query/index/nearest_path.h"

#include <utility>

#include "api/sql/function/argument.h"
#include "api/sql/query/bind/grouping.h"
#include "api/sql/query/bind/order_direction.h"
#include "api/sql/query/bind/tree_walk.h"
#include "api/sql/query/index/constant.h"
#include "api/sql/query/index/named_index.h"

namespace orrery::sql {
namespace {

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
                                              const PredicateContext& context) {
  if (call.arguments.size() < 4) return model::VectorMeasure::kCosine;
  const auto options = ConstantOf(call.arguments[3], context);
  if (!options.has_value() || ObjectOf(*options) == nullptr) return std::nullopt;
  const model::Value* name = options->Find("distanceFunction");
  if (name == nullptr) return model::VectorMeasure::kCosine;
  const std::string* text = TextOf(*name);
  return text == nullptr ? std::nullopt : model::FindVectorMeasure(*text);
}

std::optional<bool> ComparesAll(const ast::FunctionCall& call, const PredicateContext& context) {
  if (call.arguments.size() < 3) return false;
  const auto flag = ConstantOf(call.arguments[2], context);
  return flag.has_value() ? BoolOf(*flag) : std::nullopt;
}

}  // namespace

std::optional<NearnessOrder> NearnessOrderOf(const ast::Query& query,
                                             const PredicateContext& context) {
  if (ReaderOf(query) != &query || !query.order_by.has_value() || query.order_by->is_rank ||
      query.order_by->orderings.size() != 1 || !GivesFirstRows(query, context.functions))
    return std::nullopt;
  const ast::Ordering& ordering = query.order_by->orderings.front();
  if (!IsVectorDistance(ordering.value)) return std::nullopt;
  const auto& call = *ordering.value.As<ast::FunctionCall>();
  if (call.arguments.size() < 2 || call.arguments.size() > 4) return std::nullopt;
  const Places aliases = DocumentPlaces(query);
  auto place = PlaceOf(call.arguments[0], aliases);
  const ast::Expression* other = &call.arguments[1];
  if (!place.has_value()) {
    place = PlaceOf(call.arguments[1], aliases);
    other = &call.arguments[0];
  }
  if (!place.has_value() || place->has_elements() || !IsIndexable(*place) ||
      context.IsComputed(*place))
    return std::nullopt;
  const auto constant = ConstantOf(*other, context);
  if (!constant.has_value()) return std::nullopt;
  auto target = model::VectorOf(*constant);
  const auto measure = MeasureOf(call, context);
  const auto compares_all = ComparesAll(call, context);
  if (!target.has_value() || !measure.has_value() || !compares_all.has_value()) return std::nullopt;
  NearnessOrder order{.place = *std::move(place), .search = {}};
  order.search.target = *std::move(target);
  order.search.measure = *measure;
  order.search.descending = IsDescending(ordering);
  order.search.compares_all = *compares_all;
  return order;
}

std::optional<NearestPath> NearestPathOf(NearnessOrder order, std::vector<item::IndexRange> among,
                                         const item::ContainerSchema& schema) {
  for (const item::NamedIndex& index : schema.indexing.named()) {
    if (index.kind != item::IndexKind::kVectors || PlaceAt(index.paths.front()) != order.place ||
        index.vectors.dimensions != order.search.target.size() || !IsBuilt(schema, index))
      continue;
    order.search.index = item::NamedIndexId(index.id);
    order.search.among = std::move(among);
    return NearestPath{
        .place = std::move(order.place),
        .search = std::make_shared<const item::NearestSearch>(std::move(order.search))};
  }
  return std::nullopt;
}

std::optional<std::string> NearestPath::RankOf(model::DocumentView document) const {
  const auto vector = model::VectorOf(place.Get(document));
  if (!vector.has_value() || vector->size() != search->target.size()) return std::nullopt;
  const auto number = model::Measure(search->measure, *vector, search->target);
  if (!number.has_value()) return std::nullopt;
  return item::EncodeRank(search->descending ? -*number : *number);
}

}  // namespace orrery::sql
