// Commits of transactions over several partitions and nodes of a cluster.
#include <algorithm>
#include <atomic>
#include <future>
#include <thread>

#include "gateway/snapshot/cluster_transaction_testing.h"

namespace orrery::gateway {
namespace {

using cluster::PeerMethod;
using Failure = SnapshotTransaction::Failure;

class ClusterCommits : public ClusterTransactionTesting {
 protected:
  // Writes `v` to two keys of each node.
  void PutAll(Gateway& gateway, uint64_t at, int v) {
    for (uint64_t node = 1; node <= 3; ++node) {
      ASSERT_TRUE(Put(gateway, at, KeyAt(node), v).has_value());
      ASSERT_TRUE(Put(gateway, at, OtherKeyAt(node), v).has_value());
    }
  }
  // Of the node's other partition.
  std::string OtherKeyAt(uint64_t node) {
    for (int skip = 1;; ++skip) {
      const std::string key = KeyAt(node, skip);
      if (PartitionOf(key) != PartitionOf(KeyAt(node))) return key;
    }
  }
  void ExpectAll(uint64_t at, int v) {
    for (uint64_t node = 1; node <= 3; ++node) {
      EXPECT_EQ(ValueOf(at, KeyAt(node)), v);
      EXPECT_EQ(ValueOf(at, OtherKeyAt(node)), v);
    }
  }
  // The number of prepare records that are stored.
  int Prepared() {
    int count = 0;
    for (uint64_t node = 1; node <= 3; ++node) {
      for (const auto& [id, partition] : cluster.core(node).node().topology()->hosted) {
        const auto cursor = partition->engine().NewIterator({.lower = "C", .upper = "D"});
        for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) ++count;
      }
    }
    return count;
  }
  void MaintainAll() {
    for (uint64_t node = 1; node <= 3; ++node)
      cluster.core(node).transactions().MaintainOverNodes();
  }
};

TEST_F(ClusterCommits, AreSeenAtAllNodesAtOnce) {
  PutAll(cluster.core(1).gateway(), 1, 1);
  const auto transaction = Begin(1);
  PutAll(transaction->gateway(), 1, 2);
  ExpectAll(2, 1);
  ASSERT_TRUE(transaction->Commit("r", "1").has_value());
  for (uint64_t node = 1; node <= 3; ++node) {
    ExpectAll(node, 2);
    EXPECT_TRUE(cluster.core(node).transactions().HasReceipt("r", "1").value());
  }
  EXPECT_EQ(Prepared(), 0);
  // Nothing is reserved any more.
  PutAll(cluster.core(3).gateway(), 3, 3);
  ExpectAll(1, 3);
}

TEST_F(ClusterCommits, OfPartitionsOfOneOtherNode) {
  const auto transaction = Begin(1);
  ASSERT_TRUE(Put(transaction->gateway(), 1, KeyAt(2), 2).has_value());
  ASSERT_TRUE(Put(transaction->gateway(), 1, OtherKeyAt(2), 2).has_value());
  ASSERT_TRUE(transaction->Commit("r", "1").has_value());
  EXPECT_EQ(ValueOf(3, KeyAt(2)), 2);
  EXPECT_EQ(ValueOf(3, OtherKeyAt(2)), 2);
  EXPECT_EQ(Prepared(), 0);
}

TEST_F(ClusterCommits, AreNotMadeInPart) {
  PutAll(cluster.core(1).gateway(), 1, 1);
  const auto transaction = Begin(1);
  PutAll(transaction->gateway(), 1, 2);
  // One of its branches is lost.
  cluster.core(3).transactions().Serve(cluster.core(3).gateway(), PeerMethod::kEndTransaction,
                                       EncodeEnd({.act = BranchEnd::Act::kAbort,
                                                  .id = transaction->id(),
                                                  .deadline = {},
                                                  .receipt = {},
                                                  .value = {}}));
  EXPECT_FALSE(transaction->Commit("r", "1").has_value());
  EXPECT_EQ(transaction->failure(), Failure::kUnavailable);
  ExpectAll(2, 1);
  EXPECT_EQ(Prepared(), 0);
  PutAll(cluster.core(2).gateway(), 2, 3);
  EXPECT_FALSE(cluster.core(2).transactions().HasReceipt("r", "1").value());
}

TEST_F(ClusterCommits, WhoseDecisionIsNeverMadeAreGivenUpByThoseWhoWait) {
  PutAll(cluster.core(1).gateway(), 1, 1);
  const auto transaction = Begin(1);
  ASSERT_TRUE(Put(transaction->gateway(), 1, KeyAt(2), 2).has_value());
  ASSERT_TRUE(Put(transaction->gateway(), 1, KeyAt(3), 2).has_value());
  // The node that began it falls silent before it decides.
  cluster.peers.before_call = [&](PeerMethod method) {
    if (method == PeerMethod::kDecideTransaction) cluster.peers.cut = true;
  };
  EXPECT_FALSE(transaction->Commit("r", "1").has_value());
  EXPECT_FALSE(transaction->is_settled());
  EXPECT_EQ(Prepared(), 2);
  cluster.peers.before_call = nullptr;
  cluster.peers.cut = false;
  cluster.clock.Advance(std::chrono::seconds(20));
  cluster.core(2).transactions().MaintainOverNodes();
  cluster.core(3).transactions().MaintainOverNodes();
  EXPECT_EQ(Prepared(), 0);
  ExpectAll(2, 1);
  cluster.core(1).transactions().MaintainOverNodes();
  EXPECT_TRUE(transaction->is_settled());
  EXPECT_FALSE(cluster.core(1).transactions().HasReceipt("r", "1").value());
  PutAll(cluster.core(2).gateway(), 2, 3);
}

TEST_F(ClusterCommits, ThatAreDecidedAreMadeByNewOwners) {
  PutAll(cluster.core(1).gateway(), 1, 1);
  const auto transaction = Begin(1);
  PutAll(transaction->gateway(), 1, 2);
  // It decides, and nobody is told.
  cluster.peers.before_call = [&](PeerMethod method) {
    if (method == PeerMethod::kResolveTransaction) cluster.peers.cut = true;
  };
  EXPECT_TRUE(transaction->Commit("r", "1").has_value());
  cluster.peers.before_call = nullptr;
  cluster.peers.cut = false;
  EXPECT_EQ(Prepared(), 4);
  const PartitionId moved = PartitionOf(KeyAt(3));
  const std::string key = KeyAt(3);
  cluster.Move(moved, NodeId(2));
  // Writes wait for it at the new owner too, so they come after it.
  std::promise<Status> promise;
  auto outside = promise.get_future();
  cluster.core(2).gateway().Write(
      TestServer::Upsert(At(2), fmt::format(R"({{"id":"1","pk":"{}","v":7}})", key)),
      [&](const WriteResponse& response) { promise.set_value(response.status); });
  EXPECT_EQ(outside.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  cluster.clock.Advance(std::chrono::seconds(20));
  cluster.core(2).transactions().MaintainOverNodes();
  cluster.core(3).transactions().MaintainOverNodes();
  EXPECT_TRUE(outside.get().has_value());
  EXPECT_EQ(Prepared(), 0);
  EXPECT_EQ(ValueOf(1, key), 7);
  ASSERT_TRUE(Put(1, key, 2).has_value());
  EXPECT_EQ(Sum(cluster.core(1).gateway(), 1), 12);
  // What the node that began it still has to do finds nothing left.
  cluster.core(1).transactions().MaintainOverNodes();
  EXPECT_EQ(Sum(cluster.core(1).gateway(), 1), 12);
}

TEST_F(ClusterCommits, ADecisionWhoseAnswerIsLostIsAskedForAgain) {
  PutAll(cluster.core(1).gateway(), 1, 1);
  const auto transaction = Begin(1);
  ASSERT_TRUE(Put(transaction->gateway(), 1, KeyAt(2), 2).has_value());
  ASSERT_TRUE(Put(transaction->gateway(), 1, KeyAt(3), 2).has_value());
  cluster.peers.before_call = [&](PeerMethod method) {
    if (method != PeerMethod::kDecideTransaction) return;
    cluster.peers.before_call = nullptr;
    cluster.peers.answers_to_lose = 1;
  };
  EXPECT_TRUE(transaction->Commit("r", "1").has_value());
  EXPECT_EQ(ValueOf(1, KeyAt(2)), 2);
  EXPECT_EQ(ValueOf(1, KeyAt(3)), 2);
  EXPECT_EQ(Prepared(), 0);
}

// A snapshot that is taken while a commit before it is written at one node and not yet at another.
TEST_F(ClusterCommits, InDoubtAreInSnapshotsThatComeAfterThem) {
  PutAll(cluster.core(1).gateway(), 1, 1);
  const auto transaction = Begin(1);
  PutAll(transaction->gateway(), 1, 2);
  std::atomic<bool> decided = false;
  std::atomic<bool> go_on = false;
  cluster.peers.before_call = [&](PeerMethod method) {
    if (method != PeerMethod::kResolveTransaction) return;
    decided = true;
    decided.notify_all();
    go_on.wait(false);
  };
  auto committed = std::async(std::launch::async, [&] { return transaction->Commit("r", "1"); });
  decided.wait(false);
  auto begun = cluster.core(1).gateway().BeginTransaction();
  ASSERT_TRUE(begun.has_value());
  auto sum = std::async(std::launch::async, [&] { return Sum((*begun)->gateway(), 1); });
  go_on = true;
  go_on.notify_all();
  EXPECT_TRUE(committed.get().has_value());
  EXPECT_EQ(sum.get(), 12);
  // It sees them, but they were written after its snapshots: it cannot write there.
  EXPECT_FALSE(Put((*begun)->gateway(), 1, KeyAt(3), 9).has_value());
  EXPECT_EQ((*begun)->failure(), Failure::kConflict);
  cluster.peers.before_call = nullptr;
}

TEST_F(ClusterCommits, KeepTheSumOfAllAccounts) {
  std::vector<std::string> keys;
  for (uint64_t node = 1; node <= 3; ++node) {
    for (int skip = 0; skip < 4; ++skip) keys.push_back(KeyAt(node, skip));
  }
  for (const std::string& key : keys) ASSERT_TRUE(Put(1, key, 100).has_value());
  std::atomic<int> commits = 0;
  std::atomic<int> running = 2;
  const auto transfer = [&](uint64_t node) {
    for (size_t i = 0; i < 60; ++i) {
      auto begun = cluster.core(node).gateway().BeginTransaction();
      cluster.clock.Advance(std::chrono::milliseconds(200));
      if (!begun.has_value()) continue;
      Gateway& within = (*begun)->gateway();
      const std::string& from = keys[(i * 5 + node) % keys.size()];
      const std::string& to = keys[(i * 7 + node * 3 + 1) % keys.size()];
      if (from == to) continue;
      const int64_t left = ValueOf(within, node, from);
      const int64_t right = ValueOf(within, node, to);
      if (left == -2 || right == -2) continue;
      if (!Put(within, node, from, static_cast<int>(left) - 1).has_value()) continue;
      if (!Put(within, node, to, static_cast<int>(right) + 1).has_value()) continue;
      if ((*begun)->Commit("r", "1").has_value()) ++commits;
    }
    --running;
  };
  std::jthread first([&] { transfer(1); });
  std::jthread second([&] { transfer(2); });
  int sums = 0;
  while (running > 0) {
    auto begun = cluster.core(3).gateway().BeginTransaction();
    if (!begun.has_value()) continue;
    const int64_t sum = Sum((*begun)->gateway(), 3);
    if (sum == -1) continue;  // it had to end
    EXPECT_EQ(sum, 1'200);
    ++sums;
  }
  first.join();
  second.join();
  MaintainAll();
  EXPECT_EQ(Sum(cluster.core(1).gateway(), 1), 1'200);
  EXPECT_EQ(Prepared(), 0);
  EXPECT_GT(commits, 10);
  EXPECT_GT(sums, 0);
}

}  // namespace
}  // namespace orrery::gateway
