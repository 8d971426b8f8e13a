// Pages of scans and feeds, over several partitions and across splits.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <set>
#include <thread>

#include "gateway/gateway.h"
#include "gateway/test_server.h"

namespace orrery::gateway {
namespace {

using partition::ThroughputSettings;

std::string IdOf(model::DocumentView document) {
  return std::string(document.Find("id")->AsString());
}

ContainerRef Fill(TestServer& server, int items, ThroughputSettings throughput) {
  const ContainerRef container = server.MakeContainer("c", throughput);
  for (int i = 0; i < items; ++i) {
    EXPECT_TRUE(
        server.Put(container, fmt::format(R"({{"id": "{}", "pk": "k{}", "n": {}}})", i, i % 37, i))
            .status);
    if (i % 50 == 49) server.clock.Advance(std::chrono::seconds(1));
  }
  server.clock.Advance(std::chrono::seconds(2));
  return container;
}

// All pages; each id must come once.
std::set<std::string> ScanAll(
    TestServer& server, const ContainerRef& container, const ScanSpec& spec,
    const std::function<void(int page)>& between = [](int) {}) {
  std::set<std::string> ids;
  std::string continuation;
  for (int page = 0; page < 1'000; ++page) {
    const auto response = server.gateway->Scan(container, spec, continuation);
    EXPECT_TRUE(response.has_value()) << response.error().ToString();
    if (!response.has_value()) break;
    EXPECT_LE(response->items.size(), spec.limits.items_max);
    for (const item::ScannedItem& item : response->items) {
      EXPECT_TRUE(ids.insert(IdOf(item.document)).second) << "twice: " << IdOf(item.document);
    }
    continuation = response->continuation;
    if (continuation.empty()) break;
    between(page);
    server.clock.Advance(std::chrono::seconds(1));
  }
  return ids;
}

PartitionId PartitionWithMost(TestServer& server, ContainerId container) {
  PartitionId best;
  int64_t items = -1;
  const auto topology = server.node->topology();
  for (const auto& range : topology->map->Ranges(container)) {
    const int64_t here = topology->Find(range.partition)->ledger().Sum().items;
    if (here > items) {
      items = here;
      best = range.partition;
    }
  }
  return best;
}

Result<cluster::SplitResult> SplitLargest(TestServer& server, ContainerId container) {
  server.node->WaitForBackground();  // a child is trimmed before it can split again
  return server.node->Split(PartitionWithMost(server, container), std::nullopt);
}

TEST(GatewayPages, ScanOverThreePartitions) {
  TestServer server(SmallPartitions());
  const ContainerRef container = Fill(server, 200, ThroughputSettings::Manual(3'000));
  for (const size_t page_size : {1'000u, 7u}) {
    ScanSpec spec;
    spec.limits.items_max = page_size;
    EXPECT_EQ(ScanAll(server, container, spec).size(), 200u);
  }
  ScanSpec spec;
  spec.limits.items_max = 1'000;
  const auto all = server.gateway->Scan(container, spec, "");
  ASSERT_TRUE(all.has_value());
  EXPECT_EQ(all->partitions_visited, 3u);
  EXPECT_EQ(std::ranges::count(all->session, ','), 2);
  for (size_t i = 1; i < all->items.size(); ++i) {
    EXPECT_LE(all->items[i - 1].key.hash, all->items[i].key.hash) << "ring order";
  }
}

TEST(GatewayPages, APartOfTheRing) {
  TestServer server(SmallPartitions());
  const ContainerRef container = Fill(server, 200, ThroughputSettings::Manual(3'000));
  const auto topology = server.node->topology();
  std::set<std::string> all;
  for (const auto& entry : topology->map->Ranges(container->id)) {
    for (const partition::HashRange& half : {entry.range.CutAt(entry.range.Midpoint()).first,
                                             entry.range.CutAt(entry.range.Midpoint()).second}) {
      ScanSpec spec;
      spec.range = half;
      spec.limits.items_max = 7;
      all.merge(ScanAll(server, container, spec));
      const auto page = server.gateway->Scan(container, spec, "");
      ASSERT_TRUE(page.has_value());
      EXPECT_LE(page->partitions_visited, 1u);
      for (const auto& item : page->items) EXPECT_TRUE(half.Contains(item.key.hash));
    }
  }
  EXPECT_EQ(all.size(), 200u);

  ScanSpec one;
  one.partition_key = KeyValues{model::Value::String("k5")};
  const Hash128 at = server.gateway->RoutePartitionKey(*container, *one.partition_key)->hash;
  one.range = partition::HashRange::Inclusive(at, at);
  EXPECT_EQ(ScanAll(server, container, one).size(), 6u);
  one.range = partition::HashRange::Inclusive(at.Next(), Hash128::Max());
  EXPECT_EQ(ScanAll(server, container, one).size(), 0u);
}

TEST(GatewayPages, WhatGoesOnIsNotThrottled) {
  TestServer server;
  const ContainerRef container = Fill(server, 100, ThroughputSettings::Manual(400));
  ScanSpec spec;
  int pages = 0;
  while (server.gateway->Scan(container, spec, "").has_value()) ++pages;
  EXPECT_GT(pages, 0);
  spec.goes_on = true;
  const auto page = server.gateway->Scan(container, spec, "");
  ASSERT_TRUE(page.has_value()) << page.error().ToString();
  EXPECT_EQ(page->items.size(), 100u);
  spec.goes_on = false;
  EXPECT_EQ(server.gateway->Scan(container, spec, "").error().code(), Code::kThrottled);
}

TEST(GatewayPages, FilterGoesThroughEverything) {
  TestServer server(SmallPartitions());
  const ContainerRef container = Fill(server, 200, ThroughputSettings::Manual(3'000));
  auto condition = model::Expression::Apply(
      model::Operator::kGreaterOrEqual, {model::Expression::Reference(*model::Path::Parse("/n")),
                                         model::Expression::Literal(model::Value::Int32(190))});
  ASSERT_TRUE(condition.has_value());
  ScanSpec spec;
  spec.filter = std::make_shared<const model::Expression>(*condition);
  EXPECT_EQ(ScanAll(server, container, spec).size(), 10u);
  spec.limits.examined_max = 20;
  EXPECT_EQ(ScanAll(server, container, spec).size(), 10u);
}

TEST(GatewayPages, OneLogicalPartition) {
  TestServer server(SmallPartitions());
  const ContainerRef container = Fill(server, 100, ThroughputSettings::Manual(3'000));
  ScanSpec spec;
  spec.partition_key = KeyValues{model::Value::String("k5")};
  spec.limits.items_max = 2;
  EXPECT_EQ(ScanAll(server, container, spec), (std::set<std::string>{"5", "42", "79"}));
  spec.limits.items_max = 100;
  spec.descending = true;
  const auto page = server.gateway->Scan(container, spec, "");
  ASSERT_TRUE(page.has_value());
  ASSERT_EQ(page->items.size(), 3u);
  EXPECT_EQ(IdOf(page->items[0].document), "79");
  spec.partition_key.reset();
  EXPECT_EQ(server.gateway->Scan(container, spec, "").error().code(), Code::kInvalidArgument);
}

TEST(GatewayPages, PrefixOfAHierarchicalKey) {
  TestServer server;
  ASSERT_TRUE(server.catalog->CreateDatabase("db", {}).has_value());
  ContainerSettings settings;
  settings.name = "c";
  settings.partition_key_paths = {"/tenant", "/user"};
  settings.hashing = partition::KeyHashing::kMultiHash;
  const ContainerRef container = *server.catalog->CreateContainer("db", settings);
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(server
                    .Put(container,
                         fmt::format(R"({{"id": "{}", "tenant": "t{}", "user": {}}})", i, i % 3, i))
                    .status);
  }
  ScanSpec spec;
  spec.partition_key = KeyValues{model::Value::String("t1")};
  EXPECT_EQ(ScanAll(server, container, spec).size(), 10u);
}

TEST(GatewayPages, ContinuationsAreBoundToTheirQuestion) {
  TestServer server;
  const ContainerRef container = Fill(server, 10, {});
  const ContainerRef other = server.MakeContainer("other");
  ScanSpec spec;
  spec.limits.items_max = 3;
  const auto page = server.gateway->Scan(container, spec, "");
  ASSERT_TRUE(page.has_value());
  ASSERT_FALSE(page->continuation.empty());
  EXPECT_EQ(server.gateway->Scan(other, spec, page->continuation).error().code(),
            Code::kInvalidArgument);
  EXPECT_EQ(server.gateway->Scan(container, spec, "garbage").error().code(),
            Code::kInvalidArgument);
  EXPECT_EQ(server.gateway->ReadFeed(container, {}, page->continuation).error().code(),
            Code::kInvalidArgument);
  ScanSpec narrower = spec;
  narrower.partition_key = KeyValues{model::Value::String("k1")};
  EXPECT_EQ(server.gateway->Scan(container, narrower, page->continuation).error().code(),
            Code::kInvalidArgument);
}

TEST(GatewayPages, ScansSurviveSplits) {
  TestServer server(SmallPartitions());
  const ContainerRef container = Fill(server, 200, ThroughputSettings::Manual(1'000));
  ScanSpec spec;
  spec.limits.items_max = 9;
  const auto ids = ScanAll(server, container, spec, [&](int page) {
    if (page == 1 || page == 5 || page == 9) {
      const auto split = SplitLargest(server, container->id);
      ASSERT_TRUE(split.has_value()) << split.error().ToString();
    }
  });
  EXPECT_EQ(ids.size(), 200u);
  EXPECT_EQ(server.node->topology()->map->Ranges(container->id).size(), 4u);
}

TEST(GatewayPages, SessionsSurviveSplits) {
  TestServer server;
  const ContainerRef container = Fill(server, 50, {});
  const WriteResponse written = server.Put(container, R"({"id": "last", "pk": "k1"})");
  ASSERT_TRUE(SplitLargest(server, container->id).has_value());
  EXPECT_TRUE(server.Get(container, "k1", "last", written.session).status.has_value());
  std::string ahead = written.session;
  ahead += "000";
  EXPECT_EQ(server.Get(container, "k1", "last", ahead).status.error().code(), Code::kUnavailable);
}

// Every change once, in order within a key, whatever happens to the partitions.
std::map<std::string, int> ReadWholeFeed(
    TestServer& server, const ContainerRef& container, std::string& continuation, size_t page_size,
    const std::function<void(int page)>& between = [](int) {}) {
  std::map<std::string, int> last;
  FeedSpec spec;
  spec.limits.items_max = page_size;
  for (int page = 0; page < 1'000; ++page) {
    const auto response = server.gateway->ReadFeed(container, spec, continuation);
    EXPECT_TRUE(response.has_value()) << response.error().ToString();
    if (!response.has_value()) break;
    for (const item::FeedEntry& entry : response->entries) {
      const int n = static_cast<int>(entry.document->view().Find("n")->AsInteger());
      const auto [known, fresh] = last.try_emplace(IdOf(*entry.document), n);
      EXPECT_TRUE(fresh || known->second < n) << known->first << " went back or came twice";
      known->second = n;
    }
    continuation = response->continuation;
    if (response->drained) break;
    between(page);
    server.clock.Advance(std::chrono::seconds(1));
  }
  return last;
}

TEST(GatewayPages, FeedOverPartitionsAndSplits) {
  TestServer server(SmallPartitions());
  const ContainerRef container = Fill(server, 150, ThroughputSettings::Manual(2'000));
  std::string continuation;
  const auto seen = ReadWholeFeed(server, container, continuation, 10, [&](int page) {
    if (page == 2 || page == 6) {
      ASSERT_TRUE(SplitLargest(server, container->id).has_value());
    }
  });
  EXPECT_EQ(seen.size(), 150u);

  EXPECT_TRUE(ReadWholeFeed(server, container, continuation, 10).empty());
  ASSERT_TRUE(SplitLargest(server, container->id).has_value());
  ASSERT_TRUE(server.Put(container, R"({"id": "new", "pk": "k3", "n": 1})").status);
  EXPECT_EQ(ReadWholeFeed(server, container, continuation, 10).size(), 1u);
}

TEST(GatewayPages, FeedIsFairToQuietPartitions) {
  TestServer server(SmallPartitions());
  const ContainerRef container = Fill(server, 90, ThroughputSettings::Manual(3'000));
  FeedSpec spec;
  spec.limits.items_max = 9;
  const auto page = server.gateway->ReadFeed(container, spec, "");
  ASSERT_TRUE(page.has_value());
  const auto topology = server.node->topology();
  std::set<PartitionId> partitions;
  for (const item::FeedEntry& entry : page->entries) {
    partitions.insert(topology->Route(container->id, entry.key.hash)->id());
  }
  EXPECT_EQ(partitions.size(), 3u);
}

TEST(GatewayPages, FeedStartsNowOrAtATime) {
  TestServer server(SmallPartitions());
  const ContainerRef container = Fill(server, 60, ThroughputSettings::Manual(2'000));
  FeedSpec spec;
  spec.start = FeedSpec::Start::kNow;
  const auto now = server.gateway->ReadFeed(container, spec, "");
  ASSERT_TRUE(now.has_value());
  EXPECT_TRUE(now->entries.empty() && now->drained);

  server.clock.Advance(std::chrono::seconds(10));
  const Micros timers = server.clock.Now();
  ASSERT_TRUE(server.Put(container, R"({"id": "x", "pk": "k1", "n": 1})").status);
  EXPECT_EQ(server.gateway->ReadFeed(container, spec, now->continuation)->entries.size(), 1u);
  spec.start = FeedSpec::Start::kTime;
  spec.start_time = timers;
  EXPECT_EQ(server.gateway->ReadFeed(container, spec, "")->entries.size(), 1u);
  spec.partition_key = KeyValues{model::Value::String("k2")};
  EXPECT_TRUE(server.gateway->ReadFeed(container, spec, "")->entries.empty());
}

std::shared_ptr<const model::Expression> NumberIs(int64_t n) {
  using model::Expression;
  return std::make_shared<const Expression>(*Expression::Apply(
      model::Operator::kEqual,
      {Expression::Field(model::Path({"n"})), Expression::Literal(model::Value::Int64(n))}));
}

TEST(GatewayPages, FeedWithAFilterTellsOnlyWhatMatches) {
  TestServer server(SmallPartitions());
  const ContainerRef container = Fill(server, 60, ThroughputSettings::Manual(2'000));
  ASSERT_TRUE(server.Put(container, R"({"id": "x", "pk": "k1", "n": -7})").status);
  FeedSpec spec;
  spec.filter = NumberIs(-7);
  spec.limits.items_max = 5;
  std::vector<std::string> ids;
  std::string continuation;
  RequestUnits charge;
  for (bool drained = false; !drained;) {
    const auto page = server.gateway->ReadFeed(container, spec, continuation);
    ASSERT_TRUE(page.has_value()) << page.error().ToString();
    for (const item::FeedEntry& entry : page->entries) ids.push_back(IdOf(*entry.document));
    continuation = page->continuation;
    charge += page->charge;
    drained = page->drained;
  }
  EXPECT_THAT(ids, testing::ElementsAre("x"));
  spec.filter = nullptr;
  spec.limits.items_max = 1'000;
  EXPECT_GE(charge, server.gateway->ReadFeed(container, spec, "")->charge)
      << "what the filter rejects is read as well";
  EXPECT_TRUE(server.gateway->ReadFeed(container, spec, continuation)->entries.empty())
      << "a position is good with another filter";
}

TEST(GatewayPages, WritersDoNotNoticeSplits) {
  TestServer server;
  const ContainerRef container = server.MakeContainer("c");
  constexpr int kWriters = 3;
  constexpr int kWrites = 150;
  std::atomic<int> failed{0};
  std::vector<std::thread> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, writer] {
      for (int i = 0; i < kWrites; ++i) {
        const auto response = server.Put(
            container,
            fmt::format(R"({{"id": "{}-{}", "pk": "k{}", "n": {}}})", writer, i, i % 29, i));
        if (!response.status.has_value()) {
          ++failed;
          ADD_FAILURE() << response.status.error().ToString();
        }
      }
    });
  }
  for (int split = 0; split < 3; ++split) {
    const auto result = SplitLargest(server, container->id);
    // Too little written yet to cut.
    if (!result.has_value())
      EXPECT_EQ(result.error().code(), Code::kPreconditionFailed) << result.error().ToString();
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(failed, 0);
  ScanSpec spec;
  spec.limits.items_max = 40;
  EXPECT_EQ(ScanAll(server, container, spec).size(), static_cast<size_t>(kWriters * kWrites));
  std::string continuation;
  EXPECT_EQ(ReadWholeFeed(server, container, continuation, 40).size(),
            static_cast<size_t>(kWriters * kWrites));
}

}  // namespace
}  // namespace orrery::gateway
