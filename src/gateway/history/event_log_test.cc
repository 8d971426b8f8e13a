#include "gateway/history/event_log.h"

#include <gtest/gtest.h>

#include "cluster/system/system_store.h"
#include "gateway/test_server.h"

namespace orrery::gateway {
namespace {

Event Split(std::string container, uint64_t before) {
  Event event;
  event.kind = "split";
  event.time_ms = 1'700'000'000'000;
  event.database = "shop";
  event.container = std::move(container);
  event.container_ids = {3, 4};
  event.before = {before};
  event.after = {before + 1, before + 2};
  event.why = "load";
  event.pause_ms = 6.25;
  return event;
}

class EventLogTest : public testing::Test {
 protected:
  EventLogTest() { Open(); }
  void Open() {
    store_.reset();
    auto opened = cluster::SystemStore::Open(resources_, directory_.string() + "/system");
    ASSERT_TRUE(opened.has_value()) << opened.error().ToString();
    store_ = *std::move(opened);
  }
  ~EventLogTest() override {
    store_.reset();
    std::filesystem::remove_all(directory_);
  }

  static std::filesystem::path MakeDirectory() {
    std::string pattern = testing::TempDir() + "events-XXXXXX";
    EXPECT_NE(mkdtemp(pattern.data()), nullptr);
    return pattern;
  }

  const std::filesystem::path directory_ = MakeDirectory();
  storage::EngineResources resources_;
  std::unique_ptr<cluster::SystemStore> store_;
};

TEST_F(EventLogTest, EventsSurviveAndAreFound) {
  std::vector<Event> events = {Split("orders", 1), Split("users", 7)};
  {
    EventLog log(*store_);
    ASSERT_TRUE(log.Load().has_value());
    ASSERT_TRUE(log.Add(events).has_value());
    EXPECT_GT(events[0].number, 0u);
    EXPECT_GT(events[1].number, events[0].number);
  }
  Open();
  EventLog log(*store_);
  ASSERT_TRUE(log.Load().has_value());
  EXPECT_EQ(log.Newest({}), (std::vector<Event>{events[1], events[0]}));
  EXPECT_EQ(log.last_number(), events[1].number);
  EXPECT_EQ(log.Newest({.after = events[0].number}), std::vector{events[1]});
  EXPECT_EQ(log.Newest({.database = "shop", .container = "orders"}), std::vector{events[0]});
  EXPECT_EQ(log.Newest({.database = "other"}).size(), 0u);
  // Also by the container's id, as several containers' events have no name.
  EXPECT_EQ(log.Newest({.database = "x", .container = "y", .container_id = ContainerId(4)}).size(),
            2u);
  EXPECT_EQ(log.Newest({.count_max = 1}).size(), 1u);
}

TEST_F(EventLogTest, TheOldestAreForgotten) {
  EventLog log(*store_);
  ASSERT_TRUE(log.Load().has_value());
  for (int round = 0; round < 60; ++round) {
    std::vector<Event> events(200, Split("orders", 1));
    ASSERT_TRUE(log.Add(events).has_value());
  }
  const auto kept = log.Newest({.count_max = 100'000});
  EXPECT_LE(kept.size(), EventLog::kEventsMax);
  EXPECT_GT(kept.size(), 1'000u);
  size_t stored = 0;
  size_t bytes = 0;
  ASSERT_TRUE(store_
                  ->ForEach(kEventPrefix,
                            [&](std::string_view, std::string_view value) -> Status {
                              ++stored;
                              bytes += value.size();
                              return {};
                            })
                  .has_value());
  EXPECT_EQ(stored, kept.size());
  EXPECT_LE(bytes, EventLog::kEventBytesMax);
}

TEST_F(EventLogTest, WhoWaitsIsToldOnce) {
  EventLog log(*store_);
  ASSERT_TRUE(log.Load().has_value());
  int orders = 0;
  int late = 0;
  int stopped = 0;
  log.Await({.database = "shop", .container = "orders"}, Micros(100), [&] { ++orders; });
  log.Await({.database = "none"}, Micros(100), [&] { ++late; });
  std::vector<Event> events = {Split("orders", 1)};
  ASSERT_TRUE(log.Add(events).has_value());
  EXPECT_EQ(orders, 1);
  EXPECT_EQ(late, 0);
  log.Expire(Micros(99));
  EXPECT_EQ(late, 0);
  log.Expire(Micros(100));
  EXPECT_EQ(late, 1);
  // There is one already: at once.
  log.Await({}, Micros(500), [&] { ++orders; });
  EXPECT_EQ(orders, 2);
  log.Await({.after = 1'000}, Micros(500), [&] { ++stopped; });
  log.Stop();
  EXPECT_EQ(stopped, 1);
  log.Await({.after = 1'000}, Micros(500), [&] { ++stopped; });
  EXPECT_EQ(stopped, 2);
}

TEST(EventTest, WhatWasStoredComesBack) {
  Event event = Split("orders", 1);
  event.begins = 9;
  event.ended_ms = 12;
  event.refused = 100;
  event.hottest = R"(["ann"])";
  event.what = "throughput";
  event.text = "400 RU/s to 1000 RU/s";
  event.from_node = 2;
  event.to_node = 3;
  EXPECT_EQ(DecodeEvent(EncodeEvent(event)), event);
  EXPECT_EQ(EventNumber(EventKey(77)), 77u);
  EXPECT_EQ(EventNumber("event/short"), 0u);
  // Texts are cut at a character.
  event.text = std::string(kEventTextBytesMax - 1, 'x') + "\xc3\xa9";
  EXPECT_EQ(DecodeEvent(EncodeEvent(event))->text, std::string(kEventTextBytesMax - 1, 'x'));
  EXPECT_FALSE(DecodeEvent("nonsense").has_value());
}

}  // namespace
}  // namespace orrery::gateway
