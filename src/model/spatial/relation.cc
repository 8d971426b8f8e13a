#include "model/spatial/relation.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "model/spatial/ellipsoid.h"
#include "model/spatial/sphere.h"

namespace orrery::model {
namespace {

std::vector<Arc> ArcsOf(const GeoPath& path) {
  std::vector<Arc> arcs;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    if (path[i] != path[i + 1]) arcs.push_back({ToVector(path[i]), ToVector(path[i + 1])});
  }
  return arcs;
}

struct Ring {
  std::vector<Arc> arcs;
  // Of a hole, which is the smaller side of its ring whichever way it is drawn.
  bool inside_is_right = false;

  bool IsOnEdge(Vector point) const {
    return std::ranges::any_of(arcs, [&](const Arc& arc) { return IsOnArc(arc, point); });
  }

  // Returns whether the point, which is on no edge, is inside: counts how often the way to a point
  // that is known to be on the left of an edge crosses the ring.
  bool Contains(Vector point) const {
    constexpr double kStepAside = 1e-9;
    constexpr double kAlmostOpposite = -0.999999;
    if (arcs.empty()) return false;
    // Beside the longest edge there is most room.
    const Arc& edge =
        *std::ranges::min_element(arcs, {}, [](const Arc& arc) { return Dot(arc.a, arc.b); });
    const Vector left = Normalized(Middle(edge) + kStepAside * Normalized(Cross(edge.a, edge.b)));
    // There is no one shortest way between opposite points; a corner between them makes one.
    const Vector corner = Normalized(Cross(point, edge.a));
    const bool opposite = Dot(left, point) < kAlmostOpposite && Length(corner) > 0;
    const auto crossings = opposite
                               ? CountCrossings({point, corner}) + CountCrossings({corner, left})
                               : CountCrossings({point, left});
    return (crossings % 2 == 0) != inside_is_right;
  }

  std::ptrdiff_t CountCrossings(const Arc& way) const {
    return std::ranges::count_if(arcs, [&](const Arc& arc) { return ArcsCross(arc, way); });
  }
};

struct Region {
  Ring outline;
  std::vector<Ring> holes;

  explicit Region(const GeoPolygon& polygon) {
    outline.arcs = ArcsOf(polygon.rings.front());
    for (size_t i = 1; i < polygon.rings.size(); ++i) {
      Ring& hole = holes.emplace_back();
      hole.arcs = ArcsOf(polygon.rings[i]);
      hole.inside_is_right = RingArea(polygon.rings[i]) > EarthArea() / 2;
    }
  }

  bool Contains(Vector point) const {
    if (IsOnEdge(point)) return true;
    return outline.Contains(point) &&
           std::ranges::none_of(holes, [&](const Ring& hole) { return hole.Contains(point); });
  }
  bool IsOnEdge(Vector point) const {
    return outline.IsOnEdge(point) ||
           std::ranges::any_of(holes, [&](const Ring& hole) { return hole.IsOnEdge(point); });
  }
};

// A geometry taken apart.
struct Shape {
  std::vector<Vector> points;  // all corners
  std::vector<Arc> arcs;       // all edges
  std::vector<Region> regions;

  explicit Shape(const Geometry& geometry) {
    for (const GeoPoint& point : geometry.path) points.push_back(ToVector(point));
    arcs = ArcsOf(geometry.path);
    for (const GeoPolygon& polygon : geometry.polygons) {
      regions.emplace_back(polygon);
      for (const GeoPath& ring : polygon.rings) {
        std::ranges::copy(ArcsOf(ring), std::back_inserter(arcs));
        for (const GeoPoint& point : ring) points.push_back(ToVector(point));
      }
    }
  }

  bool Contains(Vector point) const {
    return std::ranges::any_of(regions,
                               [&](const Region& region) { return region.Contains(point); }) ||
           std::ranges::any_of(arcs, [&](const Arc& arc) { return IsOnArc(arc, point); }) ||
           std::ranges::any_of(points,
                               [&](Vector own) { return AngleBetween(own, point) < kSameAngle; });
  }

