#include "cluster/node.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "cluster/maintenance/quiet_writes.h"
#include "cluster/node_testing.h"
#include "item/maintenance/recount.h"

namespace orrery::cluster {
namespace {

// Waits until the totals of all of them are what they own.
bool AreCounted(Node& node, const std::vector<PartitionId>& ids) {
  const auto exact = [&](PartitionId id) {
    const auto partition = node.topology()->Find(id);
    item::SliceRanges ranges;
    for (const Slice& slice : partition->record()->slices)
      ranges[slice.container].push_back(slice.range);
    const auto off = item::Recount(partition->engine(), ranges);
    return off.has_value() && off->empty();
  };
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!std::ranges::all_of(ids, exact)) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    node.Maintain();
    std::this_thread::yield();
  }
  return true;
}

TEST_F(NodeTest, PartitionsComeBackAfterARestart) {
  CreateOwn(3);
  Fill(60);
  const auto before = Ids();
  EXPECT_EQ(before.size(), 3U);
  Close();
  Open();
  EXPECT_EQ(Ids(), before);
  ExpectAll(60);
}

TEST_F(NodeTest, NoMorePartitionsAreMadeThanFilesAllow) {
  Close();
  partitions_max_ = 4;
  Open();
  CreateOwn(4);
  Fill(60);
  TopologyChange change;
  change.create.push_back({ThroughputOwner::SharedPool(), {}});
  const Status refused = node_->Apply(change, {});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), Code::kResourceExhausted);
  // What has come must go somewhere: splits may go a quarter beyond.
  EXPECT_TRUE(node_->Split(Ids().front(), std::nullopt).has_value());
  node_->WaitForBackground();
  const auto split = node_->Split(Ids().front(), std::nullopt);
  ASSERT_FALSE(split.has_value());
  EXPECT_EQ(split.error().code(), Code::kResourceExhausted);
  ExpectAll(60);
  Close();
  Open();
  ExpectAll(60);
}

