#include "api/mongo/language/match/near_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "api/mongo/language/match/path_visit.h"
#include "model/spatial/places.h"
#include "model/spatial/relation.h"
#include "model/spatial/sphere.h"

namespace orrery::mongo {
namespace {

using model::Geometry;
using model::Kind;
using model::Value;

// The angle to the nearest point of a path's arcs.
double AngleToPath(const model::GeoPath& path, const model::Vector& from) {
  double least = model::AngleBetween(from, model::ToVector(path.front()));
  for (size_t i = 1; i < path.size(); ++i) {
    const model::Arc arc{model::ToVector(path[i - 1]), model::ToVector(path[i])};
    least = std::min(least, model::AngleBetween(from, model::NearestOnArc(arc, from)));
  }
  return least;
}

double AngleTo(const Geometry& place, const model::GeoPoint& point) {
  const model::Vector from = model::ToVector(point);
  if (place.kind != Geometry::Kind::kRegion) return AngleToPath(place.path, from);
  double least = std::numbers::pi;
  for (const model::GeoPolygon& polygon : place.polygons) {
    if (model::Contains(polygon, point)) return 0;
    for (const model::GeoPath& ring : polygon.rings)
      least = std::min(least, AngleToPath(ring, from));
  }
  return least;
}

}  // namespace

Answer<NearSearch> NearSearch::Make(NearNode::Search search) {
  std::vector<Geometry> places = model::PlacesOf(search.near);
  if (places.size() != 1 || places.front().kind != Geometry::Kind::kPoint)
    return Refuse(ErrorCode::kBadValue, "invalid point in geo near query $geometry argument");
  return NearSearch(std::move(search), std::move(places.front()));
}

double NearSearch::DistanceTo(const Geometry& place) const {
  const model::GeoPoint& from = point_.path.front();
  if (!search_.is_spherical) {
    // On the plane there are points only.
    const model::GeoPoint& to = place.path.front();
    return std::hypot(to.longitude - from.longitude, to.latitude - from.latitude);
  }
  return AngleTo(place, from) * (search_.is_geo_json ? kEarthRadiusMetres : 1);
}

std::optional<double> NearSearch::metres_max() const {
  if (!search_.is_spherical || !search_.distance_max.has_value()) return std::nullopt;
  return *search_.distance_max * (search_.is_geo_json ? 1 : kEarthRadiusMetres);
}

std::optional<NearSearch::Found> NearSearch::Measure(model::DocumentView document) const {
  std::optional<Found> nearest;
  const auto look = [&](const Value& value) {
    const std::vector<Geometry> places = model::PlacesOf(value);
    for (const Geometry& place : places) {
      const bool is_point = place.kind == Geometry::Kind::kPoint;
      if (search_.is_spherical ? !model::IsOnEarth(place) : !is_point) continue;
      const double distance = DistanceTo(place);
      if (!nearest.has_value() || distance < nearest->distance)
        nearest = Found{.distance = distance, .place = value};
    }
    return !places.empty();
  };
  VisitPath(document, search_.path.steps, LeafArrays::kWhole,
            [&](const model::ElementView* element, const OuterIndex&) {
              if (element == nullptr) return false;
              const Value value = element->ToValue();
              // An array that is no pair has places.
              if (!look(value) && value.kind() == Kind::kArray) {
                for (const Value& inner : value.AsValues()) look(inner);
              }
              return false;
            });
  if (!nearest.has_value() || nearest->distance < search_.distance_min.value_or(0) ||
      nearest->distance > search_.distance_max.value_or(nearest->distance))
    return std::nullopt;
  return nearest;
}

}  // namespace orrery::mongo
