#include "api/mongo/language/match/geo_predicate.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "api/mongo/language/match/near_search.h"
#include "api/mongo/language/value/print.h"
#include "model/number/number.h"
#include "model/spatial/geometry.h"
#include "model/spatial/places.h"
#include "model/spatial/relation.h"

namespace orrery::mongo {
namespace {

using model::Geometry;
using model::GeoPoint;
using model::Kind;
using model::Value;

std::optional<GeoPoint> PairOf(const Value& value) {
  if (value.kind() == Kind::kObject && value.Find("type") != nullptr) return std::nullopt;
  const std::vector<Geometry> places = model::PlacesOf(value);
  if (places.size() != 1) return std::nullopt;
  return places.front().path.front();
}

// A shape as GeoJSON has it: of the two sides of its outline the smaller one is meant.
class GeometryPredicate final : public GeoTest {
 public:
  GeometryPredicate(Geometry shape, bool is_within)
      : shape_(std::move(shape)), is_within_(is_within) {}
  bool Passes(const model::ElementView* element, const QueryContext&) const override {
    if (element == nullptr) return false;
    if (element->kind() != Kind::kObject && element->kind() != Kind::kArray) return false;
    const std::vector<Geometry> places = model::PlacesOf(element->ToValue());
    if (places.empty() || !std::ranges::all_of(places, model::IsOnEarth)) return false;
    if (is_within_) {
      return std::ranges::all_of(
          places, [&](const Geometry& place) { return model::IsWithin(place, shape_); });
    }
    return std::ranges::any_of(
        places, [&](const Geometry& place) { return model::Intersects(place, shape_); });
  }
  std::optional<Vicinity> vicinity() const override { return Vicinity{shape_, 0}; }

 private:
  Geometry shape_;
  bool is_within_;
};

// $box, $polygon and $center on the plane, of points only, and $centerSphere on the sphere.
class LegacyPredicate final : public GeoTest {
 public:
  enum class Shape : uint8_t { kBox, kPolygon, kCenter, kCenterSphere };
  LegacyPredicate(Shape shape, std::vector<GeoPoint> points, double radius)
      : shape_(shape), points_(std::move(points)), radius_(radius) {}
  bool Passes(const model::ElementView* element, const QueryContext&) const override {
    if (element == nullptr) return false;
    if (element->kind() != Kind::kObject && element->kind() != Kind::kArray) return false;
    const std::vector<Geometry> places = model::PlacesOf(element->ToValue());
    return !places.empty() && std::ranges::all_of(places, [&](const Geometry& place) {
      if (shape_ == Shape::kCenterSphere) return IsInCap(place);
      return place.kind == Geometry::Kind::kPoint && Contains(place.path.front());
    });
  }
  std::optional<Vicinity> vicinity() const override {
    // On the plane edges are no arcs.
    if (shape_ != Shape::kCenterSphere) return std::nullopt;
    Geometry centre{Geometry::Kind::kPoint, {points_[0]}, {}};
    if (!model::IsOnEarth(centre)) return std::nullopt;
    return Vicinity{std::move(centre), radius_ * kEarthRadiusMetres};
  }

 private:
  bool Contains(GeoPoint point) const {
    switch (shape_) {
      case Shape::kBox: {
        const auto [left, right] = std::minmax(points_[0].longitude, points_[1].longitude);
        const auto [low, high] = std::minmax(points_[0].latitude, points_[1].latitude);
        return point.longitude >= left && point.longitude <= right && point.latitude >= low &&
               point.latitude <= high;
      }
      case Shape::kPolygon:
        return IsInPolygon(point);
      case Shape::kCenter:
        return std::hypot(point.longitude - points_[0].longitude,
                          point.latitude - points_[0].latitude) <= radius_;
      case Shape::kCenterSphere:
        return AngleTo(point) <= radius_;
    }
    return false;
  }

  // Of a cap that is less than half of the earth an arc or a region is within if its corners are.
  bool IsInCap(const Geometry& place) const {
    if (!model::IsOnEarth(place)) return false;
    if (place.kind != Geometry::Kind::kPoint && radius_ >= std::numbers::pi / 2) return false;
    const auto is_in = [&](const GeoPoint& point) { return Contains(point); };
    return std::ranges::all_of(place.path, is_in) &&
           std::ranges::all_of(place.polygons, [&](const model::GeoPolygon& polygon) {
             return std::ranges::all_of(polygon.rings.front(), is_in);
           });
  }

