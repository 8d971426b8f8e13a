// Transactions over the nodes of a cluster.
#include "gateway/snapshot/cluster_transaction_testing.h"

#include <atomic>
#include <thread>

namespace orrery::gateway {
namespace {

using Failure = SnapshotTransaction::Failure;

class ClusterTransactions : public ClusterTransactionTesting {};

TEST_F(ClusterTransactions, ReadTheStateOfTheirStartAtAllNodes) {
  for (uint64_t node = 1; node <= 3; ++node) ASSERT_TRUE(Put(1, KeyAt(node), 10).has_value());
  const auto transaction = Begin(1);
  for (uint64_t node = 1; node <= 3; ++node) {
    ASSERT_TRUE(Put(node, KeyAt(node), 20).has_value());
    ASSERT_TRUE(Put(node, KeyAt(node, 1), 5).has_value());
  }
  for (uint64_t node = 1; node <= 3; ++node) {
    EXPECT_EQ(ValueOf(transaction->gateway(), 1, KeyAt(node)), 10);
    EXPECT_EQ(ValueOf(transaction->gateway(), 1, KeyAt(node, 1)), -1);
  }
  EXPECT_EQ(Sum(transaction->gateway(), 1), 30);
  EXPECT_EQ(Sum(cluster.core(2).gateway(), 2), 75);
  EXPECT_EQ(transaction->failure(), Failure::kNone);
}

TEST_F(ClusterTransactions, WriteAtAnotherNodeAndSeeIt) {
  const std::string there = KeyAt(2);
  ASSERT_TRUE(Put(1, there, 1).has_value());
  const auto transaction = Begin(1);
  ASSERT_TRUE(Put(transaction->gateway(), 1, there, 2).has_value());
  EXPECT_EQ(ValueOf(transaction->gateway(), 1, there), 2);
  EXPECT_EQ(Sum(transaction->gateway(), 1), 2);
  EXPECT_EQ(ValueOf(3, there), 1);
  ASSERT_TRUE(transaction->Commit("r", "1").has_value());
  EXPECT_EQ(ValueOf(3, there), 2);
  for (uint64_t node = 1; node <= 3; ++node)
    EXPECT_TRUE(cluster.core(node).transactions().HasReceipt("r", "1").value());
  EXPECT_FALSE(cluster.core(3).transactions().HasReceipt("r", "2").value());
}

TEST_F(ClusterTransactions, AbortsLeaveNothingAtOtherNodes) {
  const std::string there = KeyAt(2);
  const auto first = Begin(1);
  ASSERT_TRUE(Put(first->gateway(), 1, there, 2).has_value());
  first->Abort();
  EXPECT_EQ(ValueOf(2, there), -1);
  // The reservation ends with the branch, which the write waits for.
  ASSERT_TRUE(Put(2, there, 3).has_value());
  EXPECT_EQ(ValueOf(1, there), 3);
}

TEST_F(ClusterTransactions, TheSecondWriterFailsAtWhicheverNodeItBegan) {
  const std::string there = KeyAt(2);
  ASSERT_TRUE(Put(1, there, 1).has_value());
  const auto first = Begin(1);
  const auto second = Begin(3);
  ASSERT_TRUE(Put(first->gateway(), 1, there, 2).has_value());
  EXPECT_FALSE(Put(second->gateway(), 3, there, 3).has_value());
  EXPECT_EQ(second->failure(), Failure::kConflict);
  second->Abort();
  ASSERT_TRUE(first->Commit("r", "1").has_value());
  EXPECT_EQ(ValueOf(1, there), 2);
}

TEST_F(ClusterTransactions, APartitionThatMovesEndsThoseThatUseIt) {
  const std::string there = KeyAt(2);
  ASSERT_TRUE(Put(1, there, 1).has_value());
  const auto transaction = Begin(1);
  ASSERT_TRUE(Put(transaction->gateway(), 1, there, 2).has_value());
  cluster.Move(PartitionOf(there), NodeId(3));
  EXPECT_EQ(ValueOf(transaction->gateway(), 1, there), -2);
  EXPECT_FALSE(transaction->Commit("r", "1").has_value());
  EXPECT_EQ(transaction->failure(), Failure::kUnavailable);
  // Its branch has kept the files open at their old owner.
  for (int tries = 0; tries < 100 && ValueOf(2, there) == -2; ++tries) cluster.Reconcile();
  EXPECT_EQ(ValueOf(2, there), 1);
}

TEST_F(ClusterTransactions, AWriteWhoseAnswerIsLostEndsThem) {
  const std::string there = KeyAt(2);
  const auto transaction = Begin(1);
  cluster.peers.answers_to_lose = 1;
  EXPECT_FALSE(Put(transaction->gateway(), 1, there, 2).has_value());
  EXPECT_EQ(transaction->failure(), Failure::kUnavailable);
  transaction->Abort();
  EXPECT_EQ(ValueOf(2, there), -1);
}

TEST_F(ClusterTransactions, BranchesEndWhenTheirNodeHasForgottenThem) {
  const std::string there = KeyAt(2);
  const auto transaction = Begin(1);
  ASSERT_TRUE(Put(transaction->gateway(), 1, there, 2).has_value());
  // While it is open nothing ends it.
  cluster.clock.Advance(std::chrono::seconds(20));
  cluster.core(2).transactions().MaintainOverNodes();
  EXPECT_EQ(ValueOf(transaction->gateway(), 1, there), 2);
  cluster.peers.cut = true;
  transaction->Abort();
  cluster.core(2).transactions().MaintainOverNodes();
  cluster.peers.cut = false;
  cluster.core(2).transactions().MaintainOverNodes();
  ASSERT_TRUE(Put(2, there, 3).has_value());
}

// A writer that sees its first write acknowledged before it begins the second: no snapshot has the
// second without the first.
TEST_F(ClusterTransactions, SnapshotsAreOfOneMomentOverNodes) {
  const std::string first = KeyAt(2);
  const std::string second = KeyAt(3);
  ASSERT_TRUE(Put(2, first, 0).has_value());
  ASSERT_TRUE(Put(3, second, 0).has_value());
  std::atomic<bool> stop = false;
  std::jthread writer([&] {
    for (int i = 1; !stop && i < 5'000; ++i) {
      ASSERT_TRUE(Put(2, first, i).has_value());
      ASSERT_TRUE(Put(3, second, i).has_value());
      cluster.clock.Advance(std::chrono::milliseconds(20));
    }
  });
  for (int i = 0; i < 100; ++i) {
    auto begun = cluster.core(1).gateway().BeginTransaction();
    if (!begun.has_value()) continue;  // no moment was found
    const int64_t later = ValueOf((*begun)->gateway(), 1, second);
    const int64_t earlier = ValueOf((*begun)->gateway(), 1, first);
    EXPECT_GE(earlier, later);
    EXPECT_LE(earlier, later + 1);
  }
  stop = true;
}

}  // namespace
}  // namespace orrery::gateway
