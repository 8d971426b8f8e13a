#include "api/cassandra/executor/view/view_builder.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "api/cassandra/executor/view/view_testing.h"

namespace orrery::cassandra {
namespace {

class ViewBuilderTest : public ViewFixture {
 protected:
  static constexpr int kRows = 300;

  void MakeTable() {
    Run("CREATE TABLE t (k int, c int, v int, PRIMARY KEY (k, c))");
    for (int i = 0; i < kRows; ++i)
      Run(fmt::format("INSERT INTO t (k, c, v) VALUES ({}, {}, {})", i % 7, i, i % 5));
  }
  void MakeView() {
    Run("CREATE MATERIALIZED VIEW by_v AS SELECT * FROM t WHERE v IS NOT NULL AND k IS NOT NULL "
        "AND "
        "c IS NOT NULL PRIMARY KEY (v, k, c)");
  }
  void Build() {
    api->builder.Wake();
    api->builder.WaitUntilIdle();
  }
};

TEST_F(ViewBuilderTest, FillsAViewWithTheRowsThatAreThere) {
  MakeTable();
  MakeView();
  EXPECT_FALSE(Table("by_v")->view->built);
  EXPECT_EQ(Rows("by_v"), Lines());
  const std::string version = api->schema.Current()->version;
  Build();
  EXPECT_TRUE(Table("by_v")->view->built);
  EXPECT_EQ(Rows("by_v").size(), static_cast<size_t>(kRows));
  EXPECT_EQ(Rows("by_v"), Expected("t", "by_v"));
  EXPECT_TRUE(api->builder.ViewBuildsInProgress().empty());
  EXPECT_EQ(api->schema.Current()->version, version) << "no definition has changed";
}

TEST_F(ViewBuilderTest, GoesOnAfterARestart) {
  MakeTable();
  MakeView();
  Restart();
  Build();
  EXPECT_TRUE(Table("by_v")->view->built);
  EXPECT_EQ(Rows("by_v"), Expected("t", "by_v"));
  Restart();
  EXPECT_TRUE(Table("by_v")->view->built);
}

TEST_F(ViewBuilderTest, WritesThatComeMeanwhileArePartOfIt) {
  MakeTable();
  MakeView();
  api->builder.Wake();
  for (int i = 0; i < kRows; ++i) {
    Run(i % 3 == 0 ? fmt::format("DELETE FROM t WHERE k = {} AND c = {}", i % 7, i)
                   : fmt::format("UPDATE t SET v = {} WHERE k = {} AND c = {}", i % 4, i % 7, i));
  }
  api->builder.WaitUntilIdle();
  EXPECT_EQ(Rows("by_v"), Expected("t", "by_v"));
}

TEST_F(ViewBuilderTest, WaitsForWritesThatDoNotKnowOfTheView) {
  MakeTable();
  const auto pass = std::make_unique<std::shared_ptr<const void>>(api->views.Enter());
  MakeView();
  api->builder.Wake();
  EXPECT_EQ(Rows("by_v"), Lines());
  EXPECT_FALSE(Table("by_v")->view->built);
  pass->reset();
  api->builder.WaitUntilIdle();
  EXPECT_TRUE(Table("by_v")->view->built);
}

TEST_F(ViewBuilderTest, StopsInTheMiddle) {
  MakeTable();
  MakeView();
  api->builder.Wake();
  api->builder.Stop();
  Restart();
  Build();
  EXPECT_EQ(Rows("by_v"), Expected("t", "by_v"));
}

TEST_F(ViewBuilderTest, ADroppedViewIsForgotten) {
  MakeTable();
  MakeView();
  api->builder.Wake();
  Run("DROP MATERIALIZED VIEW by_v");
  api->builder.WaitUntilIdle();
  EXPECT_TRUE(api->builder.ViewBuildsInProgress().empty());
}

}  // namespace
}  // namespace orrery::cassandra
