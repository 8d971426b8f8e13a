// Spatial relations of two geometries. Pure; each costs (edges of one) x (edges of the other).
#pragma once

#include <optional>
#include <string>

#include "model/spatial/geometry.h"

namespace orrery::model {

// Returns whether they have a point in common; the edges of a region belong to it.
bool Intersects(const Geometry& a, const Geometry& b);

// Returns whether all of `inner` lies in `outer`.
bool IsWithin(const Geometry& inner, const Geometry& outer);

// Returns whether the point lies in the polygon, including its edges.
bool Contains(const GeoPolygon& polygon, GeoPoint point);

// Metres between their nearest points, which are found on the sphere and measured on the ellipsoid;
// 0 when they intersect.
double DistanceBetween(const Geometry& a, const Geometry& b);

// Square metres; 0 of points and lines.
double AreaOf(const Geometry& geometry);

// Why a polygon's outline is none, in a sentence: it crosses itself.
std::optional<std::string> FindCrossing(const Geometry& geometry);

}  // namespace orrery::model
