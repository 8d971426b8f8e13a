#include "model/spatial/places.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "model/number/number.h"
#include "model/spatial/relation.h"

namespace orrery::model {
namespace {

// Two numbers in an array or in an object, whatever its names.
std::optional<GeoPoint> PairIn(const Value& value) {
  std::vector<const Value*> parts;
  if (value.kind() == Kind::kArray) {
    for (const Value& element : value.AsValues()) parts.push_back(&element);
  } else if (value.kind() == Kind::kObject) {
    for (const Field& field : value.AsFields()) parts.push_back(&field.value);
  }
  if (parts.size() < 2 || !parts[0]->is_number() || !parts[1]->is_number()) return std::nullopt;
  return GeoPoint{ToDouble(*parts[0]), ToDouble(*parts[1])};
}

// Reads each part as an object of the single type. Nothing if one is malformed.
std::vector<Geometry> PartsOf(const Value& parts, std::string_view type) {
  if (parts.kind() != Kind::kArray) return {};
  std::vector<Geometry> places;
  for (const Value& part : parts.AsValues()) {
    auto place = ReadGeometry(
        Value::Object({{"type", Value::String(std::string(type))}, {"coordinates", part}}));
    if (!place.has_value()) return {};
    places.push_back(*std::move(place));
  }
  return places;
}

std::vector<Geometry> CollectedIn(const Value& geometries) {
  if (geometries.kind() != Kind::kArray) return {};
  std::vector<Geometry> places;
  for (const Value& geometry : geometries.AsValues()) {
    const Value* const type = geometry.Find("type");
    // Collections are not within each other.
    if (type == nullptr || *type == Value::String("GeometryCollection")) return {};
    std::vector<Geometry> parts = PlacesOf(geometry);
    if (parts.empty()) return {};
    std::ranges::move(parts, std::back_inserter(places));
  }
  return places;
}

}  // namespace

void TurnOutlines(Geometry& geometry) {
  constexpr double kHalfEarth = 2.55e14;  // square metres
  for (GeoPolygon& polygon : geometry.polygons) {
    const Geometry outline{Geometry::Kind::kRegion, {}, {{{polygon.rings.front()}}}};
    if (AreaOf(outline) > kHalfEarth) std::ranges::reverse(polygon.rings.front());
  }
}

bool IsOnEarth(const Geometry& geometry) {
  // GeoJSON objects with others are refused when they are read.
  return std::ranges::all_of(geometry.path, [](const GeoPoint& point) {
    return std::fabs(point.longitude) <= 180 && std::fabs(point.latitude) <= 90;
  });
}

std::vector<Geometry> PlacesOf(const Value& value) {
  const Value* const type = value.kind() == Kind::kObject ? value.Find("type") : nullptr;
  if (type == nullptr || type->kind() != Kind::kString) {
    const auto point = PairIn(value);
    if (!point.has_value()) return {};
    return {Geometry{Geometry::Kind::kPoint, {*point}, {}}};
  }
  const Value* const coordinates = value.Find("coordinates");
  if (type->AsString() == "MultiPoint" && coordinates != nullptr)
    return PartsOf(*coordinates, "Point");
  if (type->AsString() == "MultiLineString" && coordinates != nullptr)
    return PartsOf(*coordinates, "LineString");
  if (type->AsString() == "GeometryCollection") {
    const Value* const geometries = value.Find("geometries");
    return geometries == nullptr ? std::vector<Geometry>() : CollectedIn(*geometries);
  }
  auto place = ReadGeometry(value);
  if (!place.has_value()) return {};
  TurnOutlines(*place);
  std::vector<Geometry> places;
  places.push_back(*std::move(place));
  return places;
}

}  // namespace orrery::model
