#include "query/access/nearest_path.h"

#include <utility>

#include "query/access/named_index.h"

namespace orrery::query {

std::optional<NearestPath> NearestPathOf(NearestOrder order, std::vector<item::IndexRange> among,
                                         const item::ContainerSchema& schema) {
  for (const item::NamedIndex& index : schema.indexing.named()) {
    if (index.kind != item::IndexKind::kVectors ||
        DocumentPath::At(index.paths.front()) != order.path ||
        index.vectors.dimensions != order.search.target.size() || !IsBuilt(schema, index))
      continue;
    order.search.index = item::NamedIndexId(index.id);
    order.search.among = std::move(among);
    return NearestPath{
        .path = std::move(order.path),
        .search = std::make_shared<const item::NearestSearch>(std::move(order.search))};
  }
  return std::nullopt;
}

std::optional<std::string> NearestPath::RankOf(model::DocumentView document) const {
  const auto vector = model::VectorOf(path.Get(document));
  if (!vector.has_value() || vector->size() != search->target.size()) return std::nullopt;
  const auto number = model::Measure(search->measure, *vector, search->target);
  if (!number.has_value()) return std::nullopt;
  return item::EncodeRank(search->descending ? -*number : *number);
}

}  // namespace orrery::query
