#include "api/sql/container/spatial_indexes.h"

#include <gtest/gtest.h>

#include "model/document/json.h"

namespace orrery::sql {
namespace {

Result<std::vector<item::NamedIndex>> SpatialFrom(std::string_view json) {
  return SpatialIndexesFrom(*model::ValueFromJson(json));
}

TEST(SpatialIndexes, OnePlaceEach) {
  const auto indexes = SpatialFrom(R"([{"path":"/at/*","types":["Point"]},{"path":"/o/shape/?"},
                                {"path":"/at"},{"path":"/x"}])");
  ASSERT_TRUE(indexes.has_value()) << indexes.error().ToString();
  ASSERT_EQ(indexes->size(), 3u);
  EXPECT_EQ((*indexes)[0].kind, item::IndexKind::kQuadtreeCells);
  EXPECT_EQ((*indexes)[0].paths, std::vector{*model::Path::Parse("/at")});
  EXPECT_EQ((*indexes)[1].paths, std::vector{*model::Path::Parse("/o/shape")});
  EXPECT_EQ((*indexes)[2].paths, std::vector{*model::Path::Parse("/x")});
}

TEST(SpatialIndexes, PathsToManyPlacesAreTakenOnly) {
  const auto indexes =
      SpatialFrom(R"([{"path":"/*"},{"path":"/places/[]/at/*"},{"path":"/a/*/?"}])");
  ASSERT_TRUE(indexes.has_value()) << indexes.error().ToString();
  EXPECT_TRUE(indexes->empty());
}

TEST(SpatialIndexes, WhatIsWrong) {
  for (const char* json : {R"({})", R"([1])", R"([{}])", R"([{"path":1}])"})
    EXPECT_FALSE(SpatialFrom(json).has_value()) << json;
}

}  // namespace
}  // namespace orrery::sql
