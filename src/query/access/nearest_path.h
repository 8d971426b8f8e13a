// A NearestPath says how a vector index serves a query that wants its first rows by how near the
// vectors of documents are to a given one.
//
// Documents come in that order and are checked as they come, until there are enough rows; those
// without a vector come behind all others, when there are not. Conditions that another index serves
// are looked up there: only what it has is compared.
//
// Pure.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/predicate/conditions.h"

namespace orrery::query {

struct NearestPath {
  DocumentPath path;
  std::shared_ptr<const item::NearestSearch> search;

  // Returns where in the order a document stands, as bytes (item/read/nearest_position.h). Nullopt
  // for one that is not in the order: it has no vector, or none that can be compared.
  std::optional<std::string> RankOf(model::DocumentView document) const;
};

// Stands for the rank of documents that have none: as bytes behind those of every finite number.
inline constexpr std::string_view kUnranked("\xff\xff", 2);

// Only among documents of these ranges of an index; none: all. Returns nullopt if no vector index
// serves the order.
std::optional<NearestPath> NearestPathOf(NearestOrder order, std::vector<item::IndexRange> among,
                                         const item::ContainerSchema& schema);

}  // namespace orrery::query