TEST_F(NodeTest, TheRateIsSpreadEvenly) {
  CreateOwn(3);
  node_->SetThroughput(ThroughputOwner::Of(kContainer), ThroughputSettings::Manual(1'500));
  for (const PartitionId id : Ids()) {
    EXPECT_EQ(node_->topology()->Find(id)->governor().rate(), RequestUnits::Whole(500));
  }
}

TEST_F(NodeTest, ASplitKeepsEverythingAndHalvesIt) {
  CreateOwn(1);
  Fill(200);
  const PartitionId parent = Ids().front();
  const auto split = node_->Split(parent, std::nullopt);
  ASSERT_TRUE(split.has_value()) << split.error().ToString();
  EXPECT_EQ(Ids(), split->children);
  node_->WaitForBackground();
  ExpectAll(200);
  for (const PartitionId id : Ids()) {
    const auto child = node_->topology()->Find(id);
    EXPECT_EQ(child->record()->parents, std::vector{parent});
    EXPECT_NEAR(static_cast<double>(child->ledger().Sum().items), 100, 20);
  }
  Fill(100, 150);
  Close();
  Open();
  ExpectAll(250);
  EXPECT_EQ(Directories(), 2U);
}

TEST_F(NodeTest, WhatACrashLeftOfASplitDoesNotHoldUpTheNext) {
  CreateOwn(1);
  Fill(100);
  const PartitionId parent = Ids().front();
  // The ids that were taken then are given again: only a commit would have kept them.
  const uint64_t next = parent.value() + 1;
  std::filesystem::create_directories(directory_ / fmt::format("partitions/{}", next));
  std::filesystem::create_directories(directory_ / fmt::format("partitions/{}.tmp", next + 1));
  const auto split = node_->Split(parent, std::nullopt);
  ASSERT_TRUE(split.has_value()) << split.error().ToString();
  for (const PartitionId child : split->children) EXPECT_GT(child.value(), next + 1);
  node_->WaitForBackground();
  ExpectAll(100);
}

TEST_F(NodeTest, HalvesOfASplitAreCountedBeforeTheyAreTrimmed) {
  constexpr int64_t kItems = 101;
  CreateOwn(1);
  Fill(kItems);
  const PartitionId parent = Ids().front();
  // Trimming rewrites tables; it does not come to that.
  std::promise<void> counted;
  faults_.Before(
      storage::FileCall::kOpenToWrite,
      [done = counted.get_future().share(),
       own = directory_ / fmt::format("partitions/{}/", parent.value())](const std::string& path) {
        if (path.ends_with(".sst") && !path.starts_with(own)) done.wait();
      });
  const auto split = node_->Split(parent, std::nullopt);
  ASSERT_TRUE(split.has_value()) << split.error().ToString();
  EXPECT_TRUE(AreCounted(*node_, split->children));
  counted.set_value();
  node_->WaitForBackground();
  faults_.Before(storage::FileCall::kOpenToWrite, nullptr);
  ExpectAll(kItems);
}

TEST_F(NodeTest, AllHalvesAreCountedBeforeOneIsTrimmed) {
  constexpr int64_t kItems = 101;
  CreateOwn(2);
  Fill(kItems);
  // So that nothing has to be written to tables before it can be split.
  Close();
  Open();
  std::promise<void> counted;
  faults_.Before(storage::FileCall::kOpenToWrite,
                 [done = counted.get_future().share()](const std::string& path) {
                   if (path.ends_with(".sst")) done.wait();
                 });
  std::vector<PartitionId> children;
  for (const PartitionId parent : Ids()) {
    const auto split = node_->Split(parent, std::nullopt);
    ASSERT_TRUE(split.has_value()) << split.error().ToString();
    children.insert(children.end(), split->children.begin(), split->children.end());
  }
  EXPECT_TRUE(AreCounted(*node_, children));
  counted.set_value();
  node_->WaitForBackground();
  faults_.Before(storage::FileCall::kOpenToWrite, nullptr);
  ExpectAll(kItems);
}

// Table files are known by their inodes: a child that shares them has copied nothing.
TEST_F(NodeTest, ASplitLinksTablesAndCopiesNone) {
  CreateOwn(1);
  Fill(100);
  const auto before = node_->topology();  // keeps the parent's files
  const PartitionId parent = Ids().front();
  // The trimmer rewrites tables soon; it waits until the children's were examined.
  std::promise<void> looked;
  faults_.Before(
      storage::FileCall::kOpenToWrite,
      [done = looked.get_future().share(),
       own = directory_ / fmt::format("partitions/{}/", parent.value())](const std::string& path) {
        if (path.ends_with(".sst") && !path.starts_with(own)) done.wait();
      });
  const auto split = node_->Split(parent, std::nullopt);
  ASSERT_TRUE(split.has_value());
  const std::set<ino_t> parents = Tables(parent);
  ASSERT_FALSE(parents.empty());
  for (const PartitionId child : split->children)
    EXPECT_TRUE(std::ranges::includes(parents, Tables(child)));
  looked.set_value();
  node_->WaitForBackground();
  faults_.Before(storage::FileCall::kOpenToWrite, nullptr);
  ExpectAll(100);
}

TEST_F(NodeTest, OneLogicalPartitionIsNotSplit) {
  CreateOwn(1);
  ASSERT_TRUE(Write(OperationKind::kUpsert, "only", R"({"id":"id","pk":"only"})").has_value());
  const auto split = node_->Split(Ids().front(), std::nullopt);
  ASSERT_FALSE(split.has_value());
  EXPECT_EQ(split.error().code(), Code::kPreconditionFailed);
  EXPECT_TRUE(Write(OperationKind::kDelete, "only").has_value());
}

TEST_F(NodeTest, AFixedContainerIsNotSplit) {
  schema_->fixed = true;
  CreateOwn(1);
  Fill(10);
  EXPECT_EQ(node_->Split(Ids().front(), std::nullopt).error().code(), Code::kPreconditionFailed);
}

TEST_F(NodeTest, AMergeKeepsEverythingAndPositionsRise) {
  CreateOwn(2);
  Fill(150);
  const auto pair = Ids();
  Lsn highest;
  for (const PartitionId id : pair)
    highest = std::max(highest, node_->topology()->Find(id)->sequencer().last_committed());
  const auto merged = node_->Merge(pair[0], pair[1]);
  ASSERT_TRUE(merged.has_value()) << merged.error().ToString();
  EXPECT_EQ(Ids(), std::vector{*merged});
  EXPECT_GE(node_->topology()->Find(*merged)->sequencer().last_committed(), highest);
  EXPECT_EQ(node_->topology()->Find(*merged)->record()->parents, pair);
  node_->Maintain();
  node_->WaitForBackground();
  Fill(50, 150);
  Close();
  Open();
  ExpectAll(200);
}

TEST_F(NodeTest, StrangersAreNotMerged) {
  CreateOwn(3);
  const auto ids = Ids();
  EXPECT_EQ(node_->Merge(ids[0], ids[2]).error().code(), Code::kPreconditionFailed);
  EXPECT_EQ(node_->Merge(ids[0], ids[0]).error().code(), Code::kPreconditionFailed);
  EXPECT_EQ(node_->Merge(ids[0], PartitionId(99)).error().code(), Code::kNotFound);
}

// Splits and merges go on under two writers; nothing is lost, doubled or left half-done.
TEST_F(NodeTest, WritersGoOnWhilePartitionsSplitAndMerge) {
  CreateOwn(1);
  std::atomic<bool> stop{false};
  std::atomic<int> written[2] = {0, 0};
  std::vector<std::jthread> writers;
  for (int w = 0; w < 2; ++w) {
    writers.emplace_back([this, w, &stop, &written] {
      while (!stop || written[w] < 50) {
        const std::string pk = "key" + std::to_string(2 * written[w] + w);
        ASSERT_TRUE(
            Write(OperationKind::kCreate, pk, R"({"id":"id","pk":")" + pk + R"("})").has_value());
        ++written[w];
      }
    });
  }
  while (written[0] + written[1] < 40) std::this_thread::yield();
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(node_->Split(Ids().front(), std::nullopt).has_value());
    node_->WaitForBackground();
    const auto pair = Ids();
    const auto merged = node_->Merge(pair[0], pair[1]);
    ASSERT_TRUE(merged.has_value()) << merged.error().ToString();
  }
  stop = true;
  writers.clear();
  node_->Maintain();
  node_->WaitForBackground();
  const int common = 2 * std::min(written[0], written[1]);
  for (int i = 0; i < common; ++i) ASSERT_TRUE(Has("key" + std::to_string(i))) << i;
  int64_t items = 0;
  for (const PartitionId id : Ids()) items += node_->topology()->Find(id)->ledger().Sum().items;
  EXPECT_EQ(items, written[0] + written[1]);
}

TEST_F(NodeTest, MaintenanceSplitsWhatGrewTooLarge) {
  limits_.physical_partition_bytes_max = 8 << 10;
  Close();
  Open();
  CreateOwn(1);
  Fill(100);
  for (int round = 0; round < 6; ++round) {
    node_->Maintain();
    node_->WaitForBackground();
  }
  EXPECT_GT(Ids().size(), 2U);
  ExpectAll(100);
}

TEST_F(NodeTest, MaintenanceSplitsForThroughput) {
  CreateOwn(1);
  Fill(50);
  node_->SetThroughput(ThroughputOwner::Of(kContainer), ThroughputSettings::Manual(4'000));
  for (int round = 0; round < 4; ++round) {
    node_->Maintain();
    node_->WaitForBackground();
  }
  EXPECT_EQ(Ids().size(), 4U);
  ExpectAll(50);
}

TEST_F(NodeTest, MaintenanceSweepsExpiredItems) {
  schema_->default_ttl_s = 10;
  CreateOwn(1);
  Fill(20);
  clock_.Advance(std::chrono::seconds(11));
  EXPECT_FALSE(Has("key1"));
  node_->Maintain();
  node_->WaitForBackground();
  EXPECT_EQ(node_->topology()->Find(Ids().front())->ledger().Sum().items, 0);
}

TEST_F(NodeTest, MaintenanceFlushesWhatWentQuiet) {
  CreateOwn(1);
  const auto partition = node_->topology()->Find(Ids().front());
  const auto tables_after_rounds = [&](int rounds) {
    for (int round = 0; round < rounds; ++round) {
      node_->Maintain();
      node_->WaitForBackground();
    }
    return partition->engine().Stats().table_files;
  };
  Fill(10);
  EXPECT_EQ(tables_after_rounds(2 * QuietWrites::kQuietRounds), 0U) << "too little to flush";

  const std::string text(64 << 10, 'x');
  for (int i = 0; i < 20; ++i) {
    const std::string pk = "large" + std::to_string(i);
    ASSERT_TRUE(Write(OperationKind::kUpsert, pk,
                      R"({"id":"id","pk":")" + pk + R"(","text":")" + text + R"("})")
                    .has_value());
  }
  EXPECT_EQ(tables_after_rounds(QuietWrites::kQuietRounds), 0U) << "not quiet for long enough";
  EXPECT_EQ(tables_after_rounds(1), 1U);
  EXPECT_EQ(tables_after_rounds(2 * QuietWrites::kQuietRounds), 1U) << "flushed once";
}

TEST_F(NodeTest, DroppedContainersLeaveNothing) {
  const auto shared_pool = node_->SharedPoolPartition();
  ASSERT_TRUE(shared_pool.has_value());
  TopologyChange create;
  create.add_slices = {{*shared_pool, {kContainer, partition::HashRange()}}};
  ASSERT_TRUE(node_->Apply(create, {}).has_value());
  Fill(20);
  TopologyChange drop;
  drop.drop_containers = {kContainer};
  ASSERT_TRUE(node_->Apply(drop, {}).has_value());
  EXPECT_EQ(Write(OperationKind::kUpsert, "key1", R"({"id":"id","pk":"key1"})").error().code(),
            Code::kNotFound);
  node_->Maintain();
  node_->WaitForBackground();
  const auto partition = node_->topology()->Find(*shared_pool);
  EXPECT_EQ(partition->ledger().Sum().items, 0);
  const auto cursor = partition->engine().NewIterator({.lower = std::string(1, '\1')});
  cursor->SeekToFirst();
  EXPECT_FALSE(cursor->Valid());
}

}  // namespace
}  // namespace orrery::cluster
