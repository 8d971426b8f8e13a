// Partitions of a cluster in one process: given to nodes, moved between them, taken from the dead.
#include "cluster/manager/manager.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "cluster/cluster_testing.h"
#include "cluster/lease/expiry_grace.h"
#include "cluster/record/ownership_record.h"
#include "partition/key/partition_key.h"
#include "storage/directory.h"

namespace orrery::cluster {
namespace {

class ManagerTest : public ClusterTest {
 protected:
  static constexpr uint32_t kPartitions = 6;

  void SetUp() override {
    ClusterTest::SetUp();
    schema_ = item::IndexedSchema(kTestContainer.value());
  }
  TestNode& AddWithPartitions() {
    TestNode& added = Add();
    added.OpenPartitions(schema_);
    return added;
  }
  void Create(TestNode& at) {
    TopologyChange change;
    for (const auto& range :
         partition::DivideEvenly(partition::UsedSpan(schema_->hashing), kPartitions))
      change.create.push_back({ThroughputOwner::Of(kTestContainer), {{kTestContainer, range}}});
    const Status created = at.node->Apply(change, {});
    ASSERT_TRUE(created.has_value()) << created.error().ToString();
  }
  void Round(TestNode& manager) {
    const auto watched = manager.manager->Watch();
    ASSERT_TRUE(watched.has_value()) << watched.error().ToString();
    const Status placed = manager.manager->Place();
    ASSERT_TRUE(placed.has_value()) << placed.error().ToString();
    for (const auto& node : nodes_)
      if (!node->cut && node->node != nullptr) node->node->WaitForBackground();
  }
  size_t Members() { return nodes_[0]->membership->membership_list().Members()->size(); }
  static std::unique_ptr<Manager> Impatient(TestNode& node) {
    return std::make_unique<Manager>(
        Manager::Parts{.self = node.self,
                       .store = *node.store,
                       .membership_list = node.membership->membership_list(),
                       .system = node.system,
                       .peers = node.peers,
                       .node = *node.node,
                       .clock = node.clock,
                       .leads = [&node] { return node.membership->LeadsNow(); }},
        ManagerOptions{.laggard_patience = std::chrono::milliseconds(0)});
  }
  static size_t Open(const TestNode& node) { return node.node->topology()->hosted.size(); }

  // Through whichever node has the key.
  Status Write(const std::string& pk) {
    for (const auto& node : nodes_) {
      if (node->cut) continue;
      const auto topology = node->node->topology();
      HostedPartition* const partition = topology->Route(kTestContainer, item::HashOfKey(pk));
      if (partition == nullptr) continue;
      std::vector<item::Operation> operations;
      operations.push_back(
          item::Do(item::OperationKind::kUpsert, "id", R"({"id":"id","pk":")" + pk + R"("})"));
      std::promise<Status> promise;
      auto transaction = std::make_unique<item::Transaction>(
          item::TransactionRequest{schema_, item::HashOfKey(pk), item::Tuple(pk),
                                   std::move(operations)},
          [&](std::unique_ptr<item::Transaction>, Status status) {
            promise.set_value(std::move(status));
          });
      transaction->SetLedger(partition->ledger());
      partition->sequencer().Submit(std::move(transaction));
      return promise.get_future().get();
    }
    return Fail(Code::kUnavailable, "nobody has it open");
  }
  void Fill(int count) {
    for (int i = 0; i < count; ++i) {
      const Status written = Write("key" + std::to_string(i));
      ASSERT_TRUE(written.has_value()) << i << ": " << written.error().ToString();
    }
  }
  void ExpectAll(int count) {
    int64_t items = 0;
    for (const auto& node : nodes_) {
      if (node->cut) continue;
      for (const auto& [id, partition] : node->node->topology()->hosted)
        items += partition->ledger().Sum().items;
    }
    EXPECT_EQ(items, count);
  }
  // Every node says the same of every partition, and exactly one has it open.
  void ExpectAgreement() {
    std::map<PartitionId, int> open;
    for (const auto& node : nodes_) {
      if (node->cut) continue;
      const auto topology = node->node->topology();
      EXPECT_EQ(topology->map->Ranges(kTestContainer).size(),
                nodes_.back()->node->topology()->map->Ranges(kTestContainer).size());
      for (const auto& [id, partition] : topology->hosted) ++open[id];
      for (const auto& [id, partition] : topology->remote)
        EXPECT_FALSE(partition.awaited) << "its own and not open";
    }
    for (const auto& [id, count] : open) EXPECT_EQ(count, 1) << "partition " << id.value();
  }

