#include "api/cassandra/executor/view/view_hook.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "api/cassandra/executor/view/view_testing.h"

namespace orrery::cassandra {
namespace {

class ViewHookTest : public ViewFixture {
 protected:
  void MakeUsers() {
    Run("CREATE TABLE users (id int PRIMARY KEY, city text, name text)");
    Run("CREATE MATERIALIZED VIEW by_city AS SELECT * FROM users WHERE city IS NOT NULL AND id IS "
        "NOT NULL PRIMARY KEY (city, id)");
  }
  // Of `count` partitions, each with a row of its own in the view.
  static std::string Batch(std::string_view city, int count) {
    std::string text = "BEGIN BATCH ";
    for (int id = 1; id <= count; ++id) {
      fmt::format_to(std::back_inserter(text),
                     "INSERT INTO users (id, city, name) VALUES ({}, '{}', 'n{}'); ", id, city, id);
    }
    return text + "APPLY BATCH";
  }
  // Time for whatever waits after a failure.
  void RepairLater() {
    server.clock.Advance(cluster::RetrySchedule::kPauseMax);
    Repair();
  }
};

TEST_F(ViewHookTest, ALoggedBatchReachesTheViewsOfAllItsPartitions) {
  MakeUsers();
  Run(Batch("Oslo", 5));
  EXPECT_EQ(Rows("users").size(), 5u);
  EXPECT_EQ(Rows("by_city"), Expected("users", "by_city"));
  Run(Batch("Rome", 3));
  EXPECT_EQ(Rows("by_city"), Expected("users", "by_city"));
  Run("BEGIN BATCH DELETE FROM users WHERE id = 1; DELETE city FROM users WHERE id = 4; "
      "UPDATE users SET name = 'Ada' WHERE id = 5; APPLY BATCH");
  EXPECT_EQ(Rows("users").size(), 4u);
  EXPECT_EQ(Rows("by_city"), Expected("users", "by_city"));
}

// Its first partition is stored, nothing else arrives, and the server starts again.
TEST_F(ViewHookTest, WhatACrashLeavesOfALoggedBatchComesWithItsViews) {
  MakeUsers();
  Run(Batch("Oslo", 4));
  api->outbox.SetViewMaintenanceHook(nullptr);
  EXPECT_NE(Try(Batch("Rome", 4)), "") << "nobody delivers";
  const Lines before = Rows("users");
  EXPECT_EQ(std::ranges::count_if(before, [](const Line& l) { return l.at("city") == "Rome"; }), 1);
  Restart();
  RepairLater();
  const Lines after = Rows("users");
  EXPECT_EQ(std::ranges::count_if(after, [](const Line& l) { return l.at("city") == "Rome"; }), 4);
  EXPECT_EQ(Rows("by_city"), Expected("users", "by_city"));
}

TEST_F(ViewHookTest, AViewThatIsMadeMeanwhileIsMaintained) {
  Run("CREATE TABLE users (id int PRIMARY KEY, city text, name text)");
  api->outbox.SetViewMaintenanceHook(nullptr);
  EXPECT_NE(Try(Batch("Rome", 4)), "");
  Run("CREATE MATERIALIZED VIEW by_city AS SELECT * FROM users WHERE city IS NOT NULL AND id IS "
      "NOT NULL PRIMARY KEY (city, id)");
  api->builder.Wake();
  api->builder.WaitUntilIdle();
  api->outbox.SetViewMaintenanceHook(&api->hook);
  RepairLater();
  EXPECT_EQ(Rows("users").size(), 4u);
  EXPECT_EQ(Rows("by_city"), Expected("users", "by_city"));
}

TEST_F(ViewHookTest, StaticsAndRowsOfClusteredTables) {
  Run("CREATE TABLE t (k int, c int, s int STATIC, v int, PRIMARY KEY (k, c))");
  Run("CREATE MATERIALIZED VIEW by_v AS SELECT k, c, v FROM t WHERE k IS NOT NULL AND c IS NOT "
      "NULL AND v IS NOT NULL PRIMARY KEY (v, k, c)");
  Run("BEGIN BATCH INSERT INTO t (k, c, s, v) VALUES (1, 1, 7, 1); "
      "INSERT INTO t (k, c, v) VALUES (2, 1, 1); INSERT INTO t (k, c, v) VALUES (2, 2, 1); "
      "UPDATE t SET s = 8 WHERE k = 3; APPLY BATCH");
  EXPECT_EQ(Rows("by_v"), Expected("t", "by_v"));
  EXPECT_EQ(Rows("by_v").size(), 3u);
  Run("BEGIN BATCH DELETE FROM t WHERE k = 2; UPDATE t SET v = 5 WHERE k = 1 AND c = 1; "
      "INSERT INTO t (k, c, v) VALUES (4, 1, 5); APPLY BATCH");
  EXPECT_EQ(Rows("by_v"), Expected("t", "by_v"));
  EXPECT_EQ(Rows("by_v").size(), 2u);
}

TEST_F(ViewHookTest, ValuesTooLargeForAViewsKeyRefuseTheBatch) {
  MakeUsers();
  const std::string city(server.limits.partition_key_bytes_max + 1, 'x');
  EXPECT_NE(Try(fmt::format("BEGIN BATCH INSERT INTO users (id, city) VALUES (1, 'Oslo'); INSERT "
                            "INTO users (id, city) VALUES (2, '{}'); APPLY BATCH",
                            city)),
            "");
  EXPECT_EQ(Rows("users"), Lines());
}

}  // namespace
}  // namespace orrery::cassandra
