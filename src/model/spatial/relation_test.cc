#include "model/spatial/relation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "model/spatial/ellipsoid.h"
#include "model/spatial/sphere.h"

namespace orrery::model {
namespace {

Geometry PointAt(GeoPoint point) { return {Geometry::Kind::kPoint, {point}, {}}; }

// A ring of corners around a centre, counter-clockwise.
Geometry CircleAround(GeoPoint centre, double radius_degrees, int corners) {
  const Vector axis = ToVector(centre);
  const Vector aside = std::fabs(axis.z) < 0.9 ? Vector{0, 0, 1} : Vector{1, 0, 0};
  const Vector east = Normalized(Cross(aside, axis));
  const Vector north = Cross(axis, east);
  GeoPath ring;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * std::numbers::pi * i / corners;
    const double radius = radius_degrees * kRadiansPerDegree;
    ring.push_back(
        ToGeoPoint(std::cos(radius) * axis +
                   std::sin(radius) * (std::cos(angle) * east + std::sin(angle) * north)));
  }
  ring.push_back(ring.front());
  return {Geometry::Kind::kRegion, {}, {{{ring}}}};
}

Geometry Reversed(Geometry region) {
  std::ranges::reverse(region.polygons[0].rings[0]);
  return region;
}

// Anywhere on the globe (poles and the date line too), a point is in a circle when it is nearer to
// the centre than the circle's edge.
TEST(Relation, CirclesHoldWhatIsNearTheirCentre) {
  constexpr uint64_t kSeed = 2024;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int i = 0; i < 300; ++i) {
    const GeoPoint centre{180 * unit(random), 90 * unit(random)};
    const double radius = 1 + 40 * std::fabs(unit(random));
    const Geometry circle = CircleAround(centre, radius, 64);
    for (int k = 0; k < 10; ++k) {
      const GeoPoint point{180 * unit(random), 90 * unit(random)};
      const double angle = AngleBetween(ToVector(point), ToVector(centre)) / kRadiansPerDegree;
      if (std::fabs(angle - radius) < radius * 0.01) continue;  // a polygon is no circle
      const bool inside = angle < radius;
      EXPECT_EQ(IsWithin(PointAt(point), circle), inside) << angle << " of " << radius;
      EXPECT_EQ(IsWithin(PointAt(point), Reversed(circle)), !inside);
      EXPECT_EQ(DistanceBetween(PointAt(point), circle) == 0, inside);
    }
  }
}

TEST(Relation, PointsOnTheOtherSideOfTheGlobe) {
  const Geometry small = CircleAround({30, 20}, 0.01, 8);
  for (const GeoPoint far : {GeoPoint{-150, -20}, {-150.001, -20.002}}) {
    EXPECT_FALSE(IsWithin(PointAt(far), small));
    EXPECT_TRUE(IsWithin(PointAt(far), Reversed(small)));
  }
}

TEST(Relation, AreasOfCirclesAreTheSameEverywhere) {
  const auto area = [](GeoPoint centre) { return AreaOf(CircleAround(centre, 10, 360)); };
  const double at_equator = area({0, 0});
  EXPECT_NEAR(at_equator, EarthArea() / 2 * (1 - std::cos(10 * kRadiansPerDegree)),
              at_equator * 0.01);
  // To what the flattening changes.
  for (const GeoPoint centre : {GeoPoint{179, 0}, {0, 90}, {0, -90}, {-120, 85}, {15, -45}})
    EXPECT_NEAR(area(centre), at_equator, at_equator * 0.02);
  const Geometry circle = CircleAround({0, 88}, 10, 360);
  EXPECT_NEAR(AreaOf(circle) + AreaOf(Reversed(circle)), EarthArea(), 1e3);
}

TEST(Relation, CircleWithinCircle) {
  const Geometry small = CircleAround({179, 80}, 3, 32);
  const Geometry large = CircleAround({-179, 80}, 10, 32);
  EXPECT_TRUE(IsWithin(small, large));
  EXPECT_FALSE(IsWithin(large, small));
  EXPECT_TRUE(Intersects(small, large));
  EXPECT_FALSE(IsWithin(small, Reversed(large)));
  EXPECT_EQ(DistanceBetween(small, large), 0);
}

}  // namespace
}  // namespace orrery::model
