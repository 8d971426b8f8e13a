// The places on the earth that a value of a document stands for, as MongoDB reads them: GeoJSON
// objects of all types, and pairs of numbers. Pure.
#pragma once

#include <vector>

#include "model/spatial/geometry.h"
#include "model/value.h"

namespace orrery::model {

// One for each part of a GeoJSON MultiPoint, MultiLineString or GeometryCollection; one for every
// other GeoJSON object, and for an array or object whose first two elements are numbers (longitude
// and latitude, or any plane's). None for what is no place, or malformed. Of the two sides of a
// polygon's outline the smaller one is meant.
std::vector<Geometry> PlacesOf(const Value& value);

// Of the two sides of outlines the smaller one.
void TurnOutlines(Geometry& geometry);

// Returns whether all positions are longitudes and latitudes: a pair of numbers need not be.
bool IsOnEarth(const Geometry& geometry);

}  // namespace orrery::model
