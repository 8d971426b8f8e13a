#include "api/mongo/language/match/geo_predicate.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "api/mongo/language/value/print.h"
#include "model/number/number.h"
#include "model/spatial/geometry.h"
#include "model/spatial/relation.h"

namespace orrery::mongo {
namespace {

using model::Geometry;
using model::GeoPoint;
using model::Kind;
using model::Value;

// Two numbers in an array or in an object, whatever its names.
std::optional<GeoPoint> PairOf(const Value& value) {
  std::vector<double> numbers;
  const auto add = [&](const Value& number) {
    if (number.is_number() && numbers.size() < 2) numbers.push_back(model::ToDouble(number));
  };
  if (value.kind() == Kind::kArray) {
    for (const Value& element : value.AsValues()) add(element);
  } else if (value.kind() == Kind::kObject) {
    for (const model::Field& field : value.AsFields()) add(field.value);
  }
  if (numbers.size() < 2) return std::nullopt;
  return GeoPoint{numbers[0], numbers[1]};
}

std::optional<Geometry> GeometryOf(const Value& value) {
  if (value.Find("type") != nullptr) {
    Result<Geometry> geometry = model::ReadGeometry(value);
    if (geometry.has_value()) return *std::move(geometry);
    return std::nullopt;
  }
  const std::optional<GeoPoint> point = PairOf(value);
  if (!point.has_value()) return std::nullopt;
  return Geometry{Geometry::Kind::kPoint, {*point}, {}};
}

// A shape as GeoJSON has it: of the two sides of its outline the smaller one is meant.
class GeometryPredicate final : public ValuePredicate {
 public:
  GeometryPredicate(Geometry shape, bool is_within)
      : shape_(std::move(shape)), is_within_(is_within) {}
  bool Passes(const model::ElementView* element, const QueryContext&) const override {
    if (element == nullptr) return false;
    if (element->kind() != Kind::kObject && element->kind() != Kind::kArray) return false;
    const std::optional<Geometry> geometry = GeometryOf(element->ToValue());
    if (!geometry.has_value()) return false;
    return is_within_ ? model::IsWithin(*geometry, shape_) : model::Intersects(*geometry, shape_);
  }

 private:
  Geometry shape_;
  bool is_within_;
};

// $box, $polygon and $center on the plane, $centerSphere on the sphere; points only.
class LegacyPredicate final : public ValuePredicate {
 public:
  enum class Shape : uint8_t { kBox, kPolygon, kCenter, kCenterSphere };
  LegacyPredicate(Shape shape, std::vector<GeoPoint> points, double radius)
      : shape_(shape), points_(std::move(points)), radius_(radius) {}
  bool Passes(const model::ElementView* element, const QueryContext&) const override {
    if (element == nullptr) return false;
    if (element->kind() != Kind::kObject && element->kind() != Kind::kArray) return false;
    const std::optional<Geometry> geometry = GeometryOf(element->ToValue());
    return geometry.has_value() && geometry->kind == Geometry::Kind::kPoint &&
           Contains(geometry->path.front());
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
  // Over half of the earth: the outline was written clockwise, and its inside is meant.
  constexpr double kHalfEarth = 2.55e14;
  for (model::GeoPolygon& polygon : shape->polygons) {
    const Geometry outline{Geometry::Kind::kRegion, {}, {{{polygon.rings.front()}}}};
    if (model::AreaOf(outline) > kHalfEarth) std::ranges::reverse(polygon.rings.front());
  }
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
