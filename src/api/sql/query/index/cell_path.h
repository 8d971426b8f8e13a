// How an index of cells serves a query: by where on the earth a shape must lie for ST_WITHIN and
// ST_INTERSECTS to be true of it and a constant one, or for ST_DISTANCE to be below a number.
//
// What is found is still to be checked: cells cover more than a shape (model/spatial/cell_cover.h).
//
// Pure.
#pragma once

#include <optional>
#include <vector>

#include "api/sql/query/index/access_path.h"
#include "model/spatial/geometry.h"

namespace orrery::sql {

// That the shape there is no farther from the given one than so many metres.
struct ShapeCondition {
  Place place;
  model::Geometry shape;
  double metres = 0;
};

// Of all conditions that the query's WHERE joins by AND.
std::vector<ShapeCondition> ShapeConditionsOf(const ast::Query& reader,
                                              const PredicateContext& context);

// By the condition of the smallest cells that an index serves; nothing when none does, or all look
// at the whole earth.
std::optional<IndexPath> CellPathOf(const std::vector<ShapeCondition>& conditions,
                                    const item::ContainerSchema& schema);

}  // namespace orrery::sql
