// Leftovers of crashes in the store of a cluster in one process go; what a record names, or soon
// will, stays.
#include "cluster/manager/sweeper.h"

#include <gtest/gtest.h>

#include <future>
#include <random>
#include <thread>

#include "cluster/cluster_testing.h"
#include "partition/key/partition_key.h"
#include "storage/directory.h"
#include "storage/rados/directory/directory_object.h"
#include "storage/rados/file/stripes.h"

namespace orrery::cluster {
namespace {

using storage::rados::DirectoryId;
using storage::rados::FileEntry;

class SweeperTest : public ClusterTest {
 protected:
  static constexpr uint32_t kPartitions = 4;
  static constexpr std::chrono::seconds kPatience{60};

  TestNode& AddWithPartitions() {
    TestNode& added = Add();
    added.OpenPartitions(schema_);
    return added;
  }
  Status Create(TestNode& at) {
    TopologyChange change;
    for (const auto& range :
         partition::DivideEvenly(partition::UsedSpan(schema_->hashing), kPartitions))
      change.create.push_back({ThroughputOwner::Of(kTestContainer), {{kTestContainer, range}}});
    return at.node->Apply(change, {});
  }
  Status Drop(TestNode& at) {
    return at.node->Apply({.create = {},
                           .add_slices = {},
                           .drop_containers = {},
                           .drop_throughput_owners = {ThroughputOwner::Of(kTestContainer)}},
                          {});
  }
  void Round(TestNode& manager) {
    ASSERT_TRUE(manager.manager->Watch().has_value());
    const Status placed = manager.manager->Place();
    ASSERT_TRUE(placed.has_value()) << placed.error().ToString();
    for (const auto& node : nodes_)
      if (!node->cut && node->node != nullptr) node->node->WaitForBackground();
  }
  void Spread(TestNode& manager) {
    for (int i = 0; i < 5; ++i) Round(manager);
  }
  // As often as it takes: seen, seen again after the patience, and what that left among objects.
  void SweepAll(TestNode& manager) {
    for (int i = 0; i < 4; ++i) {
      const Status swept = manager.sweeper->Sweep();
      EXPECT_TRUE(swept.has_value()) << swept.error().ToString();
      EXPECT_TRUE(manager.sweeper->ended_pass());
      manager.files->WaitForRemovals();
      for (int waited = 0; waited < kPatience.count(); waited += 6) PassLeaseTime();
    }
  }
  static std::set<std::string> Directories(TestNode& at) {
    const auto names = storage::ListDirectory(at.resources, "/partitions");
    return {names->begin(), names->end()};
  }
  static std::set<std::string> Recorded(TestNode& at) {
    std::set<std::string> names;
    EXPECT_TRUE(at.system
                    .ForEach(kPartitionRecordPrefix,
                             [&](std::string_view, std::string_view value) -> Status {
                               names.insert(
                                   std::to_string(DecodePartitionRecord(value)->id.value()));
                               return {};
                             })
                    .has_value());
    return names;
  }
  void Reachable(DirectoryId directory, std::set<std::string>& objects) {
    objects.insert(storage::rados::DirectoryObject(directory));
    const auto entries = storage::rados::ReadEntries(*nodes_[0]->store, directory);
    ASSERT_TRUE(entries.has_value());
    for (const auto& [name, entry] : *entries) {
      if (const auto* below = std::get_if<DirectoryId>(&entry)) {
        Reachable(*below, objects);
      } else {
        const FileEntry& file = std::get<FileEntry>(entry);
        objects.insert(storage::rados::StripeObject(file.id, 0));
      }
    }
  }
  // First stripes and directories that nothing names, but for what a live owner may be about to.
  std::set<std::string> Orphans() {
    std::set<std::string> reachable;
    Reachable(storage::rados::kRootDirectory, reachable);
    std::set<std::string> orphans;
    for (const std::string& name : objects_.Names()) {
      if (reachable.contains(name)) continue;
      if (storage::rados::ParseDirectoryObject(name).has_value()) orphans.insert(name);
      const auto stripe = storage::rados::ParseStripeObject(name);
      if (!stripe.has_value() || stripe->second != 0) continue;
      const auto state = storage::rados::ReadState(*nodes_[0]->store, stripe->first.directory);
      if (!state->has_value() || (*state)->epoch != stripe->first.epoch) orphans.insert(name);
    }
    return orphans;
  }
  bool Write(const std::string& pk) {
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
      return promise.get_future().get().has_value();
    }
    return false;
  }
  void Fill(int count) {
    for (int i = 0; i < count; ++i) ASSERT_TRUE(Write("key" + std::to_string(i))) << i;
  }
  int64_t Items() {
    int64_t items = 0;
    for (const auto& node : nodes_) {
      if (node->cut) continue;
      for (const auto& [id, partition] : node->node->topology()->hosted)
        items += partition->ledger().Sum().items;
    }
    return items;
  }

