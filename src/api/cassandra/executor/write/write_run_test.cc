#include "api/cassandra/executor/write/write_run.h"

#include <gtest/gtest.h>

#include "api/cassandra/executor/read/read_fixture.h"
#include "api/cassandra/planner/test_writes.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/type_builder.h"

namespace orrery::cassandra {
namespace {

using testing::Int;
using testing::ListOf;
using testing::Native;
using testing::TableBuilder;
using Rows = std::vector<std::string>;

// Of tables without views.
class NothingDepends final : public gateway::ViewMaintenanceHook {
 public:
  Plan PlanFor(const item::DerivedWrite& /*derived write*/) const override { return {}; }
};

class Writes : public testing::ReadFixture {
 protected:
  Writes() { server.rows->outbox().SetViewMaintenanceHook(&hook); }
  ~Writes() override { server.rows->outbox().SetViewMaintenanceHook(nullptr); }

  void CreateWithList(partition::ThroughputSettings throughput = {}) {
    Create(TableBuilder()
               .Key("k", Int())
               .Clustering("c", Int())
               .Regular("v", Int())
               .Regular("l", ListOf(Int(), Cells::kMulti)),
           {}, throughput);
  }
  WrittenStatement Bind(std::string_view text, std::vector<TermValue> values = {}) {
    auto write = testing::BindWrite(table, text, std::move(values));
    EXPECT_EQ(write.error, "") << text;
    return {write.plan, std::move(write.bound), std::nullopt};
  }
  Outcome Run(WriteKind kind, std::vector<WrittenStatement> statements,
              const WriteContext& context = {}) {
    const WriteRunner runner(*server.rows, clock, views, nullptr);
    std::promise<Outcome> promise;
    std::future<Outcome> future = promise.get_future();
    runner.Run(kind, std::move(statements), context,
               [&promise](Outcome outcome) { promise.set_value(std::move(outcome)); });
    return future.get();
  }
  Outcome RunOne(std::string_view text, const WriteContext& context = {}) {
    std::vector<WrittenStatement> statements;
    statements.push_back(Bind(text));
    return Run(WriteKind::kStatement, std::move(statements), context);
  }
  // Must be done, without rows.
  void Done(std::string_view text, const WriteContext& context = {}) {
    const Outcome outcome = RunOne(text, context);
    EXPECT_TRUE(std::holds_alternative<VoidOutcome>(outcome.result)) << text;
  }
  Outcome RunBatch(WriteKind kind, const std::vector<std::string>& texts) {
    std::vector<WrittenStatement> statements;
    for (const std::string& text : texts) statements.push_back(Bind(text));
    return Run(kind, std::move(statements));
  }
  // Of a conditional statement.
  static bool Applied(const Outcome& outcome) {
    const auto* rows = std::get_if<RowsOutcome>(&outcome.result);
    EXPECT_NE(rows, nullptr);
    return rows != nullptr && rows->cells.size() > 4 && rows->cells[4] == 1;
  }

