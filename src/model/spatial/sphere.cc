#include "model/spatial/sphere.h"

#include <algorithm>

namespace orrery::model {

Vector Normalized(Vector a) {
  const double length = Length(a);
  return length == 0 ? a : (1 / length) * a;
}

Vector ToVector(GeoPoint point) {
  const double latitude = point.latitude * kRadiansPerDegree;
  const double longitude = point.longitude * kRadiansPerDegree;
  return {std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude),
          std::sin(latitude)};
}

GeoPoint ToGeoPoint(Vector point) {
  return {std::atan2(point.y, point.x) / kRadiansPerDegree,
          std::atan2(point.z, std::hypot(point.x, point.y)) / kRadiansPerDegree};
}

double AngleBetween(Vector a, Vector b) { return std::atan2(Length(Cross(a, b)), Dot(a, b)); }

Vector NearestOnArc(const Arc& arc, Vector point) {
  const Vector normal = Normalized(Cross(arc.a, arc.b));
  const Vector projected = Normalized(point - Dot(point, normal) * normal);
  const bool between = Dot(Cross(arc.a, projected), normal) >= 0 &&
                       Dot(Cross(projected, arc.b), normal) >= 0 && Length(normal) > 0;
  if (between && Dot(projected, arc.a + arc.b) > 0) return projected;
  return AngleBetween(point, arc.a) <= AngleBetween(point, arc.b) ? arc.a : arc.b;
}

bool IsOnArc(const Arc& arc, Vector point) {
  return AngleBetween(NearestOnArc(arc, point), point) < kSameAngle;
}

bool ArcsCross(const Arc& one, const Arc& other) {
  const Vector normal = Cross(one.a, one.b);
  const Vector other_normal = Cross(other.a, other.b);
  if ((Dot(normal, other.a) >= 0) == (Dot(normal, other.b) >= 0)) return false;
  if ((Dot(other_normal, one.a) >= 0) == (Dot(other_normal, one.b) >= 0)) return false;
  // Two great circles meet twice, at opposite points: both arcs have to be at the same.
  const Vector meeting = Cross(normal, other_normal);
  return (Dot(meeting, one.a + one.b) > 0) == (Dot(meeting, other.a + other.b) > 0);
}

bool ArcsMeet(const Arc& one, const Arc& other) {
  return ArcsCross(one, other) || IsOnArc(one, other.a) || IsOnArc(one, other.b) ||
         IsOnArc(other, one.a) || IsOnArc(other, one.b);
}

}  // namespace orrery::model
