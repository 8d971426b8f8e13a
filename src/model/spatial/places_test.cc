#include "model/spatial/places.h"

#include <gtest/gtest.h>

#include "model/document/json.h"
#include "model/spatial/relation.h"

namespace orrery::model {
namespace {

std::vector<Geometry> PlacesIn(std::string_view json) {
  const auto document = ParseJson(json);
  EXPECT_TRUE(document.has_value()) << json;
  return PlacesOf(document->view().Get("v"));
}

TEST(PlacesTest, PairsArePoints) {
  for (const char* json : {R"({"v": [1, 2]})", R"({"v": {"lng": 1, "lat": 2}})",
                           R"({"v": {"type": "Point", "coordinates": [1, 2]}})",
                           R"({"v": [1, 2, "x"]})", R"({"v": {"x": 1, "y": 2, "type": 5}})"}) {
    const auto places = PlacesIn(json);
    ASSERT_EQ(places.size(), 1u) << json;
    EXPECT_EQ(places.front().kind, Geometry::Kind::kPoint);
    EXPECT_EQ(places.front().path, (GeoPath{{1, 2}}));
  }
  for (const char* json : {R"({"v": [1]})", R"({"v": ["a", 1, 2]})", R"({"v": 5})", R"({"v": {}})",
                           R"({"v": [[1, 2], [3, 4]]})", R"({"v": {"type": "Foo"}})",
                           R"({"v": {"type": "Point", "coordinates": [1]}})",
                           R"({"v": {"type": "Point", "coordinates": [200, 1]}})"}) {
    EXPECT_TRUE(PlacesIn(json).empty()) << json;
  }
}

TEST(PlacesTest, CollectionsHaveSeveral) {
  EXPECT_EQ(PlacesIn(R"({"v": {"type": "MultiPoint", "coordinates": [[1, 2], [3, 4]]}})").size(),
            2u);
  EXPECT_EQ(PlacesIn(R"({"v": {"type": "MultiLineString",
                               "coordinates": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]}})")
                .size(),
            2u);
  EXPECT_EQ(PlacesIn(R"({"v": {"type": "GeometryCollection", "geometries": [
                          {"type": "Point", "coordinates": [1, 2]},
                          {"type": "MultiPoint", "coordinates": [[1, 2], [3, 4]]}]}})")
                .size(),
            3u);
  // One that is malformed spoils all.
  EXPECT_TRUE(PlacesIn(R"({"v": {"type": "MultiPoint", "coordinates": [[1, 2], [3]]}})").empty());
  EXPECT_TRUE(PlacesIn(R"({"v": {"type": "GeometryCollection", "geometries": [
                            {"type": "GeometryCollection", "geometries": []}]}})")
                  .empty());
}

TEST(PlacesTest, TheSmallerSideOfAnOutlineIsMeant) {
  const auto one = PlacesIn(R"({"v": {"type": "Polygon", "coordinates":
                                [[[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]]]}})");
  const auto other = PlacesIn(R"({"v": {"type": "Polygon", "coordinates":
                                  [[[0, 0], [0, 1], [1, 1], [1, 0], [0, 0]]]}})");
  ASSERT_TRUE(one.size() == 1 && other.size() == 1);
  EXPECT_NEAR(AreaOf(one.front()), AreaOf(other.front()), 1);
  EXPECT_LT(AreaOf(one.front()), 2e10);
}

TEST(PlacesTest, PairsNeedNotBeOnTheEarth) {
  EXPECT_TRUE(IsOnEarth(PlacesIn(R"({"v": [180, -90]})").front()));
  EXPECT_FALSE(IsOnEarth(PlacesIn(R"({"v": [181, 0]})").front()));
  EXPECT_FALSE(IsOnEarth(PlacesIn(R"({"v": [0, 91]})").front()));
}

}  // namespace
}  // namespace orrery::model
