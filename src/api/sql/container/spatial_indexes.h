// The spatial indexes of an indexing policy, and what the core has of them: indexes of cells.
//
//   [{"path": "/location/*", "types": ["Point", "Polygon"]}, ..]
//
// A path that leads to one place ("/location", "/location/?", "/location/*") is an index of all
// shapes there, of whatever type. One with wildcards on its way, or that is only a wildcard, is
// taken and nothing more.
//
// Pure.
#pragma once

#include <vector>

#include "base/status.h"
#include "gateway/catalog/container_settings.h"
#include "model/value.h"

namespace orrery::sql {

// Without ids. kInvalidArgument says which part is wrong.
Result<std::vector<item::NamedIndex>> SpatialIndexesFrom(const model::Value& json);

// On a plane (geometry) each index says which part of it counts, on the earth none does.
// kInvalidArgument otherwise.
Status CheckBoundingBoxes(const model::Value& json, bool geometry);

}  // namespace orrery::sql