  bool IsOnEdge(Vector point) const {
    return std::ranges::any_of(arcs, [&](const Arc& arc) { return IsOnArc(arc, point); });
  }
};

bool Intersect(const Shape& a, const Shape& b) {
  const auto holds_one_of = [](const Shape& shape, const Shape& other) {
    return std::ranges::any_of(other.points, [&](Vector point) { return shape.Contains(point); });
  };
  return holds_one_of(a, b) || holds_one_of(b, a) ||
         std::ranges::any_of(a.arcs, [&](const Arc& arc) {
           return std::ranges::any_of(b.arcs,
                                      [&](const Arc& other) { return ArcsMeet(arc, other); });
         });
}

// Two edges that cross where neither ends on the other: one of them leaves the other's side.
bool CrossInside(const Arc& one, const Arc& other) {
  return ArcsCross(one, other) && !IsOnArc(one, other.a) && !IsOnArc(one, other.b) &&
         !IsOnArc(other, one.a) && !IsOnArc(other, one.b);
}

struct NearestPair {
  Vector a;
  Vector b;
  double angle = std::numeric_limits<double>::infinity();

  void Offer(Vector one, Vector other) {
    const double candidate = AngleBetween(one, other);
    if (candidate < angle) *this = {one, other, candidate};
  }
};

void OfferCorners(NearestPair& nearest, const Shape& a, const Shape& b) {
  for (const Vector point : a.points) {
    for (const Vector other : b.points) nearest.Offer(point, other);
    for (const Arc& arc : b.arcs) nearest.Offer(point, NearestOnArc(arc, point));
  }
}

}  // namespace

bool Intersects(const Geometry& a, const Geometry& b) { return Intersect(Shape(a), Shape(b)); }

bool IsWithin(const Geometry& inner_geometry, const Geometry& outer_geometry) {
  const Shape inner(inner_geometry);
  const Shape outer(outer_geometry);
  // A region lies in no line or point.
  if (!inner.regions.empty() && outer.regions.empty()) return false;
  if (!std::ranges::all_of(inner.points, [&](Vector point) { return outer.Contains(point); }))
    return false;
  for (const Arc& arc : inner.arcs) {
    // Between two corners on the edge, an inlet may lie.
    if (!outer.Contains(Middle(arc))) return false;
    if (!outer.regions.empty() &&
        std::ranges::any_of(outer.arcs, [&](const Arc& edge) { return CrossInside(arc, edge); }))
      return false;
  }
  // An edge of the outer region within the inner one would leave part of it outside.
  return std::ranges::none_of(outer.points, [&](Vector point) {
    return std::ranges::any_of(inner.regions, [&](const Region& region) {
      return region.Contains(point) && !inner.IsOnEdge(point);
    });
  });
}

bool Contains(const GeoPolygon& polygon, GeoPoint point) {
  return Region(polygon).Contains(ToVector(point));
}

double DistanceBetween(const Geometry& a, const Geometry& b) {
  if (a.kind == Geometry::Kind::kPoint && b.kind == Geometry::Kind::kPoint)
    return GeodesicDistance(a.path[0], b.path[0]);
  const Shape one(a);
  const Shape other(b);
  if (Intersect(one, other)) return 0;
  NearestPair nearest;
  OfferCorners(nearest, one, other);
  OfferCorners(nearest, other, one);
  return GeodesicDistance(ToGeoPoint(nearest.a), ToGeoPoint(nearest.b));
}

double AreaOf(const Geometry& geometry) {
  double area = 0;
  for (const GeoPolygon& polygon : geometry.polygons) {
    area += RingArea(polygon.rings.front());
    for (size_t i = 1; i < polygon.rings.size(); ++i) {
      const double hole = RingArea(polygon.rings[i]);
      area -= std::min(hole, EarthArea() - hole);
    }
  }
  return area;
}

std::optional<std::string> FindCrossing(const Geometry& geometry) {
  for (const GeoPolygon& polygon : geometry.polygons) {
    for (const GeoPath& ring : polygon.rings) {
      const std::vector<Arc> arcs = ArcsOf(ring);
      for (size_t i = 0; i < arcs.size(); ++i) {
        for (size_t k = i + 1; k < arcs.size(); ++k) {
          if (CrossInside(arcs[i], arcs[k])) return "A ring of a Polygon must not cross itself.";
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace orrery::model
