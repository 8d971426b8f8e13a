#include "model/spatial/geometry.h"

#include <fmt/format.h>

#include <cmath>

#include <optional>
#include <string>
#include <utility>

#include "model/number/number.h"

namespace orrery::model {
namespace {

constexpr size_t kLinePointsMin = 2;
constexpr size_t kRingPointsMin = 4;

std::unexpected<Error> Invalid(std::string reason) {
  return Fail(Code::kInvalidArgument, std::move(reason));
}

// A value of the type that is wanted there, or nothing.
const Values* ArrayOf(const Value& value) {
  return value.kind() == Kind::kArray ? &value.AsValues() : nullptr;
}
const std::string* TextOf(const Value& value) {
  return value.kind() == Kind::kString ? &value.AsString() : nullptr;
}
std::optional<double> NumberOf(const Value& value) {
  if (!value.is_number()) return std::nullopt;
  return ToDouble(value);
}

class Reader {
 public:
  Result<GeoPoint> ReadPoint(const Value& value) {
    const Values* position = ArrayOf(value);
    if (position == nullptr || position->size() < 2)
      return Invalid("A position must be an array of at least two numbers.");
    const auto longitude = NumberOf((*position)[0]);
    const auto latitude = NumberOf((*position)[1]);
    if (!longitude || !latitude) return Invalid("A position must consist of numbers.");
    // Written so that NaN fails too.
    if (!(std::fabs(*latitude) <= 90))
      return Invalid("Latitude values must be between -90 and 90 degrees.");
    if (!(std::fabs(*longitude) <= 180))
      return Invalid("Longitude values must be between -180 and 180 degrees.");
    if (++points_ > kGeometryPointsMax)
      return Fail(Code::kTooLarge, "A GeoJSON object has too many positions.");
    return GeoPoint{*longitude, *latitude};
  }

  Result<GeoPath> ReadPath(const Value& value, size_t points_min) {
    const Values* positions = ArrayOf(value);
    if (positions == nullptr) return Invalid("Coordinates must be arrays of positions.");
    if (positions->size() < points_min) {
      return Invalid(points_min == kLinePointsMin
                         ? "A LineString must have at least two positions."
                         : "A ring of a Polygon must have at least four positions.");
    }
    GeoPath path;
    path.reserve(positions->size());
    for (const Value& position : *positions) {
      ORRERY_ASSIGN(const GeoPoint point, ReadPoint(position));
      path.push_back(point);
    }
    return path;
  }

  Result<GeoPolygon> ReadPolygon(const Value& value) {
    const Values* rings = ArrayOf(value);
    if (rings == nullptr || rings->empty())
      return Invalid("A Polygon must have at least one ring.");
    GeoPolygon polygon;
    for (const Value& ring : *rings) {
      ORRERY_ASSIGN(GeoPath path, ReadPath(ring, kRingPointsMin));
      if (path.front() != path.back()) {
        return Invalid(
            fmt::format("The Polygon input is not valid because the start and end points of the "
                        "ring number {} are not the same. Each ring of a Polygon must have the "
                        "same start and end points.",
                        polygon.rings.size() + 1));
      }
      polygon.rings.push_back(std::move(path));
    }
    return polygon;
  }

 private:
  size_t points_ = 0;
};

}  // namespace

size_t CountPoints(const Geometry& geometry) {
  size_t points = geometry.path.size();
  for (const GeoPolygon& polygon : geometry.polygons) {
    for (const GeoPath& ring : polygon.rings) points += ring.size();
  }
  return points;
}

Result<Geometry> ReadGeometry(const Value& value) {
  const Value* type_value = value.Find("type");
  const Value* coordinates = value.Find("coordinates");
  const std::string* type = type_value == nullptr ? nullptr : TextOf(*type_value);
  if (type == nullptr) return Invalid("A GeoJSON object must have a type.");
  if (coordinates == nullptr) return Invalid("A GeoJSON object must have coordinates.");

  Reader reader;
  Geometry geometry;
  if (*type == "Point") {
    ORRERY_ASSIGN(const GeoPoint point, reader.ReadPoint(*coordinates));
    geometry.path.push_back(point);
  } else if (*type == "LineString") {
    geometry.kind = Geometry::Kind::kLine;
    ORRERY_ASSIGN(geometry.path, reader.ReadPath(*coordinates, kLinePointsMin));
  } else if (*type == "Polygon") {
    geometry.kind = Geometry::Kind::kRegion;
    ORRERY_ASSIGN(GeoPolygon polygon, reader.ReadPolygon(*coordinates));
    geometry.polygons.push_back(std::move(polygon));
  } else if (*type == "MultiPolygon") {
    geometry.kind = Geometry::Kind::kRegion;
    const Values* polygons = ArrayOf(*coordinates);
    if (polygons == nullptr || polygons->empty())
      return Invalid("A MultiPolygon must have at least one Polygon.");
    for (const Value& element : *polygons) {
      ORRERY_ASSIGN(GeoPolygon polygon, reader.ReadPolygon(element));
      geometry.polygons.push_back(std::move(polygon));
    }
  } else {
    return Invalid("The type must be Point, LineString, Polygon or MultiPolygon.");
  }
  return geometry;
}

}  // namespace orrery::model
