// How an index of vectors serves a query: ORDER BY VECTORDISTANCE of a place and a constant vector
// wants documents by nearness, and with TOP or LIMIT only the first of them.
//
// Documents come in that order and are checked as they come, until there are enough rows; those
// without a vector come behind all others, when there are not. Conditions that another index serves
// are looked up there: only what it has is compared.
//
// Pure.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "api/sql/query/index/place.h"
#include "api/sql/query/index/predicate.h"

namespace orrery::sql {

struct NearnessOrder {
  Place place;
  item::NearestSearch search;  // without its index
};

// Nothing unless the query wants the first rows, each of one document, by nearness alone.
std::optional<NearnessOrder> NearnessOrderOf(const ast::Query& query,
                                             const PredicateContext& context);

struct NearestPath {
  Place place;
  std::shared_ptr<const item::NearestSearch> search;

  // Where in the order a document stands, as bytes (item/read/nearest_position.h). Nothing for one
  // that is not in the order: it has no vector, or none that can be compared.
  std::optional<std::string> RankOf(model::DocumentView document) const;
};

// Stands for the rank of documents that have none: as bytes behind those of every finite number.
inline constexpr std::string_view kUnranked("\xff\xff", 2);

// Only among documents of these ranges of an index; none: all. Nothing when no index of vectors
// serves the order.
std::optional<NearestPath> NearestPathOf(NearnessOrder order, std::vector<item::IndexRange> among,
                                         const item::ContainerSchema& schema);

}  // namespace orrery::sql