  WriteClock clock{server.rows->times()};
  const ViewPlanner* views = nullptr;
  const NothingDepends hook;
};

TEST_F(Writes, OneStatementInOnePartition) {
  CreateWithList();
  const Outcome outcome = RunOne("INSERT INTO ks.t (k, c, v) VALUES (1, 2, 3)");
  EXPECT_TRUE(std::holds_alternative<VoidOutcome>(outcome.result));
  EXPECT_GT(outcome.charge, RequestUnits());
  EXPECT_EQ(Read("SELECT k, c, v FROM ks.t"), Rows{"1|2|3"});
}

TEST_F(Writes, OneStatementInSeveralPartitions) {
  CreateWithList();
  const Outcome one = RunOne("UPDATE ks.t SET v = 5 WHERE k = 9 AND c = 1");
  const Outcome three = RunOne("UPDATE ks.t SET v = 5 WHERE k IN (1, 2, 3) AND c = 1");
  EXPECT_TRUE(std::holds_alternative<VoidOutcome>(three.result));
  EXPECT_GT(three.charge, one.charge);
  EXPECT_EQ(Read("SELECT k FROM ks.t WHERE k IN (1, 2, 3)"), (Rows{"1", "2", "3"}));
}

TEST_F(Writes, StatementsWithoutEffectCostNothing) {
  CreateWithList();
  std::vector<WrittenStatement> statements;
  statements.push_back(Bind("UPDATE ks.t SET v = ? WHERE k = 1 AND c = 1", {TermValue::Unset()}));
  const Outcome outcome = Run(WriteKind::kStatement, std::move(statements));
  EXPECT_TRUE(std::holds_alternative<VoidOutcome>(outcome.result));
  EXPECT_EQ(outcome.charge, RequestUnits());
}

TEST_F(Writes, TimesComeFromTheStatementThenTheRequestThenTheServer) {
  CreateWithList();
  WriteContext at_five;
  at_five.timestamp_us = 5;
  Done("UPDATE ks.t USING TIMESTAMP 9 SET v = 1 WHERE k = 1 AND c = 1", at_five);
  Done("UPDATE ks.t SET v = 1 WHERE k = 2 AND c = 1", at_five);
  EXPECT_EQ(Read("SELECT writetime(v) FROM ks.t WHERE k IN (1, 2)"), (Rows{"9", "5"}));
  // The clock stands still, and yet the second of two writes wins.
  Done("UPDATE ks.t SET v = 20 WHERE k = 3 AND c = 1");
  Done("UPDATE ks.t SET v = 10 WHERE k = 3 AND c = 1");
  EXPECT_EQ(Read("SELECT v FROM ks.t WHERE k = 3"), Rows{"10"});
}

TEST_F(Writes, TheClientMaySayTheTimeOfExpiry) {
  CreateWithList();
  WriteContext long_ago;
  long_ago.now_s = NowSeconds() - 20;
  Done("INSERT INTO ks.t (k, c, v) VALUES (1, 1, 1) USING TTL 10", long_ago);
  EXPECT_EQ(Read("SELECT v FROM ks.t WHERE k = 1"), Rows{});
  Done("INSERT INTO ks.t (k, c, v) VALUES (1, 2, 2) USING TTL 30", long_ago);
  EXPECT_EQ(Read("SELECT ttl(v) FROM ks.t WHERE k = 1"), Rows{"10"});
}

TEST_F(Writes, ListsAreChangedByIndex) {
  CreateWithList();
  Done("INSERT INTO ks.t (k, c, l) VALUES (1, 1, [1, 2, 3])");
  Done("UPDATE ks.t SET l[1] = 9 WHERE k = 1 AND c = 1");
  Done("UPDATE ks.t SET l = l - [1] WHERE k = 1 AND c = 1");
  Done("UPDATE ks.t SET l = [0] + l WHERE k = 1 AND c = 1");
  EXPECT_EQ(Read("SELECT l FROM ks.t"), Rows{"[0, 9, 3]"});
  const Outcome refused = RunOne("UPDATE ks.t SET l[7] = 9 WHERE k = 1 AND c = 1");
  const auto* error = std::get_if<CqlError>(&refused.result);
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(error->code, ErrorCode::kInvalid);
  EXPECT_EQ(error->message, "List index 7 out of bound, list has size 3");
}

TEST_F(Writes, CountersAddUp) {
  Create(TableBuilder().Key("k", Int()).Regular("n", Native(TypeKind::kCounter)));
  Done("UPDATE ks.t SET n = n + 5 WHERE k = 1");
  Done("UPDATE ks.t SET n = n - 2, n = n + 1 WHERE k = 1");
  EXPECT_EQ(Read("SELECT n FROM ks.t"), Rows{"4"});
}

TEST_F(Writes, ConditionalOnesTellWhetherTheyWereApplied) {
  CreateWithList();
  EXPECT_TRUE(Applied(RunOne("INSERT INTO ks.t (k, c, v) VALUES (1, 1, 1) IF NOT EXISTS")));
  EXPECT_FALSE(Applied(RunOne("INSERT INTO ks.t (k, c, v) VALUES (1, 1, 2) IF NOT EXISTS")));
  EXPECT_TRUE(Applied(RunOne("UPDATE ks.t SET v = 3 WHERE k = 1 AND c = 1 IF v = 1")));
  EXPECT_FALSE(Applied(RunOne("DELETE FROM ks.t WHERE k = 1 AND c = 1 IF v = 1")));
  EXPECT_EQ(Read("SELECT v FROM ks.t"), Rows{"3"});
}

TEST_F(Writes, ALoggedBatchReachesAllItsPartitions) {
  CreateWithList();
  const Outcome outcome =
      RunBatch(WriteKind::kLoggedBatch, {"INSERT INTO ks.t (k, c, v) VALUES (1, 1, 1)",
                                         "INSERT INTO ks.t (k, c, v) VALUES (2, 1, 2)",
                                         "INSERT INTO ks.t (k, c, v) VALUES (1, 2, 3)",
                                         "INSERT INTO ks.t (k, c, v) VALUES (3, 1, 4)"});
  EXPECT_TRUE(std::holds_alternative<VoidOutcome>(outcome.result));
  EXPECT_EQ(Read("SELECT v FROM ks.t WHERE k IN (1, 2, 3)"), (Rows{"1", "3", "2", "4"}));
}

TEST_F(Writes, InALoggedBatchWhoLooksFirstLeads) {
  CreateWithList();
  Done("INSERT INTO ks.t (k, c, l) VALUES (2, 1, [1])");
  const Outcome done =
      RunBatch(WriteKind::kLoggedBatch, {"INSERT INTO ks.t (k, c, v) VALUES (1, 1, 1)",
                                         "UPDATE ks.t SET l[0] = 5 WHERE k = 2 AND c = 1"});
  EXPECT_TRUE(std::holds_alternative<VoidOutcome>(done.result));
  EXPECT_EQ(Read("SELECT v, l FROM ks.t WHERE k IN (1, 2)"), (Rows{"1|null", "null|[5]"}));
  // It fails, and nothing follows.
  const Outcome refused =
      RunBatch(WriteKind::kLoggedBatch, {"INSERT INTO ks.t (k, c, v) VALUES (1, 2, 1)",
                                         "UPDATE ks.t SET l[3] = 5 WHERE k = 2 AND c = 1"});
  EXPECT_TRUE(std::holds_alternative<CqlError>(refused.result));
  EXPECT_EQ(Read("SELECT c FROM ks.t WHERE k = 1"), Rows{"1"});
}

TEST_F(Writes, AnUnloggedBatchIsManyWrites) {
  CreateWithList();
  const Outcome outcome =
      RunBatch(WriteKind::kUnloggedBatch, {"INSERT INTO ks.t (k, c, v) VALUES (1, 1, 1)",
                                           "UPDATE ks.t SET l[0] = 5 WHERE k = 2 AND c = 1"});
  EXPECT_TRUE(std::holds_alternative<CqlError>(outcome.result));
  EXPECT_EQ(Read("SELECT v FROM ks.t"), Rows{"1"});
}

TEST_F(Writes, AConditionalBatchIsAppliedAsOne) {
  CreateWithList();
  Done("INSERT INTO ks.t (k, c, v) VALUES (1, 1, 1)");
  EXPECT_FALSE(Applied(
      RunBatch(WriteKind::kLoggedBatch, {"UPDATE ks.t SET v = 2 WHERE k = 1 AND c = 1 IF v = 9",
                                         "INSERT INTO ks.t (k, c, v) VALUES (1, 2, 2)"})));
  EXPECT_EQ(Read("SELECT v FROM ks.t"), Rows{"1"});
  EXPECT_TRUE(Applied(
      RunBatch(WriteKind::kLoggedBatch, {"UPDATE ks.t SET v = 2 WHERE k = 1 AND c = 1 IF v = 1",
                                         "INSERT INTO ks.t (k, c, v) VALUES (1, 2, 2)"})));
  EXPECT_EQ(Read("SELECT v FROM ks.t"), (Rows{"2", "2"}));
}

TEST_F(Writes, ThrottledOnesSayWhenToComeAgain) {
  CreateWithList(partition::ThroughputSettings::Manual(400));
  constexpr int kWritesMax = 1'000;
  for (int i = 0; i < kWritesMax; ++i) {
    const Outcome outcome = RunOne("INSERT INTO ks.t (k, c, v) VALUES (1, 1, 1)");
    const auto* error = std::get_if<CqlError>(&outcome.result);
    if (error == nullptr) continue;
    EXPECT_EQ(error->code, ErrorCode::kOverloaded);
    EXPECT_GT(error->retry_after_ms, 0u);
    return;
  }
  ADD_FAILURE() << "was never throttled";
}

TEST_F(Writes, DeletionsOfAConditionalBatchComeFirst) {
  Create(TableBuilder().Key("k", Int()).Regular("v", Int()).Regular("w", Int()));
  Done("INSERT INTO ks.t (k, v, w) VALUES (1, 1, 1)");
  server.clock.Advance(std::chrono::seconds(1));
  EXPECT_TRUE(
      Applied(RunBatch(WriteKind::kLoggedBatch, {"DELETE FROM ks.t WHERE k = 1 IF EXISTS",
                                                 "INSERT INTO ks.t (k, v) VALUES (1, 2)"})));
  EXPECT_EQ(Read("SELECT v, w FROM ks.t"), Rows{"2|null"});
}

TEST_F(Writes, ConditionalListsKeepWhatEachStatementAdds) {
  CreateWithList();
  Done("INSERT INTO ks.t (k, c, v) VALUES (1, 1, 1)");
  EXPECT_TRUE(Applied(RunBatch(WriteKind::kLoggedBatch,
                               {"UPDATE ks.t SET l = l + [1, 2] WHERE k = 1 AND c = 1 IF v = 1",
                                "UPDATE ks.t SET l = l + [3] WHERE k = 1 AND c = 1"})));
  EXPECT_EQ(Read("SELECT l FROM ks.t"), Rows{"[1, 2, 3]"});
}

TEST_F(Writes, ViewsAreAskedForEachPartition) {
  class Planner final : public ViewPlanner {
   public:
    std::shared_ptr<const void> Enter() const override { return nullptr; }
    std::unique_ptr<ViewMaintenance> Plan(
        const Table& base, std::string_view partition_key,
        std::span<const WrittenStatement> statements) const override {
      asked.push_back(base.name + DecodeText(partition_key) + ":" +
                      std::to_string(statements.size()));
      return nullptr;
    }
    CqlResult<std::vector<item::DerivedWrite>> Foresee(
        const Table& /*base*/, std::string_view /*partition_key*/,
        const item::RowChanges& /*changes*/) const override {
      return std::vector<item::DerivedWrite>();
    }
    static std::string DecodeText(std::string_view key) {
      return std::to_string(DecodeInteger<int32_t>(key));
    }
    mutable std::vector<std::string> asked;
  };
  CreateWithList();
  const Planner planner;
  views = &planner;
  const Outcome outcome =
      RunBatch(WriteKind::kUnloggedBatch,
               {"INSERT INTO ks.t (k, c) VALUES (1, 1)", "INSERT INTO ks.t (k, c) VALUES (2, 1)",
                "INSERT INTO ks.t (k, c) VALUES (1, 2)"});
  EXPECT_TRUE(std::holds_alternative<VoidOutcome>(outcome.result));
  EXPECT_EQ(planner.asked, (Rows{"t1:2", "t2:1"}));
}

TEST(WriteClock, EachTimeIsLaterThanTheOneBefore) {
  ManualClock manual(Micros(100));
  ClusterClock times(manual);
  WriteClock clock(times);
  const int64_t first = clock.NextMicros();
  EXPECT_GE(first, 100);
  EXPECT_EQ(clock.NextMicros(), first + 1);
  manual.Advance(Micros(50));
  EXPECT_EQ(clock.NextMicros(), 150);
  manual.Advance(Micros(-100));
  EXPECT_EQ(clock.NextMicros(), 151);
}

}  // namespace
}  // namespace orrery::cassandra
