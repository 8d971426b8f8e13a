// Chooses a spatial index for a query: by the quadtree cells in which a shape must lie for a
// condition on it and a constant shape to be true.
//
// The documents found are still to be checked: cells cover more than a shape
// (model/spatial/cell_cover.h).
//
// Pure.
#pragma once

#include <optional>
#include <vector>

#include "query/access/index_path.h"
#include "query/predicate/conditions.h"

namespace orrery::query {

// Returns the path by the condition of the smallest cells that an index serves; nullopt if none
// does, or all look at the whole earth.
std::optional<IndexPath> SpatialPathOf(const std::vector<ShapeCondition>& conditions,
                                       const item::ContainerSchema& schema);

}  // namespace orrery::query