  std::shared_ptr<item::ContainerSchema> schema_;
};

TEST_F(ManagerTest, ANewNodeGetsItsShareAndNoByteMoves) {
  TestNode& first = AddWithPartitions();
  Create(first);
  Fill(100);
  TestNode& second = AddWithPartitions();
  EXPECT_EQ(Open(first), kPartitions);
  const uint64_t tables_before = objects_.bytes();
  for (int i = 0; i < 5; ++i) Round(first);
  EXPECT_EQ(Open(first), kPartitions / 2);
  EXPECT_EQ(Open(second), kPartitions / 2);
  ExpectAgreement();
  ExpectAll(100);
  Fill(100);  // the new owners write
  EXPECT_LT(objects_.bytes(), tables_before * 2 + (1 << 20));
}

TEST_F(ManagerTest, ANodeThatIsAboutToStopHandsOverAllItHasAndGetsNothing) {
  TestNode& first = AddWithPartitions();
  TestNode& second = AddWithPartitions();
  Create(first);
  for (int i = 0; i < 5; ++i) Round(first);
  Fill(100);
  ASSERT_GT(Open(second), 0u);
  // Also those that have just moved.
  EXPECT_TRUE(first.manager->Relieve(second.self));
  for (int i = 0; i < 3; ++i) Round(first);
  EXPECT_EQ(Open(second), 0u);
  EXPECT_EQ(Open(first), kPartitions);
  ExpectAgreement();
  ExpectAll(100);
  Fill(100);
}

TEST_F(ManagerTest, WhenAllStopNobodyIsRelieved) {
  TestNode& first = AddWithPartitions();
  TestNode& second = AddWithPartitions();
  Create(first);
  Round(first);
  EXPECT_TRUE(first.manager->Relieve(second.self));
  EXPECT_FALSE(first.manager->Relieve(first.self));
  EXPECT_FALSE(first.manager->Relieve(second.self));
}

TEST_F(ManagerTest, WhatADeadNodeHadIsTakenOverWithEveryWrite) {
  TestNode& first = AddWithPartitions();
  TestNode& second = AddWithPartitions();
  TestNode& third = AddWithPartitions();
  Create(first);
  for (int i = 0; i < 5; ++i) Round(first);
  Fill(200);
  ASSERT_GT(Open(third), 0u);
  Crash(2);
  ASSERT_TRUE(first.manager->Watch().has_value());
  EXPECT_EQ(Members(), 3u) << "its lease still holds";
  PassLeaseTime();
  Round(first);
  EXPECT_EQ(Members(), 2u);
  EXPECT_EQ(Open(first) + Open(second), kPartitions);
  ExpectAgreement();
  ExpectAll(200);
  Fill(200);
}

TEST_F(ManagerTest, WhatOneManagerBeganToStrikeOffTheNextFinishes) {
  TestNode& first = AddWithPartitions();
  TestNode& second = AddWithPartitions();
  TestNode& third = AddWithPartitions();
  Create(first);
  for (int i = 0; i < 5; ++i) Round(first);
  Fill(100);
  Crash(2);
  PassLeaseTime();
  // The manager gets as far as closing the lease of the dead.
  ASSERT_TRUE(*Lease::Close(*first.store, NodeLeaseObject(third.self)));
  Crash(0);
  PassLeaseTime();
  second.Tick();
  ASSERT_TRUE(second.membership->leads());
  Round(second);
  EXPECT_EQ(Open(second), kPartitions);
  ExpectAll(100);
}

TEST_F(ManagerTest, AStoreThatDidNotAnswerKillsNobody) {
  TestNode& first = AddWithPartitions();
  TestNode& second = AddWithPartitions();
  Create(first);
  // Every lease runs out while the manager waits for the store.
  bool waited = false;
  first.store->BeforeEach([&] {
    if (!std::exchange(waited, true)) clock_.Advance(std::chrono::seconds(7));
  });
  EXPECT_EQ(first.manager->Watch().error().code(), Code::kUnavailable)
      << "it may not lead any more";
  ASSERT_TRUE(first.membership->RenewLeases().has_value());
  waited = false;
  first.store->BeforeEach([&] {
    if (!std::exchange(waited, true)) clock_.Advance(std::chrono::seconds(1));
  });
  EXPECT_FALSE(*first.manager->Watch()) << "the second is renewing now";
  first.store->BeforeEach(nullptr);
  ASSERT_TRUE(second.membership->RenewLeases().has_value());
  EXPECT_FALSE(*first.manager->Watch());
  EXPECT_EQ(Members(), 2u);
}

TEST_F(ManagerTest, ALookThatFailedGivesGraceToThoseWhoWaitedToo) {
  TestNode& first = AddWithPartitions();
  TestNode& second = AddWithPartitions();
  Create(first);
  bool waited = false;
  first.store->BeforeEach([&] {
    if (!std::exchange(waited, true)) clock_.Advance(std::chrono::seconds(7));
  });
  EXPECT_EQ(first.manager->Watch().error().code(), Code::kUnavailable);
  first.store->BeforeEach(nullptr);
  ASSERT_TRUE(first.membership->RenewLeases().has_value());
  // The store answers at once again, but the second's renewal is on its way still.
  EXPECT_FALSE(*first.manager->Watch());
  EXPECT_EQ(Members(), 2u);
  ASSERT_TRUE(second.membership->RenewLeases().has_value());
  EXPECT_FALSE(*first.manager->Watch());

  // One that does not come back with the store is dead in the end.
  second.cut = true;
  waited = false;
  first.store->BeforeEach([&] {
    if (!std::exchange(waited, true)) clock_.Advance(std::chrono::seconds(7));
  });
  EXPECT_FALSE(first.manager->Watch().has_value());
  first.store->BeforeEach(nullptr);
  ASSERT_TRUE(first.membership->RenewLeases().has_value());
  clock_.Advance(kGrace);
  ASSERT_TRUE(first.membership->RenewLeases().has_value());
  EXPECT_TRUE(*first.manager->Watch());
}

TEST_F(ManagerTest, WhoLivesIsGivenUpOnlyWhenItDoesNotComeBackWithTheStore) {
  TestNode& first = AddWithPartitions();
  TestNode& second = AddWithPartitions();
  Create(first);
  ASSERT_TRUE(first.manager->Watch().has_value());
  // The manager waited elsewhere, and its own renewals were the first that got through: its look is
  // quick, and the second has no lease yet.
  clock_.Advance(std::chrono::seconds(6));
  ASSERT_TRUE(first.membership->RenewLeases().has_value());
  EXPECT_FALSE(*first.manager->Watch());
  EXPECT_EQ(Members(), 2u);
  ASSERT_TRUE(second.membership->RenewLeases().has_value());
  EXPECT_FALSE(*first.manager->Watch());
  EXPECT_TRUE(second.membership->lease().ValidNow());

  // Cut off from the store, it answers calls for ever.
  clock_.Advance(std::chrono::seconds(6));
  ASSERT_TRUE(first.membership->RenewLeases().has_value());
  EXPECT_FALSE(*first.manager->Watch());
  for (auto waited = kGraceAlive; waited > std::chrono::seconds(0);
       waited -= std::chrono::seconds(1)) {
    clock_.Advance(std::chrono::seconds(1));
    ASSERT_TRUE(first.membership->RenewLeases().has_value());
  }
  EXPECT_TRUE(*first.manager->Watch());
  EXPECT_EQ(Members(), 1u);
}

TEST_F(ManagerTest, TheDeadHaveNoGraceWhenTheManagerWasLate) {
  TestNode& first = AddWithPartitions();
  AddWithPartitions();
  Create(first);
  ASSERT_TRUE(first.manager->Watch().has_value());
  Crash(1);
  PassLeaseTime();
  EXPECT_TRUE(*first.manager->Watch());
}

TEST_F(ManagerTest, ANodeThatDoesNotFollowIsCutOffAndHoldsNobodyUp) {
  TestNode& first = AddWithPartitions();
  TestNode& second = AddWithPartitions();
  Create(first);
  second.cut = true;  // from the others, not from the store: it still renews its lease
  auto committed = std::async(std::launch::async, [&] {
    SystemChange change;
    change.Put("db/1", "one");
    return first.system.Commit(std::move(change));
  });
  while (first.system.Laggards(std::chrono::milliseconds(0)).empty()) std::this_thread::yield();
  ASSERT_TRUE(Impatient(first)->Watch().has_value());
  EXPECT_EQ(second.membership->RenewLeases().error().code(), Code::kFenced);
  PassLeaseTimeFor({&first});
  ASSERT_TRUE(first.manager->Watch().has_value());
  EXPECT_TRUE(committed.get().has_value());
  EXPECT_EQ(Members(), 1u);
}

TEST_F(ManagerTest, ANodeThatLeftByItselfHoldsNobodyUp) {
  TestNode& first = AddWithPartitions();
  AddWithPartitions();
  Create(first);
  for (int i = 0; i < 5; ++i) Round(first);
  Fill(100);
  nodes_.pop_back();
  auto committed = std::async(std::launch::async, [&] {
    SystemChange change;
    change.Put("db/1", "one");
    return first.system.Commit(std::move(change));
  });
  while (first.system.Laggards(std::chrono::milliseconds(0)).empty()) std::this_thread::yield();
  Round(first);
  EXPECT_TRUE(committed.get().has_value());
  EXPECT_EQ(Open(first), kPartitions);
  ExpectAll(100);
}

TEST_F(ManagerTest, TheNextManagerTakesOverFromADeadOne) {
  TestNode& first = AddWithPartitions();
  Create(first);
  Fill(100);
  TestNode& second = AddWithPartitions();
  TestNode& third = AddWithPartitions();
  for (int i = 0; i < 5; ++i) Round(first);
  Crash(0);
  PassLeaseTime();
  second.Tick();
  third.Tick();
  ASSERT_TRUE(second.membership->leads());
  Round(second);
  EXPECT_EQ(Open(second) + Open(third), kPartitions);
  ExpectAgreement();
  ExpectAll(100);
  Fill(100);
}

TEST_F(ManagerTest, AStoppedNodeThatWakesUpWritesNothing) {
  TestNode& first = AddWithPartitions();
  TestNode& second = AddWithPartitions();
  Create(first);
  for (int i = 0; i < 5; ++i) Round(first);
  Fill(100);
  // The second sleeps: no renewals, no answers. What it had is taken over.
  second.cut = true;
  PassLeaseTimeFor({&first});
  Round(first);
  EXPECT_EQ(Open(first), kPartitions);
  ExpectAll(100);
  // It wakes up and goes on where it was.
  EXPECT_FALSE(second.membership->lease().ValidNow()) << "so it answers no read";
  for (const auto& [id, partition] : second.node->topology()->hosted) {
    storage::Batch batch;
    batch.Put("late", "write");
    EXPECT_FALSE(partition->engine().Write(batch, storage::Durability::kDurable).has_value());
  }
  for (const auto& [id, partition] : first.node->topology()->hosted) {
    storage::PinnedValue value;
    EXPECT_FALSE(*partition->engine().Get("late", value));
  }
  Fill(100);
}

TEST_F(ManagerTest, SplitsOfAnyNodeAreKnownToAll) {
  TestNode& first = AddWithPartitions();
  TestNode& second = AddWithPartitions();
  Create(first);
  for (int i = 0; i < 5; ++i) Round(first);
  Fill(100);
  const PartitionId split = second.node->topology()->hosted.begin()->first;
  const auto result = second.node->Split(split, std::nullopt);
  ASSERT_TRUE(result.has_value()) << result.error().ToString();
  second.node->WaitForBackground();
  EXPECT_EQ(first.node->topology()->map->Ranges(kTestContainer).size(), kPartitions + 1);
  EXPECT_EQ(first.node->topology()->remote.at(result->children[0]).owner, second.self);
  ExpectAgreement();
  ExpectAll(100);
}

TEST_F(ManagerTest, AContainerThatIsDroppedLeavesNoDirectoryOnAnyNode) {
  TestNode& first = AddWithPartitions();
  TestNode& second = AddWithPartitions();
  Create(first);
  for (int i = 0; i < 5; ++i) Round(first);
  ASSERT_GT(Open(second), 0u);
  ASSERT_EQ(storage::ListDirectory(first.resources, "/partitions")->size(), kPartitions);
  ASSERT_TRUE(first.node
                  ->Apply({.create = {},
                           .add_slices = {},
                           .drop_containers = {},
                           .drop_throughput_owners = {ThroughputOwner::Of(kTestContainer)}},
                          {})
                  .has_value());
  second.node->WaitForBackground();
  EXPECT_TRUE(second.node->topology()->hosted.empty());
  EXPECT_TRUE(second.node->topology()->remote.empty());
  for (TestNode* node : {&first, &second}) node->node->Stop();  // closings are done then
  EXPECT_EQ(storage::ListDirectory(first.resources, "/partitions")->size(), 0u);
}

}  // namespace
}  // namespace orrery::cluster
