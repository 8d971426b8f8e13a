#include "api/cassandra/executor/write/pending_write.h"

#include <gtest/gtest.h>

#include <future>

#include "api/cassandra/executor/read/read_fixture.h"
#include "api/cassandra/executor/write/write_run.h"
#include "api/cassandra/planner/test_writes.h"
#include "api/cassandra/types/type_builder.h"

namespace orrery::cassandra {
namespace {

using testing::Int;
using testing::Native;
using testing::TableBuilder;
using Rows = std::vector<std::string>;

// Counters of a table whose rate does not suffice for one statement, on a clock that stands still.
class ThrottledShares : public testing::ReadFixture {
 protected:
  static constexpr size_t kPartitions = 150;

  ThrottledShares() {
    Create(TableBuilder().Key("k", Int()).Regular("n", Native(TypeKind::kCounter)), {},
           partition::ThroughputSettings::Manual(400));
    for (size_t k = 1; k <= kPartitions; ++k) keys += (k == 1 ? "(" : ", ") + std::to_string(k);
    keys += ")";
  }
  // Counts once in all partitions.
  std::future<Outcome> Start() { return Start(keys); }
  std::future<Outcome> Start(const std::string& in) {
    auto write = testing::BindWrite(table, "UPDATE ks.t SET n = n + 1 WHERE k IN " + in);
    EXPECT_EQ(write.error, "");
    std::vector<WrittenStatement> statements;
    statements.push_back({write.plan, std::move(write.bound), std::nullopt});
    auto promise = std::make_shared<std::promise<Outcome>>();
    runner.Run(WriteKind::kStatement, std::move(statements), {},
               [promise](Outcome outcome) { promise->set_value(std::move(outcome)); });
    return promise->get_future();
  }

  std::string keys;
  WriteClock clock{server.rows->times()};
  DelayQueue waits{"test-waits", 16};
  const WriteRunner runner{*server.rows, clock, nullptr, &waits};
};

TEST_F(ThrottledShares, AreSentAgainByThemselves) {
  // Its second is nearly over, so the pause is short.
  Start("(0)").get();
  server.clock.Advance(std::chrono::milliseconds(990));
  std::future<Outcome> outcome = Start();
  server.clock.Advance(std::chrono::seconds(1));
  EXPECT_TRUE(std::holds_alternative<VoidOutcome>(outcome.get().result));
  server.clock.Advance(std::chrono::seconds(5));
  EXPECT_EQ(Read("SELECT n FROM ks.t WHERE k IN " + keys), Rows(kPartitions, "1"));
}

TEST_F(ThrottledShares, TimeOutWhenTheRestIsDone) {
  std::future<Outcome> future = Start();
  waits.Stop();
  const Outcome outcome = future.get();
  const auto* error = std::get_if<CqlError>(&outcome.result);
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(error->code, ErrorCode::kWriteTimeout);
  EXPECT_EQ(error->retry_after_ms, 0u);
  const auto* details = std::get_if<WriteTimeoutDetails>(&error->details);
  ASSERT_NE(details, nullptr);
  EXPECT_EQ(details->write_type, WriteType::kCounter);
}

TEST_F(ThrottledShares, AreTheClientsBusinessWhenNothingWasDone) {
  const std::future<Outcome> before = Start();
  const Outcome outcome = Start().get();
  const auto* error = std::get_if<CqlError>(&outcome.result);
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(error->code, ErrorCode::kOverloaded);
  EXPECT_GT(error->retry_after_ms, 0u);
}

}  // namespace
}  // namespace orrery::cassandra
