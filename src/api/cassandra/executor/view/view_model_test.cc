// Random writes to base tables; after each of them every view has what a reading of its base says.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "api/cassandra/executor/view/view_testing.h"

namespace orrery::cassandra {
namespace {

// Statements about few keys and columns, so that they meet.
class RandomWrites {
 public:
  explicit RandomWrites(uint32_t seed) : random_(seed) {}

  std::string Next(Micros now) {
    now_us_ = now.count();
    if (Below(8) != 0) return Statement();
    std::string batch = Below(2) == 0 ? "BEGIN BATCH " : "BEGIN UNLOGGED BATCH ";
    for (int i = 0; i < 3; ++i) batch += Unconditional() + "; ";
    return batch + "APPLY BATCH";
  }
  std::chrono::seconds Pause() { return std::chrono::seconds(Below(4) == 0 ? Below(kTtlMax) : 0); }

 private:
  static constexpr int kTtlMax = 6;

  int Below(int end) { return static_cast<int>(random_() % static_cast<uint32_t>(end)); }
  int Value() { return Below(4); }

  std::string Statement() {
    switch (Below(10)) {
      case 0:
        return fmt::format("INSERT INTO t (k, c, v) VALUES ({}, {}, {}) IF NOT EXISTS", Below(3),
                           Below(4), Value());
      case 1:
        return fmt::format("UPDATE t SET v = {} WHERE {} IF w = '{}'", Value(), Row(), Value());
      case 2:
        return fmt::format("UPDATE t SET l[0] = {} WHERE {}", Value(), Row());
      default:
        return Unconditional();
    }
  }
  std::string Unconditional() {
    switch (Below(12)) {
      case 0:
      case 1:
      case 2:
        return fmt::format(
            "INSERT INTO t (k, c, v, w, m, l) VALUES ({}, {}, {}, '{}', {{{}: {}}}, [{}, {}]){}",
            Below(3), Below(4), Value(), Value(), Value(), Value(), Value(), Value(), Using());
      case 3:
        return fmt::format("INSERT INTO t (k, c) VALUES ({}, {}){}", Below(3), Below(4), Using());
      case 4:
        return fmt::format("UPDATE t{} SET v = {}, l = l + [{}] WHERE {}", Using(), Value(),
                           Value(), Row());
      case 5:
        return fmt::format("UPDATE t{} SET w = '{}', m[{}] = {} WHERE {}", Using(), Value(),
                           Value(), Value(), Row());
      case 6:
        return fmt::format("UPDATE t SET v = null, s = {} WHERE {}", Value(), Row());
      case 7:
        return fmt::format("DELETE {} FROM t{} WHERE {}", Below(2) == 0 ? "v" : "m", Timestamp(),
                           Row());
      case 8:
        return fmt::format("DELETE m[{}], w FROM t WHERE {}", Value(), Row());
      case 9:
        return fmt::format("DELETE FROM t{} WHERE {}", Timestamp(), Row());
      case 10:
        return fmt::format("DELETE FROM t{} WHERE k = {} AND c >= {} AND c < {}", Timestamp(),
                           Below(3), Below(3), 1 + Below(4));
      default:
        return fmt::format("DELETE FROM t{} WHERE k = {}", Timestamp(), Below(3));
    }
  }
  std::string Row() { return fmt::format("k = {} AND c = {}", Below(3), Below(4)); }
  // Also in the future, so that later writes without one lose.
  std::string Timestamp() {
    if (Below(4) != 0) return "";
    return fmt::format(" USING TIMESTAMP {}", now_us_ + (Below(9) - 4) * 1'000'000);
  }
  std::string Using() {
    if (Below(3) == 0) return fmt::format(" USING TTL {}", 1 + Below(kTtlMax));
    return Timestamp();
  }

  std::mt19937 random_;
  int64_t now_us_ = 0;
};

bool IsAboutAList(std::string_view error) {
  return error.contains("List index") || error.contains("on a list which is null");
}

class ViewModelTest : public ViewFixture {
 protected:
  void MakeTables() {
    Run("CREATE TABLE t (k int, c int, v int, w text, m map<int, int>, l list<int>, s int static, "
        "PRIMARY KEY (k, c))");
    Run("CREATE MATERIALIZED VIEW by_v AS SELECT k, c, v, w, m FROM t WHERE v IS NOT NULL AND k IS "
        "NOT NULL AND c IS NOT NULL PRIMARY KEY (v, k, c) WITH "
        "cosmosdb_provisioned_throughput = 10000");
    Run("CREATE MATERIALIZED VIEW by_c AS SELECT k, c, w, l FROM t WHERE c >= 1 AND c < 3 AND k IN "
        "(0, 2) PRIMARY KEY (c, k)");
    Run("CREATE MATERIALIZED VIEW composite AS SELECT k, c, v, m FROM t WHERE v IS NOT NULL AND k "
        "IS NOT NULL AND c IS NOT NULL PRIMARY KEY ((k, v), c) WITH CLUSTERING ORDER BY (c DESC)");
    Run("CREATE MATERIALIZED VIEW with_w AS SELECT k, c, v FROM t WHERE w IS NOT NULL AND k IS NOT "
        "NULL AND c IS NOT NULL PRIMARY KEY (c, k)");
  }
  void Compare(const std::string& after) {
    ASSERT_EQ(Rows("by_v"), Expected("t", "by_v")) << after;
    ASSERT_EQ(Rows("by_c"), Expected("t", "by_c",
                                     [](const Line& row) {
                                       const std::string& c = row.at("c");
                                       return (c == "1" || c == "2") && row.at("k") != "1";
                                     }))
        << after;
    ASSERT_EQ(Rows("composite"), Expected("t", "composite")) << after;
    ASSERT_EQ(Rows("with_w"),
              Expected("t", "with_w", [](const Line& row) { return row.contains("w"); }))
        << after;
  }
};

TEST_F(ViewModelTest, ViewsAreWhatTheirBaseSays) {
  constexpr uint32_t kSeed = 20'261;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  MakeTables();
  RandomWrites writes(kSeed);
  for (int step = 0; step < 1'500 && !HasFatalFailure(); ++step) {
    const std::string statement = writes.Next(server.clock.Now());
    const std::string error = Try(statement);
    // A list may have no element to replace.
    ASSERT_TRUE(error.empty() || IsAboutAList(error)) << statement << ": " << error;
    Compare(fmt::format("step {}: {}", step, statement));
    const std::chrono::seconds pause = writes.Pause();
    server.clock.Advance(pause);
    if (pause.count() != 0) Compare(fmt::format("step {}: {} s later", step, pause.count()));
  }
}

TEST_F(ViewModelTest, ViewsThatCouldNotBeWrittenAreRepaired) {
  constexpr uint32_t kSeed = 77;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  MakeTables();
  RandomWrites writes(kSeed);
  const auto write = [&](int count) {
    for (int i = 0; i < count; ++i) {
      (void)Try(writes.Next(server.clock.Now()));
      server.clock.Advance(writes.Pause());
    }
  };
  for (int round = 0; round < 4 && !HasFatalFailure(); ++round) {
    write(30);
    Compare("before");
    StopWriting(Table("by_v")->container);
    write(30);
    EXPECT_NE(Rows("by_v"), Expected("t", "by_v")) << "nothing was to be repaired";
    Restart();
    Repair();
    Compare(fmt::format("after repair {}", round));
  }
}

}  // namespace
}  // namespace orrery::cassandra