  std::shared_ptr<item::ContainerSchema> schema_ = item::IndexedSchema(kTestContainer.value());
};

TEST_F(SweeperTest, WhatADeadNodeHadOfADroppedContainerGoes) {
  TestNode& first = AddWithPartitions();
  TestNode& second = AddWithPartitions();
  ASSERT_TRUE(Create(first).has_value());
  Spread(first);
  Fill(50);
  ASSERT_GT(second.node->topology()->hosted.size(), 0u);
  Crash(1);
  PassLeaseTime();
  ASSERT_TRUE(first.manager->Watch().has_value());  // and nothing was given to others yet
  ASSERT_TRUE(Drop(first).has_value());
  first.node->WaitForBackground();
  ASSERT_FALSE(Directories(first).empty());
  ASSERT_TRUE(first.sweeper->Sweep().has_value());
  EXPECT_FALSE(Directories(first).empty()) << "it was seen only once";
  SweepAll(first);
  EXPECT_EQ(Directories(first), std::set<std::string>());
  EXPECT_EQ(Orphans(), std::set<std::string>());
}

TEST_F(SweeperTest, WhoDoesNotLeadRemovesNothing) {
  TestNode& first = AddWithPartitions();
  TestNode& second = AddWithPartitions();
  TestNode& third = AddWithPartitions();
  ASSERT_TRUE(Create(first).has_value());
  Spread(first);
  Crash(2);
  PassLeaseTimeFor({&first, &second});
  ASSERT_TRUE(first.manager->Watch().has_value());
  ASSERT_TRUE(Drop(first).has_value());
  first.node->WaitForBackground();
  second.node->WaitForBackground();
  ASSERT_FALSE(Directories(first).empty()) << "node " << third.self.value() << " had some";
  ASSERT_TRUE(first.sweeper->Sweep().has_value());
  for (int i = 0; i < 10; ++i) PassLeaseTimeFor({&first, &second});
  first.system.LoseManager();
  EXPECT_FALSE(first.sweeper->Sweep().has_value());
  EXPECT_FALSE(Directories(first).empty());
}

// A node dies at any step of a split; when it was struck off and the store swept, the directories
// are those that records name, and no object is left over.
TEST_F(SweeperTest, ACrashAtAnyStepOfASplitLeavesNothing) {
  constexpr uint64_t kStep = 11;
  constexpr uint64_t kCallsMax = 1'000;
  TestNode& first = AddWithPartitions();
  ASSERT_TRUE(Create(first).has_value());
  Fill(20);
  bool done = false;
  size_t abandoned = 0;
  for (uint64_t calls = 0; !done && calls < kCallsMax; calls += kStep) {
    SCOPED_TRACE(calls);
    TestNode& dying = AddWithPartitions();
    Spread(first);
    ASSERT_FALSE(dying.node->topology()->hosted.empty());
    dying.store->FaultAfter(calls, storage::rados::ObjectFault::kCrash);
    const PartitionId split = dying.node->topology()->hosted.begin()->first;
    done = dying.node->Split(split, std::nullopt).has_value();
    Crash(nodes_.size() - 1);
    PassLeaseTime();
    Spread(first);
    if (Directories(first) != Recorded(first)) ++abandoned;
    SweepAll(first);
    EXPECT_EQ(Directories(first), Recorded(first));
    EXPECT_EQ(Orphans(), std::set<std::string>());
    Fill(20);
  }
  EXPECT_TRUE(done);
  EXPECT_GT(abandoned, 0u) << "or the test tests nothing";
  first.node->Maintain();  // trims, and counts again
  first.node->WaitForBackground();
  EXPECT_EQ(Items(), 20);
}

// Splits, merges and moves without a pause under a sweeper without patience: whatever has a record
// keeps its files.
TEST_F(SweeperTest, NothingThatIsNamedOrAboutToBeIsRemoved) {
  constexpr uint64_t kSeed = 20'261'116;
  RecordProperty("seed", std::to_string(kSeed));
  TestNode& first = AddWithPartitions();
  TestNode& second = AddWithPartitions();
  ASSERT_TRUE(Create(first).has_value());
  Spread(first);
  Fill(60);
  first.sweeper = first.NewSweeper({.patience = std::chrono::seconds(0)});
  std::atomic<bool> stop{false};
  std::thread sweeping([&] {
    while (!stop) static_cast<void>(first.sweeper->Sweep());
  });
  std::mt19937_64 random(kSeed);
  for (int i = 0; i < 12; ++i) {
    TestNode& at = random() % 2 == 0 ? first : second;
    const auto hosted = at.node->topology()->hosted;
    if (hosted.empty()) continue;
    auto chosen = hosted.begin();
    std::advance(chosen, static_cast<long>(random() % hosted.size()));
    const auto next = std::next(chosen);
    if (random() % 2 == 0 && next != hosted.end()) {
      static_cast<void>(at.node->Merge(chosen->first, next->first));  // when they are neighbours
    } else if (hosted.size() < 12) {
      static_cast<void>(at.node->Split(chosen->first, std::nullopt));
    }
    at.node->WaitForBackground();
  }
  stop = true;
  sweeping.join();
  EXPECT_EQ(Items(), 60);
  for (TestNode* node : {&first, &second}) {
    for (const auto& [id, partition] : node->node->topology()->hosted) {
      EXPECT_TRUE(Directories(first).contains(std::to_string(id.value())));
      EXPECT_FALSE(partition->NeedsReopening()) << "partition " << id.value();
    }
  }
  Fill(60);
}

}  // namespace
}  // namespace orrery::cluster
