#include "api/cassandra/executor/view/table_views.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "api/cassandra/executor/view/view_testing.h"
#include "model/row/row_codec.h"

namespace orrery::cassandra {
namespace {

class TableViewsTest : public ViewFixture {
 protected:
  void MakeUsers() {
    Run("CREATE TABLE users (id int PRIMARY KEY, city text, name text)");
    Run("CREATE MATERIALIZED VIEW by_city AS SELECT * FROM users WHERE city IS NOT NULL AND id IS "
        "NOT NULL PRIMARY KEY (city, id)");
  }
};

TEST_F(TableViewsTest, ARowMovesWithItsKey) {
  MakeUsers();
  Run("INSERT INTO users (id, city, name) VALUES (1, 'Oslo', 'Ada')");
  EXPECT_EQ(Rows("by_city"), (Lines{{{"city", "Oslo"}, {"id", "1"}, {"name", "Ada"}}}));
  Run("UPDATE users SET city = 'Rome' WHERE id = 1");
  EXPECT_EQ(Rows("by_city"), (Lines{{{"city", "Rome"}, {"id", "1"}, {"name", "Ada"}}}));
  Run("DELETE city FROM users WHERE id = 1");
  EXPECT_EQ(Rows("by_city"), Lines());
  Run("UPDATE users SET city = 'Oslo' WHERE id = 1");
  EXPECT_EQ(Rows("by_city"), (Lines{{{"city", "Oslo"}, {"id", "1"}, {"name", "Ada"}}}));
  Run("DELETE FROM users WHERE id = 1");
  EXPECT_EQ(Rows("by_city"), Lines());
}

TEST_F(TableViewsTest, AnEmptyValueIsNoPartitionKey) {
  MakeUsers();
  Run("INSERT INTO users (id, city) VALUES (1, '')");
  EXPECT_EQ(Rows("users").size(), 1u);
  EXPECT_EQ(Rows("by_city"), Lines());
}

TEST_F(TableViewsTest, AWriteThatLosesChangesNoView) {
  MakeUsers();
  Run("DELETE FROM users USING TIMESTAMP 2000000000000000 WHERE id = 1");
  Run("INSERT INTO users (id, city) VALUES (1, 'Oslo')");
  EXPECT_EQ(Rows("users"), Lines());
  EXPECT_EQ(Rows("by_city"), Lines());
}

TEST_F(TableViewsTest, TheKeyColumnsTimeToLiveEndsTheRow) {
  MakeUsers();
  Run("INSERT INTO users (id, name) VALUES (1, 'Ada')");
  Run("UPDATE users USING TTL 10 SET city = 'Oslo' WHERE id = 1");
  EXPECT_EQ(Rows("by_city").size(), 1u);
  server.clock.Advance(std::chrono::seconds(10));
  EXPECT_EQ(Rows("by_city"), Lines());
  EXPECT_EQ(Rows("users"), (Lines{{{"id", "1"}, {"name", "Ada"}}}));
  Run("UPDATE users SET city = 'Oslo' WHERE id = 1");
  EXPECT_EQ(Rows("by_city"), (Lines{{{"city", "Oslo"}, {"id", "1"}, {"name", "Ada"}}}));
}

TEST_F(TableViewsTest, ARowLivesAsLongAsItsBaseByColumnsThatTheViewLacks) {
  Run("CREATE TABLE t (k int, c int, v int, PRIMARY KEY (k, c))");
  Run("CREATE MATERIALIZED VIEW by_c AS SELECT k, c FROM t WHERE k IS NOT NULL AND c IS NOT NULL "
      "PRIMARY KEY (c, k)");
  Run("UPDATE t USING TTL 5 SET v = 1 WHERE k = 1 AND c = 2");
  EXPECT_EQ(Rows("by_c").size(), 1u);
  server.clock.Advance(std::chrono::seconds(4));
  EXPECT_EQ(Rows("by_c").size(), 1u);
  server.clock.Advance(std::chrono::seconds(1));
  EXPECT_EQ(Rows("t"), Lines());
  EXPECT_EQ(Rows("by_c"), Lines());
}

TEST_F(TableViewsTest, DeletingAPartitionFindsItsRows) {
  Run("CREATE TABLE t (k int, c int, PRIMARY KEY (k, c))");
  Run("CREATE MATERIALIZED VIEW by_c AS SELECT * FROM t WHERE k IS NOT NULL AND c IS NOT NULL "
      "PRIMARY KEY (c, k)");
  for (int c = 0; c < 50; ++c) Run(fmt::format("INSERT INTO t (k, c) VALUES (1, {})", c));
  Run("INSERT INTO t (k, c) VALUES (2, 7)");
  Run("DELETE FROM t WHERE k = 1 AND c > 10 AND c <= 20");
  EXPECT_EQ(Rows("by_c").size(), 41u);
  Run("DELETE FROM t WHERE k = 1");
  EXPECT_EQ(Rows("by_c"), (Lines{{{"c", "7"}, {"k", "2"}}}));
}

TEST_F(TableViewsTest, AViewWithAllColumnsFollowsItsBase) {
  MakeUsers();
  Run("ALTER TABLE users ADD age int");
  Run("INSERT INTO users (id, city, age) VALUES (1, 'Oslo', 36)");
  EXPECT_EQ(Rows("by_city"), (Lines{{{"age", "36"}, {"city", "Oslo"}, {"id", "1"}}}));
}

TEST_F(TableViewsTest, AChangeThatDoesNotShowIsNotDelivered) {
  Run("CREATE TABLE t (k int PRIMARY KEY, v int, w int)");
  Run("CREATE MATERIALIZED VIEW by_v AS SELECT k, v FROM t WHERE k IS NOT NULL AND v IS NOT NULL "
      "PRIMARY KEY (v, k)");
  Run("INSERT INTO t (k, v) VALUES (1, 1)");
  Counter& delivered =
      server.metrics.GetCounter("orrery_followers_total", "", {{"outcome", "delivered"}});
  const auto before = delivered.value();
  Run("UPDATE t SET w = 5 WHERE k = 1");
  EXPECT_EQ(delivered.value(), before);
  Run("UPDATE t SET v = 2 WHERE k = 1");
  EXPECT_EQ(delivered.value(), before + 2);
}

TEST_F(TableViewsTest, ValuesTooLargeForAKeyRefuseTheWrite) {
  MakeUsers();
  const std::string error =
      Try(fmt::format("INSERT INTO users (id, city) VALUES (1, '{}')", std::string(70'000, 'x')));
  EXPECT_NE(error, "");
  EXPECT_EQ(Rows("users"), Lines());
}

}  // namespace
}  // namespace orrery::cassandra
