#include "api/cassandra/system/trace_store.h"

#include <gtest/gtest.h>

#include "api/cassandra/types/native/timeuuid.h"

namespace orrery::cassandra {
namespace {

constexpr Uuid kFirst{1};
constexpr Uuid kSecond{2};
constexpr Uuid kThird{3};

class TraceStoreTest : public ::testing::Test {
 protected:
  static void Begin(TraceStore& store, const Uuid& session, std::string_view request = "query") {
    store.Begin(session, "QUERY", request, {{"consistency_level", "ONE"}}, {});
  }

  ManualClock clock_;
};

TEST_F(TraceStoreTest, ASessionHasADurationOnceItEnded) {
  TraceStore store(clock_, 7);
  Begin(store, kFirst, "Execute CQL3 query");
  store.Event(kFirst, "Parsing", Micros(3), "loop-1");
  EXPECT_EQ(store.Find(kFirst)->duration, std::nullopt);
  store.End(kFirst, Micros(250));

  const auto session = store.Find(kFirst);
  ASSERT_TRUE(session.has_value());
  EXPECT_EQ(session->request, "Execute CQL3 query");
  EXPECT_EQ(session->parameters, (OptionMap{{"consistency_level", "ONE"}}));
  EXPECT_EQ(session->started, clock_.Now());
  EXPECT_EQ(session->duration, Micros(250));
  ASSERT_EQ(session->events.size(), 1U);
  EXPECT_EQ(session->events[0].activity, "Parsing");
  EXPECT_EQ(session->events[0].thread, "loop-1");
  EXPECT_EQ(session->events[0].elapsed, Micros(3));
}

TEST_F(TraceStoreTest, EventIdsRiseThoughTheClockStandsStill) {
  TraceStore store(clock_, 7);
  Begin(store, kFirst);
  for (int i = 0; i < 3; ++i) store.Event(kFirst, "step", Micros(i));
  const auto events = store.Find(kFirst)->events;
  ASSERT_EQ(events.size(), 3U);
  for (const TraceEvent& event : events) EXPECT_EQ(UuidVersion(event.id), 1);
  // One time in all but its low part, which leads the bytes.
  EXPECT_LT(events[0].id, events[1].id);
  EXPECT_LT(events[1].id, events[2].id);
}

TEST_F(TraceStoreTest, TheOldestGoWhenThereAreTooMany) {
  TraceStore store(clock_, 7, {.sessions_max = 2});
  Begin(store, kFirst);
  Begin(store, kSecond);
  Begin(store, kThird);
  EXPECT_FALSE(store.Find(kFirst).has_value());
  EXPECT_EQ(store.All().size(), 2U);
  store.Event(kFirst, "late", Micros(1));
  store.End(kFirst, Micros(1));
  EXPECT_FALSE(store.Find(kFirst).has_value());
}

TEST_F(TraceStoreTest, TheOldestGoWhenTextsTakeTooMuch) {
  TraceStore store(clock_, 7, {.bytes_max = 3'000});
  Begin(store, kFirst, std::string(1'000, 'a'));
  Begin(store, kSecond, std::string(1'000, 'b'));
  EXPECT_EQ(store.All().size(), 2U);
  store.Event(kSecond, std::string(1'000, 'c'), Micros(1));
  ASSERT_EQ(store.All().size(), 1U);
  EXPECT_EQ(store.All()[0].id, kSecond);
}

TEST_F(TraceStoreTest, SessionsAreForgottenAfterADay) {
  TraceStore store(clock_, 7);
  Begin(store, kFirst);
  clock_.Advance(std::chrono::hours(24));
  EXPECT_TRUE(store.Find(kFirst).has_value());
  clock_.Advance(Micros(1));
  EXPECT_FALSE(store.Find(kFirst).has_value());
  EXPECT_TRUE(store.All().empty());
}

TEST_F(TraceStoreTest, LongTextsAreCutBetweenCharacters) {
  TraceStore store(clock_, 7, {.events_per_session_max = 1, .text_bytes_max = 4});
  Begin(store, kFirst, "ab\xc3\xa9\xc3\xa9");
  store.Event(kFirst, "abc\xc3\xa9", Micros(1));
  store.Event(kFirst, "one too many", Micros(2));
  const auto session = store.Find(kFirst);
  EXPECT_EQ(session->request, "ab\xc3\xa9");
  ASSERT_EQ(session->events.size(), 1U);
  EXPECT_EQ(session->events[0].activity, "abc");
}

TEST_F(TraceStoreTest, BeginningAgainForgetsWhatWas) {
  TraceStore store(clock_, 7);
  Begin(store, kFirst, "one");
  store.Event(kFirst, "step", Micros(1));
  Begin(store, kFirst, "two");
  ASSERT_EQ(store.All().size(), 1U);
  EXPECT_EQ(store.All()[0].request, "two");
  EXPECT_TRUE(store.All()[0].events.empty());
}

}  // namespace
}  // namespace orrery::cassandra