  bool IsInPolygon(GeoPoint point) const {
    bool is_inside = false;
    for (size_t i = 0, j = points_.size() - 1; i < points_.size(); j = i++) {
      const GeoPoint& a = points_[i];
      const GeoPoint& b = points_[j];
      if ((a.latitude > point.latitude) == (b.latitude > point.latitude)) continue;
      const double at =
          (b.longitude - a.longitude) * (point.latitude - a.latitude) / (b.latitude - a.latitude) +
          a.longitude;
      if (point.longitude < at) is_inside = !is_inside;
    }
    return is_inside;
  }

  double AngleTo(GeoPoint point) const {
    constexpr double kRadian = std::numbers::pi / 180;
    const double lat1 = points_[0].latitude * kRadian;
    const double lat2 = point.latitude * kRadian;
    const double half_lat = std::sin((lat2 - lat1) / 2);
    const double half_long = std::sin((point.longitude - points_[0].longitude) * kRadian / 2);
    const double h = half_lat * half_lat + std::cos(lat1) * std::cos(lat2) * half_long * half_long;
    return 2 * std::asin(std::min(1.0, std::sqrt(h)));
  }

  Shape shape_;
  std::vector<GeoPoint> points_;
  double radius_;
};

Answer<ValuePredicatePtr> ParseGeometryOperand(const Value& value, bool is_within) {
  if (value.kind() != Kind::kObject) {
    return Refuse(ErrorCode::kBadValue, "unknown geo specifier: $geometry");
  }
  Result<Geometry> shape = model::ReadGeometry(value);
  if (!shape.has_value()) return Refuse(ErrorCode::kBadValue, shape.error().message());
  if (is_within && shape->kind != Geometry::Kind::kRegion) {
    return Refuse(ErrorCode::kBadValue,
                  "$geoWithin not supported with provided geometry: " + PrintBson(value));
  }
  model::TurnOutlines(*shape);
  return std::make_unique<GeometryPredicate>(*std::move(shape), is_within);
}

Answer<ValuePredicatePtr> ParseLegacyOperand(const std::string& name, const Value& value) {
  using Shape = LegacyPredicate::Shape;
  if (value.kind() != Kind::kArray) {
    return Refuse(ErrorCode::kBadValue, fmt::format("{} must be an array", name));
  }
  const model::Values& parts = value.AsValues();
  std::vector<GeoPoint> points;
  if (name == "$center" || name == "$centerSphere") {
    if (parts.size() != 2 || !parts[1].is_number() || !PairOf(parts[0]).has_value() ||
        !(model::ToDouble(parts[1]) >= 0)) {
      return Refuse(ErrorCode::kBadValue, "radius must be a non-negative number");
    }
    return std::make_unique<LegacyPredicate>(
        name == "$center" ? Shape::kCenter : Shape::kCenterSphere,
        std::vector<GeoPoint>{*PairOf(parts[0])}, model::ToDouble(parts[1]));
  }
  for (const Value& part : parts) {
    if ((part.kind() == Kind::kArray && part.AsValues().size() > 2) ||
        (part.kind() == Kind::kObject && part.AsFields().size() > 2)) {
      return Refuse(ErrorCode::kBadValue, "Point must only contain two numeric elements");
    }
    const std::optional<GeoPoint> point = PairOf(part);
    if (!point.has_value()) return Refuse(ErrorCode::kBadValue, "Point must be an array or object");
    points.push_back(*point);
  }
  const bool is_box = name == "$box";
  if (is_box ? points.size() != 2 : points.size() < 3) {
    return Refuse(ErrorCode::kBadValue,
                  is_box ? "Malformed box" : "Polygon must have at least 3 points");
  }
  return std::make_unique<LegacyPredicate>(is_box ? Shape::kBox : Shape::kPolygon,
                                           std::move(points), 0);
}

}  // namespace

Answer<ValuePredicatePtr> ParseGeoPredicate(const std::string& name, const Value& value) {
  if (value.kind() != Kind::kObject || value.AsFields().empty()) {
    return Refuse(ErrorCode::kBadValue, fmt::format("{} must be an object", name));
  }
  const model::Field& shape = value.AsFields().front();
  const bool is_within = name != "$geoIntersects";
  if (shape.name == "$geometry") return ParseGeometryOperand(shape.value, is_within);
  if (is_within && (shape.name == "$box" || shape.name == "$polygon" || shape.name == "$center" ||
                    shape.name == "$centerSphere")) {
    return ParseLegacyOperand(shape.name, shape.value);
  }
  return Refuse(ErrorCode::kBadValue,
                fmt::format("unknown geo specifier: {}", PrintElement(shape.name, shape.value)));
}

}  // namespace orrery::mongo
