// Emptying a table at once.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "gateway/row/row_testing.h"

namespace orrery::gateway {
namespace {

using Names = std::vector<std::string>;
using partition::ThroughputSettings;
using storage::ReadMode;

class RowTruncate : public RowTable {
 protected:
  RowTruncate() : RowTable(SmallPartitions()) {}

  ContainerRef MakeOwn(ThroughputSettings throughput) {
    table = MakeTable({ByName(1)});
    ContainerSettings settings = table->settings;
    settings.name = "own";
    settings.throughput = throughput;
    settings.extra = Json(R"({"api": 1})");
    auto created = server.catalog->CreateContainer("ks", settings);
    EXPECT_TRUE(created.has_value()) << created.error().ToString();
    return *created;
  }
  ContainerRef Truncate(std::string_view name) {
    auto truncated = server.catalog->TruncateContainer("ks", name);
    EXPECT_TRUE(truncated.has_value()) << truncated.error().ToString();
    return *truncated;
  }
};

TEST_F(RowTruncate, EmptiesAndTakesNewRows) {
  table = MakeTable({ByName(1)});
  for (int32_t c = 0; c < 10; ++c) ASSERT_TRUE(Write("k", Insert(Clustering(c), 1, "old")));
  const ContainerRef former = table;
  table = Truncate("t");
  EXPECT_NE(table->id, former->id);
  EXPECT_EQ(table->settings, former->settings);
  EXPECT_EQ(ScanAll({}), Names{});
  EXPECT_EQ(NameOf("k", Clustering(1)), "-");
  // The same time and key: nothing of the former data, deletions included, is left to decide.
  ASSERT_TRUE(Write("k", Insert(Clustering(1), 1, "new")));
  EXPECT_EQ(ScanAll({}), Names{"new"});
  RowScanSpec spec;
  spec.index = {.id = item::NamedIndexId(1), .value = item::RowTermValue("old")};
  EXPECT_EQ(ScanAll(spec), Names{});

  server.node->Maintain();
  server.node->WaitForBackground();
  server.Restart();
  table = Newest();
  EXPECT_EQ(ScanAll({}), Names{"new"});
  for (const auto& [id, partition] : server.node->topology()->hosted) {
    EXPECT_FALSE(partition->ledger().ByContainer().contains(former->id));
  }
}

TEST_F(RowTruncate, WhoHoldsTheFormerEntryIsRedirected) {
  table = MakeTable();
  ASSERT_TRUE(Write("k", Insert(Clustering(1), 1, "old")));
  const ContainerRef former = table;
  Truncate("t");
  Truncate("t");
  EXPECT_EQ(NameOf("k", Clustering(1)), "-");
  ASSERT_TRUE(Write("k", Insert(Clustering(2), 1, "new")));
  EXPECT_EQ(ScanAll({}), Names{"new"});
  table = Newest();
  EXPECT_EQ(ScanAll({}), Names{"new"});

  // Not to another table of the same name.
  ASSERT_TRUE(server.catalog->DropContainer("ks", "t"));
  const ContainerRef other = MakeTable();
  table = former;
  EXPECT_EQ(Write("k", Insert(Clustering(1), 1, "x")).error().code(), Code::kNotFound);
  EXPECT_EQ(server.rows->Read(former, "k", "", false, ReadMode::kMayBlock).error().code(),
            Code::kNotFound);
}

TEST_F(RowTruncate, FormerContinuationsAreRefused) {
  table = MakeTable();
  for (int32_t c = 0; c < 4; ++c) ASSERT_TRUE(Write("k", Insert(Clustering(c), 1, "old")));
  RowScanSpec spec;
  spec.limits.items_max = 2;
  const auto page = server.rows->Scan(table, spec, {}, ReadMode::kMayBlock);
  ASSERT_TRUE(page.has_value());
  ASSERT_FALSE(page->continuation.empty());
  Truncate("t");
  const auto next = server.rows->Scan(table, spec, page->continuation, ReadMode::kMayBlock);
  ASSERT_FALSE(next.has_value());
  EXPECT_EQ(next.error().code(), Code::kInvalidArgument);
}

TEST_F(RowTruncate, KeepsThroughput) {
  const ContainerRef former = MakeOwn(ThroughputSettings::Manual(3000));
  table = former;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(Write(fmt::format("k{}", i), Insert(Clustering(1), 1, "old")));
  }
  table = Truncate("own");
  EXPECT_EQ(table->settings, former->settings);
  EXPECT_EQ(table->highest_throughput, 3000);
  EXPECT_EQ(ScanAll({}), Names{});
  EXPECT_TRUE(server.node->topology()->Of(former->throughput_owner).empty());
  EXPECT_EQ(server.node->topology()->Of(table->throughput_owner).size(), 3u);
  for (const auto& partition : server.node->topology()->Of(table->throughput_owner)) {
    EXPECT_EQ(partition->governor().rate(), RequestUnits::Whole(1000));
  }
  ASSERT_TRUE(Write("k1", Insert(Clustering(1), 1, "new")));
  server.Restart();
  table = *server.catalog->FindContainer("ks", "own");
  EXPECT_EQ(ScanAll({}), Names{"new"});
  EXPECT_EQ(server.node->topology()->Of(table->throughput_owner).size(), 3u);
}

TEST_F(RowTruncate, BuiltIndexesAreReadyAtOnce) {
  table = MakeTable();
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(Write(fmt::format("k{}", i), Insert(Clustering(1), 1, "old")));
  }
  SetIndexes({ByName(1)});
  table = Truncate("t");
  EXPECT_TRUE(table->HasBuiltRowIndex(1));
  ASSERT_TRUE(Write("k", Insert(Clustering(1), 1, "x")));
  RowScanSpec spec;
  spec.index = {.id = item::NamedIndexId(1), .value = item::RowTermValue("x")};
  EXPECT_EQ(ScanAll(spec), Names{"x"});
  server.catalog->WaitForIndexes();
}

TEST_F(RowTruncate, UnderLoadEveryLaterWriteStays) {
  table = MakeTable();
  const ContainerRef former = table;
  std::atomic<bool> stop{false};
  std::vector<std::jthread> writers;
  for (int writer = 0; writer < 3; ++writer) {
    writers.emplace_back([&, writer] {
      for (int32_t c = 0; !stop.load(); c = (c + 1) % 100) {
        RowWriteRequest request{.container = former,
                                .partition_key = fmt::format("busy{}", writer),
                                .changes = {.rows = {Insert(Clustering(c), 1, "x")},
                                            .range_tombstones = {},
                                            .derived_writes = {}},
                                .program = nullptr};
        const Status status = server.rows->WriteAndWait(std::move(request)).status;
        // The moment between two incarnations is a retry for whoever meets it.
        if (!status.has_value()) EXPECT_EQ(status.error().code(), Code::kUnavailable);
      }
    });
  }
  for (int round = 0; round < 20; ++round) {
    ASSERT_TRUE(Write("mine", Insert(Clustering(round), 1, "before")));
    Truncate("t");
    EXPECT_EQ(NameOf("mine", Clustering(round)), "-");
    ASSERT_TRUE(Write("mine", Insert(Clustering(1'000), 1, "after")));
    EXPECT_EQ(NameOf("mine", Clustering(1'000)), "after");
  }
  stop.store(true);
}

}  // namespace
}  // namespace orrery::gateway
