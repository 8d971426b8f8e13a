#include "api/cassandra/executor/statement/request_trace.h"

#include <gtest/gtest.h>

namespace orrery::cassandra {
namespace {

constexpr Uuid kSession = {1, 2, 3};

class RequestTraceTest : public ::testing::Test {
 protected:
  RequestTrace Begin(std::optional<Uuid> session, std::string_view query = "SELECT 1") {
    const MessageContext context{std::make_shared<const Client>(), {}, session, no_limits_};
    return {store_,
            clock_,
            context,
            {.command = "QUERY",
             .request = "Execute CQL3 query",
             .query = query,
             .context = &statement_,
             .page_rows = 100}};
  }
  // Returns the last event of the trace for an outcome.
  std::string LastEventOf(Outcome outcome) {
    Begin(kSession).Ending([](Outcome) {})(std::move(outcome));
    return store_.Find(kSession)->events.back().activity;
  }

  ManualClock clock_;
  TraceStore store_{clock_, 1};
  StatementContext statement_;
  const RequestContext no_limits_;
};

TEST_F(RequestTraceTest, DoesNothingUnlessAsked) {
  const RequestTrace trace = Begin(std::nullopt);
  EXPECT_FALSE(trace.active());
  trace.Event("something");
  bool answered = false;
  trace.Ending([&](Outcome) { answered = true; })(Outcome{});
  EXPECT_TRUE(answered);
  EXPECT_TRUE(store_.All().empty());
}

TEST_F(RequestTraceTest, HidesPasswords) {
  const auto recorded = [this](std::string_view query) {
    Begin(kSession, query);
    return store_.Find(kSession)->parameters.at("query");
  };
  EXPECT_EQ(recorded("ALTER ROLE x WITH PASSWORD = 'secret' AND LOGIN = true"),
            "ALTER ROLE x WITH PASSWORD *******");
  EXPECT_EQ(recorded("create user x with password $$secret$$"),
            "create user x with password *******");
  EXPECT_EQ(recorded("SELECT password FROM t"), "SELECT password FROM t");
}

TEST_F(RequestTraceTest, RecordsWhatWasAskedAndWhen) {
  const RequestTrace trace = Begin(kSession);
  EXPECT_TRUE(trace.active());
  clock_.Advance(Micros(30));
  trace.Event("Parsed");
  const auto session = store_.Find(kSession);
  ASSERT_TRUE(session.has_value());
  EXPECT_EQ(session->command, "QUERY");
  EXPECT_EQ(session->request, "Execute CQL3 query");
  EXPECT_EQ(session->parameters.at("query"), "SELECT 1");
  EXPECT_EQ(session->parameters.at("consistency_level"), "ONE");
  EXPECT_EQ(session->parameters.at("serial_consistency_level"), "SERIAL");
  EXPECT_EQ(session->parameters.at("page_size"), "100");
  EXPECT_FALSE(session->duration.has_value());
  ASSERT_EQ(session->events.size(), 1u);
  EXPECT_EQ(session->events[0].activity, "Parsed");
  EXPECT_EQ(session->events[0].elapsed, Micros(30));
}

TEST_F(RequestTraceTest, HasEndedWhenTheAnswerComes) {
  const RequestTrace trace = Begin(kSession);
  clock_.Advance(Micros(50));
  std::optional<Micros> duration;
  trace.Ending([&](Outcome) { duration = store_.Find(kSession)->duration; })(Outcome{});
  EXPECT_EQ(duration, Micros(50));
}

TEST_F(RequestTraceTest, SaysWhatCameOut) {
  Outcome done;
  done.charge = RequestUnits::Whole(5);
  EXPECT_EQ(LastEventOf(std::move(done)), "Done, for 5.00 RU");
  EXPECT_EQ(LastEventOf(Outcome::Failed({ErrorCode::kInvalid, "no", {}, 0})), "Refused: no");
  Outcome rows;
  rows.result = RowsOutcome{nullptr, "abcd", 2, {}, {}};
  EXPECT_EQ(LastEventOf(std::move(rows)), "Answered with 2 rows of 4 bytes, for 0.00 RU");
}

TEST_F(RequestTraceTest, EndsWithItsLastEvent) {
  const RequestTrace trace = Begin(kSession);
  clock_.Advance(Micros(20));
  trace.End("Prepared");
  const auto session = store_.Find(kSession);
  ASSERT_TRUE(session.has_value());
  EXPECT_EQ(session->duration, Micros(20));
  EXPECT_EQ(session->events.back().activity, "Prepared");
}

}  // namespace
}  // namespace orrery::cassandra
