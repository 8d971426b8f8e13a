#include "api/cassandra/system/traces/traces_keyspace.h"

#include <gtest/gtest.h>

#include "api/cassandra/system/system_testing.h"

namespace orrery::cassandra {
namespace {

using namespace testing;

std::string Key(const Uuid& id) { return std::string(id.begin(), id.end()); }

class TracesKeyspaceTest : public ::testing::Test {
 protected:
  TracesKeyspaceTest() {
    SystemFacts facts = SomeFacts();
    facts.traces = &traces_;
    tables_ = std::make_unique<SystemTables>(facts);
    traces_.Begin(kId, "QUERY", "Execute CQL3 query", {{"query", "SELECT 1"}}, Loopback(0).address);
    traces_.Event(kId, "Parsing", Micros(4));
    traces_.Event(kId, "Reading", Micros(9));
    traces_.Begin(Uuid{9}, "BATCH", "Execute batch", {}, {});
  }

  static constexpr Uuid kId{0xab};
  ManualClock clock_;
  TraceStore traces_{clock_, 1};
  std::unique_ptr<SystemTables> tables_;
};

TEST_F(TracesKeyspaceTest, DriversWaitForTheDuration) {
  auto rows = tables_->Read("system_traces", "sessions", {{Key(kId)}});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].at("duration"), "null");
  traces_.End(kId, Micros(321));
  rows = tables_->Read("system_traces", "sessions", {{Key(kId), Key(kId)}});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].at("session_id"), "ab000000-0000-0000-0000-000000000000");
  EXPECT_EQ(rows[0].at("duration"), "321");
  EXPECT_EQ(rows[0].at("client"), "'127.0.0.1'");
  EXPECT_EQ(rows[0].at("coordinator_port"), "7000");
  EXPECT_EQ(rows[0].at("parameters"), "{'query': 'SELECT 1'}");
  EXPECT_EQ(rows[0].at("started_at"), "'2023-11-14T22:13:20.000Z'");
}

TEST_F(TracesKeyspaceTest, Events) {
  const auto rows = tables_->Read("system_traces", "events", {{Key(kId)}});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].at("activity"), "'Reading'");
  EXPECT_EQ(rows[1].at("source_elapsed"), "9");
  EXPECT_EQ(rows[1].at("source"), "'127.0.0.1'");
}

TEST_F(TracesKeyspaceTest, AllSessionsOrNone) {
  EXPECT_EQ(tables_->Read("system_traces", "sessions").size(), 2U);
  EXPECT_TRUE(tables_->Read("system_traces", "sessions", {{"no uuid"}}).empty());
  EXPECT_TRUE(tables_->Read("system_traces", "sessions", {{Key(Uuid{5})}}).empty());
}

}  // namespace
}  // namespace orrery::cassandra
