// Index builds and reports where some partitions are another node's.
#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "gateway/index_builds.h"
#include "gateway/remote/cluster_testing.h"
#include "gateway/row/row_testing.h"
#include "gateway/view/container_ranges.h"
#include "gateway/view/inspection.h"
#include "item/row/row_index.h"

namespace orrery::gateway {
namespace {

using cluster::PeerMethod;

constexpr uint32_t kByName = 1;
constexpr int kIndexedRows = 300;  // several batches in each of four partitions

class RemoteIndexes : public testing::Test {
 protected:
  RemoteIndexes() {
    Catalog& catalog = cluster.core(1).catalog();
    EXPECT_TRUE(catalog.CreateDatabase("ks", {}).has_value());
    ContainerSettings settings;
    settings.name = "t";
    settings.partition_key_paths = {"/k"};
    settings.hashing = partition::KeyHashing::kCassandra;
    settings.order = model::Order::kCql;
    settings.indexing.automatic = false;
    settings.rows.emplace();
    settings.rows->indexes = {
        {.id = kByName, .target = item::RowIndexTarget::kValue, .column = kName}};
    settings.throughput = partition::ThroughputSettings::Manual(4'000);
    auto created = catalog.CreateContainer("ks", settings);
    EXPECT_TRUE(created.has_value()) << created.error().ToString();
    for (int i = 0; i < kIndexedRows; ++i) {
      item::RowChanges changes;
      changes.rows.push_back(Insert("", 5, "same"));
      EXPECT_TRUE(cluster.core(1)
                      .rows()
                      .WriteAndWait({.container = *created,
                                     .partition_key = "k" + std::to_string(i),
                                     .changes = std::move(changes),
                                     .program = nullptr})
                      .status.has_value());
      cluster.clock.Advance(std::chrono::milliseconds(100));
    }
    cluster.Spread(2);
  }

  ContainerRef At(uint64_t node) { return cluster.Find(node, "ks", "t"); }
  size_t FoundByIndex(uint64_t node, uint32_t index = kByName) {
    RowScanSpec spec;
    spec.index = {item::NamedIndexId(index), item::RowTermValue("same")};
    spec.limits.items_max = kIndexedRows;
    size_t rows = 0;
    std::string continuation;
    do {
      auto page = cluster.core(node).rows().Scan(At(node), spec, continuation,
                                                 storage::ReadMode::kMayBlock);
      EXPECT_TRUE(page.has_value()) << page.error().ToString();
      if (!page.has_value()) return rows;
      rows += page->rows;
      continuation = page->continuation;
      cluster.clock.Advance(std::chrono::seconds(1));
    } while (!continuation.empty());
    return rows;
  }
  // As if it had just been dropped, or added.
  void Run(RowIndexWork work) {
    bool finished = false;
    {
      IndexBuilds builds(
          [&](const IndexBuild&) {
            finished = true;
            return Status();
          },
          [](const IndexBuild&) { return Status(); });
      builds.Start({cluster.core(1).node(), cluster.core(1).remote()},
                   {.entry = At(1), .former = nullptr, .rows = std::move(work)});
      builds.WaitUntilIdle();
    }
    EXPECT_TRUE(finished);
  }

  TestCluster cluster;
};

TEST_F(RemoteIndexes, AreDroppedAndBuiltOnAllNodes) {
  EXPECT_EQ(FoundByIndex(1), size_t{kIndexedRows});
  Run({.building = {}, .dropping = {kByName}});
  EXPECT_EQ(FoundByIndex(1), 0u);
  EXPECT_EQ(FoundByIndex(2), 0u);
  EXPECT_EQ(cluster.peers.Calls(PeerMethod::kDropIndex), 2);
  Run({.building = {kByName}, .dropping = {}});
  EXPECT_EQ(FoundByIndex(1), size_t{kIndexedRows});
  EXPECT_EQ(FoundByIndex(2), size_t{kIndexedRows});
}

TEST_F(RemoteIndexes, ABuildWaitsForAPartitionThatMoves) {
  Run({.building = {}, .dropping = {kByName}});
  int calls = 0;
  cluster.peers.before_call = [&](PeerMethod method) {
    if (method != PeerMethod::kBuildIndex || ++calls != 2) return;
    for (const auto& range : cluster.core(1).node().topology()->map->Ranges(At(1)->id)) {
      if (cluster.OwnerOf(range.partition) == NodeId(2))
        return cluster.Move(range.partition, NodeId(1));
    }
  };
  Run({.building = {kByName}, .dropping = {}});
  EXPECT_EQ(FoundByIndex(1), size_t{kIndexedRows});
}

TEST_F(RemoteIndexes, ABuildWaitsForANodeThatCannotBeReached) {
  Run({.building = {}, .dropping = {kByName}});
  std::atomic<int> calls = 0;
  cluster.peers.before_call = [&](PeerMethod method) {
    if (method == PeerMethod::kBuildIndex) cluster.peers.cut = ++calls <= 3;
  };
  Run({.building = {kByName}, .dropping = {}});
  EXPECT_GT(calls, 3);
  EXPECT_EQ(FoundByIndex(1), size_t{kIndexedRows});
}

TEST_F(RemoteIndexes, ABuildOfANodeThatIsGoneGoesOnAtAnother) {
  constexpr uint32_t kAdded = kByName + 1;
  ContainerSettings settings = At(1)->settings;
  settings.rows->indexes.push_back(
      {.id = kAdded, .target = item::RowIndexTarget::kValue, .column = kName});
  // Node 1 is gone before it has built anything.
  cluster.core(1).catalog().Disconnect();
  ASSERT_TRUE(cluster.core(1).catalog().UpdateContainer("ks", settings).has_value());
  cluster.core(2).Follow();
  EXPECT_FALSE(At(2)->HasBuiltRowIndex(kAdded));

  Catalog& other = cluster.core(2).catalog();
  other.ResumeBuilds();
  other.WaitForIndexes();
  EXPECT_TRUE(At(2)->HasBuiltRowIndex(kAdded));
  cluster.core(1).Follow();
  EXPECT_EQ(FoundByIndex(2, kAdded), size_t{kIndexedRows});
  // There is nothing left to do.
  const int steps = cluster.peers.Calls(PeerMethod::kBuildIndex);
  EXPECT_GT(steps, 0);
  other.ResumeBuilds();
  other.WaitForIndexes();
  EXPECT_EQ(cluster.peers.Calls(PeerMethod::kBuildIndex), steps);
}

TEST_F(RemoteIndexes, ReportsKnowOfAllPartitions) {
  const Inspection inspection(cluster.core(1).gateway(), cluster.resources, cluster.clock, "test");
  EXPECT_EQ(inspection.Status().partitions, 4u);
  for (const std::optional<std::string_view> database :
       {std::optional<std::string_view>(), {"ks"}}) {
    const auto partitions = inspection.Partitions(database, std::nullopt);
    ASSERT_TRUE(partitions.has_value());
    std::set<uint64_t> ids;
    for (const PartitionReport& partition : *partitions) {
      ids.insert(partition.id);
      EXPECT_EQ(partition.ranges.size(), 1u);
    }
    EXPECT_EQ(ids.size(), 4u);
  }
  const auto containers = inspection.Containers("ks", "t");
  ASSERT_TRUE(containers.has_value());
  EXPECT_EQ(containers->at(0).partitions, 4u);
  const auto ranges = RangesOf(cluster.core(1).gateway(), *At(1));
  ASSERT_TRUE(ranges.has_value());
  EXPECT_EQ(ranges->size(), 4u);
}

}  // namespace
}  // namespace orrery::gateway
