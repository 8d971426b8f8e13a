#include "model/spatial/cell_cover.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "model/document/json.h"
#include "model/spatial/geo_box.h"
#include "model/spatial/relation.h"
#include "model/spatial/sphere.h"

namespace orrery::model {
namespace {

using testing::IsEmpty;

Geometry Shape(std::string_view json) { return *ReadGeometry(*ValueFromJson(json)); }

std::vector<std::string> Cells(std::string_view json) {
  std::vector<std::string> cells;
  for (const Value& cell : IndexedCellsOf(*ValueFromJson(json))) cells.push_back(cell.AsString());
  return cells;
}

Value ToJsonValue(const GeoPath& path) {
  Values positions;
  for (const GeoPoint& point : path)
    positions.push_back(
        Value::Array({Value::Double(point.longitude), Value::Double(point.latitude)}));
  return Value::Array(std::move(positions));
}

Value ToValue(const Geometry& shape) {
  switch (shape.kind) {
    case Geometry::Kind::kPoint:
      return Value::Object({{"type", Value::String("Point")},
                            {"coordinates", ToJsonValue(shape.path).AsValues().front()}});
    case Geometry::Kind::kLine:
      return Value::Object(
          {{"type", Value::String("LineString")}, {"coordinates", ToJsonValue(shape.path)}});
    case Geometry::Kind::kRegion:
      break;
  }
  return Value::Object(
      {{"type", Value::String("Polygon")},
       {"coordinates", Value::Array({ToJsonValue(shape.polygons.front().rings.front())})}});
}

bool Finds(const CellSearch& search, const std::vector<Value>& cells) {
  return std::ranges::any_of(cells, [&](const Value& value) {
    const std::string& cell = value.AsString();
    return std::ranges::find(search.above, cell) != search.above.end() ||
           std::ranges::any_of(search.runs, [&](const CellSearch::Run& run) {
             return cell >= run.first && (cell < run.last || cell.starts_with(run.last));
           });
  });
}

// Shapes of all sizes, many of them at the poles, on the 180th meridian and on edges of cells.
class RandomShapes {
 public:
  explicit RandomShapes(uint64_t seed) : random_(seed) {}

  double Unit() { return std::uniform_real_distribution<double>(-1, 1)(random_); }

  GeoPoint Point() {
    static constexpr GeoPoint kCorners[] = {{180, 0},    {-180, 10},    {0, 90},      {77, 90},
                                            {-150, -90}, {0, 0},        {-179.9, 60}, {45, 89.95},
                                            {-90, -45},  {179.999, -89}};
    const GeoPoint corner = kCorners[random_() % std::size(kCorners)];
    switch (random_() % 4) {
      case 0:
        return {180 * Unit(), 90 * Unit()};
      case 1:
        return corner;
      default:
        return Near(corner, std::pow(10, 2 * Unit()));
    }
  }

  GeoPoint Near(GeoPoint point, double degrees) {
    point.longitude = std::remainder(point.longitude + degrees * Unit(), 360);
    point.latitude = std::clamp(point.latitude + degrees * Unit(), -90.0, 90.0);
    return point;
  }

  Geometry Any() {
    const GeoPoint centre = Point();
    switch (random_() % 4) {
      case 0:
      case 1:
        return {Geometry::Kind::kPoint, {centre}, {}};
      case 2: {
        GeoPath path = {centre};
        const double size = std::pow(10, 1 + Unit());
        for (uint64_t left = 1 + random_() % 4; left > 0; --left)
          path.push_back(Near(path.back(), size));
        return {Geometry::Kind::kLine, path, {}};
      }
      default:
        return Region(centre);
    }
  }

 private:
  // A star around the centre, sometimes drawn clockwise.
  Geometry Region(GeoPoint centre) {
    const double size = std::pow(10, 0.5 + Unit()) * std::numbers::pi / 180;
    const Vector axis = ToVector(centre);
    const Vector aside = std::fabs(axis.z) < 0.9 ? Vector{0, 0, 1} : Vector{1, 0, 0};
    const Vector east = Normalized(Cross(aside, axis));
    const Vector north = Cross(axis, east);
    GeoPath ring;
    const int corners = 3 + static_cast<int>(random_() % 8);
    for (int i = 0; i < corners; ++i) {
      const double angle = 2 * std::numbers::pi * i / corners;
      const double radius = size * (1.2 + Unit());
      ring.push_back(
          ToGeoPoint(std::cos(radius) * axis +
                     std::sin(radius) * (std::cos(angle) * east + std::sin(angle) * north)));
    }
    ring.push_back(ring.front());
    if (random_() % 10 == 0) std::ranges::reverse(ring);
    return {Geometry::Kind::kRegion, {}, {{{ring}}}};
  }

