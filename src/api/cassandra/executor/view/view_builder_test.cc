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

TEST_F(ViewBuilderTest, CellsThatTheTableHidesAreNotThere) {
  Run("CREATE TABLE t (k int PRIMARY KEY, v int, m map<int, int>)");
  Run("INSERT INTO t (k, v, m) VALUES (1, 1, {1: 1}) USING TIMESTAMP 10");
  Run("UPDATE t USING TIMESTAMP 30 SET m[2] = 2 WHERE k = 1");
  Run("INSERT INTO t (k, v, m) VALUES (2, 2, {2: 2}) USING TIMESTAMP 30");
  Run("UPDATE t USING TIMESTAMP 10 SET v = 3 WHERE k = 3");
  for (const char* column : {"v int", "m map<int, int>"}) {
    const std::string name(column, 1);
    Run(fmt::format("ALTER TABLE t DROP {} USING TIMESTAMP 20", name));
    Run(fmt::format("ALTER TABLE t ADD {}", column));
  }
  Run("CREATE MATERIALIZED VIEW by_v AS SELECT * FROM t WHERE v IS NOT NULL AND k IS NOT NULL "
      "PRIMARY KEY (v, k)");
  Run("CREATE MATERIALIZED VIEW with_m AS SELECT k, m FROM t WHERE m IS NOT NULL AND k IS NOT NULL "
      "PRIMARY KEY (k)");
  Build();
  const std::string map = "0000000100000004000000020000000400000002";  // {2: 2}
  const Line first = {{"k", "1"}, {"m", map}};
  const Line second = {{"k", "2"}, {"m", map}, {"v", "2"}};
  ASSERT_EQ(Rows("t"), (Lines{first, second}));
  EXPECT_EQ(Rows("by_v"), Lines{second});
  EXPECT_EQ(Rows("with_m"), (Lines{first, {{"k", "2"}, {"m", map}}}));
  // Written anew, a cell is seen.
  Run("UPDATE t USING TIMESTAMP 40 SET v = 3 WHERE k = 3");
  EXPECT_EQ(Rows("by_v"), Expected("t", "by_v"));
  EXPECT_EQ(Rows("by_v").size(), 2u);
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
