// GeoJSON objects as spatial functions and indexes see them: Point, LineString, Polygon and
// MultiPolygon.
//
// Positions are longitude and latitude in degrees on WGS-84; what follows them (an altitude) does
// not count. A polygon's first ring is its outline, the others are holes. The outline's inside is
// on its left: counter-clockwise it is the region within, clockwise all but that region.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/status.h"
#include "model/value.h"

namespace orrery::model {

// Positions of one object.
inline constexpr size_t kGeometryPointsMax = 4096;

struct GeoPoint {
  double longitude = 0;
  double latitude = 0;
  friend bool operator==(const GeoPoint&, const GeoPoint&) = default;
};

using GeoPath = std::vector<GeoPoint>;

struct GeoPolygon {
  std::vector<GeoPath> rings;  // at least one; each ends where it begins
};

struct Geometry {
  enum class Kind : uint8_t { kPoint, kLine, kRegion };

  Kind kind = Kind::kPoint;
  GeoPath path;                      // of a point (one) or a line (at least two)
  std::vector<GeoPolygon> polygons;  // of a region
};

size_t CountPoints(const Geometry& geometry);

// kInvalidArgument says why it is none, in a sentence for ST_ISVALIDDETAILED; kTooLarge past
// kGeometryPointsMax.
Result<Geometry> ReadGeometry(const Value& value);

}  // namespace orrery::model