  std::mt19937_64 random_;
};

TEST(CellCover, APointHasOneCell) {
  EXPECT_THAT(Cells(R"({"type":"Point","coordinates":[-180,-90]})"),
              testing::ElementsAre(std::string(kCellLengthMax, '0')));
  EXPECT_THAT(Cells(R"({"type":"Point","coordinates":[179.9999999,90]})"),
              testing::ElementsAre(std::string(kCellLengthMax, '3')));
  EXPECT_EQ(Cells(R"({"type":"Point","coordinates":[0,0]})").front(),
            "3" + std::string(kCellLengthMax - 1, '0'));
}

TEST(CellCover, WhatHasNoPlaceHasNoCells) {
  for (const char* json :
       {"5", "null", "{}", R"({"type":"Point"})", "[1,2]",
        R"({"type":"Point","coordinates":[200,0]})", R"({"type":"Circle","coordinates":[2,0]})"})
    EXPECT_THAT(Cells(json), IsEmpty()) << json;
}

TEST(CellCover, LargeShapesHaveFewCells) {
  for (const char* json : {R"({"type":"Polygon","coordinates":[[[0,0],[9,0],[9,7],[0,7],[0,0]]]})",
                           R"({"type":"LineString","coordinates":[[170,5],[-170,6],[-150,7]]})",
                           R"({"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]],
                                                 [[[50,50],[51,50],[51,51],[50,50]]]]})"}) {
    const auto cells = Cells(json);
    EXPECT_GE(cells.size(), 2u) << json;
    EXPECT_LE(cells.size(), kCellsMax) << json;
    EXPECT_GE(cells.front().size(), kCellLengthStep) << json;
    EXPECT_EQ(cells.front().size() % kCellLengthStep, 0u) << json;
    EXPECT_TRUE(std::ranges::is_sorted(cells)) << json;
  }
}

TEST(CellCover, WhatIsAllAroundIsTheWholeEarth) {
  const std::string small = "[[[0,0],[1,0],[1,1],[0,1],[0,0]]]";
  for (const std::string coordinates :
       {"[[[0,0],[0,1],[1,1],[1,0],[0,0]]]", "[[[0,80],[120,80],[-120,80],[0,80]]]",
        "[[[0,0],[100,0],[-160,10],[0,0]]]"}) {
    const std::string json = R"({"type":"Polygon","coordinates":)" + coordinates + "}";
    EXPECT_THAT(Cells(json), testing::ElementsAre("")) << json;
    EXPECT_FALSE(CellsToFind(Shape(json), 0).has_value()) << json;
  }
  const Geometry region = Shape(R"({"type":"Polygon","coordinates":)" + small + "}");
  EXPECT_TRUE(CellsToFind(region, 1'000).has_value());
  EXPECT_FALSE(CellsToFind(region, 1e8).has_value());
}

TEST(CellCover, ShapesWithTooManyPositionsAreEverywhere) {
  Geometry line{Geometry::Kind::kLine, {}, {}};
  for (size_t i = 0; i <= kGeometryPointsMax; ++i)
    line.path.push_back({0, static_cast<double>(i) / 1000});
  EXPECT_EQ(IndexedCellsOf(ToValue(line)), std::vector<Value>{Value::String("")});
}

TEST(CellCover, ASearchIsInOrderAndSmall) {
  RandomShapes shapes(11);
  for (int i = 0; i < 2'000; ++i) {
    const auto search = CellsToFind(shapes.Any(), 1'000 * (1 + shapes.Unit()));
    if (!search.has_value()) continue;
    EXPECT_LE(search->runs.size(), kCellsMax);
    for (size_t k = 0; k < search->runs.size(); ++k) {
      EXPECT_LE(search->runs[k].first, search->runs[k].last);
      if (k > 0) EXPECT_LT(search->runs[k - 1].last, search->runs[k].first);
    }
    EXPECT_EQ(std::ranges::count(search->above, ""), 1);
  }
}

// The property that the index stands on.
TEST(CellCover, WhateverMeetsIsFound) {
  RandomShapes shapes(12);
  std::vector<Geometry> stored;
  std::vector<std::vector<Value>> cells;
  for (int i = 0; i < 400; ++i) {
    stored.push_back(shapes.Any());
    cells.push_back(IndexedCellsOf(ToValue(stored.back())));
    ASSERT_FALSE(cells.back().empty());
  }
  int met = 0;
  int passed_over = 0;
  for (int i = 0; i < 250; ++i) {
    const Geometry wanted = shapes.Any();
    const double metres = i % 2 == 0 ? 0 : std::pow(10, 3 + 3 * shapes.Unit());
    const auto search = CellsToFind(wanted, metres);
    if (!search.has_value()) continue;
    for (size_t k = 0; k < stored.size(); ++k) {
      const bool is_found = Finds(*search, cells[k]);
      passed_over += is_found ? 0 : 1;
      const bool meets = Intersects(stored[k], wanted) || IsWithin(stored[k], wanted) ||
                         IsWithin(wanted, stored[k]) ||
                         (metres > 0 && DistanceBetween(stored[k], wanted) <= metres);
      if (!meets) continue;
      ++met;
      EXPECT_TRUE(is_found) << ToJson(ToValue(stored[k])) << " within " << metres << " m of "
                            << ToJson(ToValue(wanted));
    }
  }
  EXPECT_GT(met, 1'000);
  EXPECT_GT(passed_over, 10'000);
}

TEST(GeoBox, EdgesBendTowardsThePoles) {
  const auto boxes = BoxesOf(Shape(R"({"type":"LineString","coordinates":[[0,50],[60,50]]})"));
  ASSERT_EQ(boxes.size(), 1u);
  EXPECT_GT(boxes[0].north, 53);
  EXPECT_DOUBLE_EQ(boxes[0].south, 50);
}

TEST(GeoBox, BeyondThe180thMeridianAreTwo) {
  const auto boxes = BoxesOf(Shape(R"({"type":"LineString","coordinates":[[175,5],[-170,6]]})"));
  ASSERT_EQ(boxes.size(), 2u);
  EXPECT_DOUBLE_EQ(boxes[0].west, 175);
  EXPECT_DOUBLE_EQ(boxes[0].east, 180);
  EXPECT_DOUBLE_EQ(boxes[1].west, -180);
  EXPECT_DOUBLE_EQ(boxes[1].east, -170);
}

}  // namespace
}  // namespace orrery::model
