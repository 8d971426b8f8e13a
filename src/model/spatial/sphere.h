// Points and arcs on the unit sphere, where the relations between shapes are decided: an edge is
// the shorter arc of the great circle through its ends.
#pragma once

#include <cmath>
#include <numbers>

#include "model/spatial/geometry.h"

namespace orrery::model {

inline constexpr double kRadiansPerDegree = std::numbers::pi / 180;

// Two points nearer than this are one: 6 micrometres on the ground.
inline constexpr double kSameAngle = 1e-12;

struct Vector {
  double x = 0;
  double y = 0;
  double z = 0;

  friend Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vector operator*(double f, Vector a) { return {f * a.x, f * a.y, f * a.z}; }
};

inline double Dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vector Cross(Vector a, Vector b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double Length(Vector a) { return std::sqrt(Dot(a, a)); }
// The same direction with length 1; a zero vector stays one.
Vector Normalized(Vector a);

Vector ToVector(GeoPoint point);
GeoPoint ToGeoPoint(Vector point);

// The angle between two points.
double AngleBetween(Vector a, Vector b);

struct Arc {
  Vector a;
  Vector b;
};

inline Vector Middle(const Arc& arc) { return Normalized(arc.a + arc.b); }

// The point of the arc that is nearest to the point.
Vector NearestOnArc(const Arc& arc, Vector point);
bool IsOnArc(const Arc& arc, Vector point);

// Returns whether the two cross at a point that is inside both. An end that lies on the other arc's
// circle counts as being on its left, so that a path through a corner crosses it once or not at
// all.
bool ArcsCross(const Arc& one, const Arc& other);
// Returns whether they have any point in common.
bool ArcsMeet(const Arc& one, const Arc& other);

}  // namespace orrery::model
