// Merges of partitions that several containers share.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gateway/test_server.h"

namespace orrery::gateway {
namespace {

constexpr int kItems = 60;

class SharedMergeTest : public ::testing::Test {
 protected:
  void Make(partition::ThroughputSettings shared) {
    ASSERT_TRUE(server_.catalog->CreateDatabase("db", shared).has_value());
    for (const char* name : {"orders", "books"}) {
      const ContainerRef container = server_.MakeContainer(name);
      for (int i = 0; i < kItems; ++i) {
        const WriteResponse written =
            server_.Put(container, fmt::format(R"({{"id": "{0}", "pk": "k{0}"}})", i));
        ASSERT_TRUE(written.status.has_value()) << written.status.error().ToString();
        server_.clock.Advance(std::chrono::seconds(1));
      }
    }
  }
  std::vector<PartitionId> Partitions() {
    std::vector<PartitionId> ids;
    for (const auto& range : server_.node->topology()->map->Ranges(server_.Find("orders")->id))
      ids.push_back(range.partition);
    return ids;
  }
  void ExpectAllThere() {
    for (const char* name : {"orders", "books"}) {
      const ContainerRef container = server_.Find(name);
      for (int i = 0; i < kItems; ++i) {
        server_.clock.Advance(std::chrono::seconds(1));
        ASSERT_TRUE(
            server_.Get(container, fmt::format("k{}", i), fmt::format("{}", i)).status.has_value())
            << name << " " << i;
      }
      ScanSpec all;
      all.limits.items_max = 2 * kItems;
      EXPECT_EQ(server_.gateway->Scan(container, all, "")->items.size(), kItems);
    }
  }

  TestServer server_{SmallPartitions()};
};

TEST_F(SharedMergeTest, PartitionsOfADatabase) {
  Make(partition::ThroughputSettings::Manual(2'000));
  const auto pair = Partitions();
  ASSERT_EQ(pair.size(), 2u);
  const auto merged = server_.node->Merge(pair[0], pair[1]);
  ASSERT_TRUE(merged.has_value()) << merged.error().ToString();
  EXPECT_EQ(Partitions(), std::vector{*merged});
  ExpectAllThere();
  server_.Restart();
  ExpectAllThere();
}

TEST_F(SharedMergeTest, PartitionsOfTheSharedPool) {
  Make({});
  const auto whole = Partitions();
  ASSERT_EQ(whole.size(), 1u);
  const auto split = server_.node->Split(whole[0], std::nullopt);
  ASSERT_TRUE(split.has_value()) << split.error().ToString();
  server_.node->WaitForBackground();
  const auto merged = server_.node->Merge(split->children[1], split->children[0]);
  ASSERT_TRUE(merged.has_value()) << merged.error().ToString();
  ExpectAllThere();
  server_.Restart();
  ExpectAllThere();
}

}  // namespace
}  // namespace orrery::gateway
