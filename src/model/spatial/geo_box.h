// Boxes of longitude and latitude that shapes lie in: simple to compare, larger than the shape and
// never smaller.
//
// Edges of shapes are arcs of great circles, which bend towards the poles; a box has what they
// reach. A shape beyond the 180th meridian has a box on each side of it. Pure.
#pragma once

#include <vector>

#include "model/spatial/geometry.h"

namespace orrery::model {

// In degrees, with its edges. West is never east of east.
struct GeoBox {
  double west = -180;
  double south = -90;
  double east = 180;
  double north = 90;

  // All of the earth.
  bool is_whole() const { return west <= -180 && east >= 180 && south <= -90 && north >= 90; }
};

// Together they have every point of the shape. The whole earth for shapes around or next to a pole,
// for regions wider than 180 degrees, and where it is hard to say.
std::vector<GeoBox> BoxesOf(const Geometry& shape);

// Together they have every point that is no farther than so many metres from a point of the shape,
// by each of its longitudes when it has several: at the poles and on the 180th meridian.
// REQUIRES: metres >= 0.
std::vector<GeoBox> BoxesAround(const Geometry& shape, double metres);

}  // namespace orrery::model
