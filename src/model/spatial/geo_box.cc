#include "model/spatial/geo_box.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "model/spatial/relation.h"
#include "model/spatial/sphere.h"

namespace orrery::model {
namespace {

// Nearer to a pole longitudes mean little.
constexpr double kPolarLatitude = 89.9;
// Ends of an arc that are farther apart may be joined on either side.
constexpr double kArcDegreesMax = 179;
constexpr double kRegionDegreesMax = 180;
// The least that a degree of latitude has anywhere on the ellipsoid, and one of longitude on the
// equator, is more.
constexpr double kMetresPerDegree = 110'500;
// The tolerances of distances: a relative error, and the distance below which two points count as
// one.
constexpr double kDistanceTolerance = 1.01;
constexpr double kMetresAlways = 1;

// Longitudes go on beyond 180 degrees where a shape does.
struct Extent {
  double west = 0;
  double east = 0;
  double south = 90;
  double north = -90;

  void AddLatitude(double latitude) {
    south = std::min(south, latitude);
    north = std::max(north, latitude);
  }
};

// The latitudes that an arc reaches between its ends.
void AddBend(GeoPoint from, GeoPoint to, Extent& extent) {
  const Arc arc{ToVector(from), ToVector(to)};
  const Vector axis = Normalized(Cross(arc.a, arc.b));
  // Along the equator there is no bend, and no northernmost point.
  constexpr double kAlongEquator = 1e-9;
  if (std::hypot(axis.x, axis.y) < kAlongEquator) return;
  // The northernmost point of the great circle; the southernmost is opposite.
  const Vector top = Normalized(Vector{0, 0, 1} - axis.z * axis);
  constexpr double kTolerance = 1e-9;
  for (const double side : {1.0, -1.0}) {
    const Vector point = side * top;
    if (Dot(Cross(arc.a, point), axis) < -kTolerance ||
        Dot(Cross(point, arc.b), axis) < -kTolerance)
      continue;
    extent.AddLatitude(ToGeoPoint(point).latitude);
  }
}

// Nothing when the path is next to a pole or its way is not certain.
std::optional<Extent> ExtentOf(const GeoPath& path) {
  Extent extent;
  double longitude = path.front().longitude;
  extent.west = extent.east = longitude;
  extent.AddLatitude(path.front().latitude);
  for (size_t i = 1; i < path.size(); ++i) {
    const double step = std::remainder(path[i].longitude - path[i - 1].longitude, 360);
    if (std::fabs(step) > kArcDegreesMax) return std::nullopt;
    longitude += step;
    extent.west = std::min(extent.west, longitude);
    extent.east = std::max(extent.east, longitude);
    extent.AddLatitude(path[i].latitude);
    AddBend(path[i - 1], path[i], extent);
  }
  if (path.size() > 1 && (extent.north > kPolarLatitude || extent.south < -kPolarLatitude))
    return std::nullopt;
  return extent;
}

// A region lies within what its outline reaches, or has all that the outline does not reach: points
// far away from it say which. They lie on no meridian or parallel that shapes are drawn along.
std::optional<Extent> ExtentOf(const GeoPolygon& polygon) {
  constexpr GeoPoint kFarAway[] = {{178.31, 17.37}, {131.53, -23.71}};  // from the middle
  const auto extent = ExtentOf(polygon.rings.front());
  if (!extent.has_value() || extent->east - extent->west >= kRegionDegreesMax) return std::nullopt;
  const GeoPolygon filled{{polygon.rings.front()}};
  const double middle = (extent->west + extent->east) / 2;
  for (const GeoPoint& far : kFarAway) {
    const double longitude = std::remainder(middle + far.longitude, 360);
    if (Contains(filled, {longitude, far.latitude})) return std::nullopt;
  }
  return extent;
}

std::vector<std::optional<Extent>> ExtentsOf(const Geometry& shape) {
  if (shape.kind != Geometry::Kind::kRegion) return {ExtentOf(shape.path)};
  std::vector<std::optional<Extent>> extents;
  for (const GeoPolygon& polygon : shape.polygons) extents.push_back(ExtentOf(polygon));
  return extents;
}

void AddBoxes(const Extent& extent, std::vector<GeoBox>& boxes) {
  const double south = std::max(extent.south, -90.0);
  const double north = std::min(extent.north, 90.0);
  const double width = extent.east - extent.west;
  if (width >= 360) {
    boxes.push_back({-180, south, 180, north});
    return;
  }
  double west = extent.west;
  while (west >= 180) west -= 360;
  while (west < -180) west += 360;
  const double east = west + width;
  boxes.push_back({west, south, std::min(east, 180.0), north});
  if (east > 180) boxes.push_back({-180, south, east - 360, north});
}

void Widen(Extent& extent, double metres) {
  const double degrees = (metres * kDistanceTolerance + kMetresAlways) / kMetresPerDegree;
  extent.south -= degrees;
  extent.north += degrees;
  const double farthest = std::max(std::fabs(extent.south), std::fabs(extent.north));
  if (farthest >= kPolarLatitude) {
    extent.west = -180;
    extent.east = 180;
    return;
  }
  const double aside = degrees / std::cos(farthest * kRadiansPerDegree);
  extent.west -= aside;
  extent.east += aside;
}

}  // namespace

std::vector<GeoBox> BoxesOf(const Geometry& shape) {
  std::vector<GeoBox> boxes;
  for (const auto& extent : ExtentsOf(shape)) {
    if (!extent.has_value()) return {GeoBox()};
    AddBoxes(*extent, boxes);
  }
  return boxes;
}

std::vector<GeoBox> BoxesAround(const Geometry& shape, double metres) {
  std::vector<GeoBox> boxes;
  for (auto& extent : ExtentsOf(shape)) {
    if (!extent.has_value()) return {GeoBox()};
    Widen(*extent, metres);
    AddBoxes(*extent, boxes);
  }
  return boxes;
}

}  // namespace orrery::model
