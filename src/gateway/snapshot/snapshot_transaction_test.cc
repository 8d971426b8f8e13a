#include "gateway/snapshot/snapshot_transaction.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <thread>

#include "gateway/snapshot/transaction_coordinator.h"
#include "gateway/test_server.h"

namespace orrery::gateway {
namespace {

using Failure = SnapshotTransaction::Failure;

class SnapshotTransactionTest : public testing::Test {
 protected:
  // Each has budgets of its own second.
  std::shared_ptr<SnapshotTransaction> Begin() {
    server_.clock.Advance(std::chrono::seconds(1));
    auto begun = server_.gateway->BeginTransaction();
    EXPECT_TRUE(begun.has_value());
    return *std::move(begun);
  }
  static WriteResponse Put(Gateway& gateway, const ContainerRef& container, std::string_view json) {
    return gateway.WriteAndWait(TestServer::Upsert(container, json));
  }
  // The "v" of an item; -1 when there is none.
  static int64_t Value(Gateway& gateway, const ContainerRef& container, std::string pk) {
    const ReadResponse read = gateway.Read(container, {model::Value::String(std::move(pk))},
                                           model::Value::String("1"), storage::ReadMode::kMayBlock);
    if (!read.status.has_value()) return -1;
    return read.item.document.Find("v")->AsInteger();
  }
  // What a scan over all partitions shows: the sum of all "v".
  static int64_t Sum(Gateway& gateway, const ContainerRef& container) {
    int64_t sum = 0;
    std::string continuation;
    do {
      auto page = gateway.Scan(container, {}, continuation);
      EXPECT_TRUE(page.has_value());
      if (!page.has_value()) return -1;
      for (const auto& item : page->items) sum += item.document.view().Find("v")->AsInteger();
      continuation = page->continuation;
    } while (!continuation.empty());
    return sum;
  }
  static std::string Doc(std::string_view pk, int v) {
    return fmt::format(R"({{"id":"1","pk":"{}","v":{}}})", pk, v);
  }

  TestServer server_{SmallPartitions()};
};

TEST_F(SnapshotTransactionTest, SeesItsStartAndItsOwnWrites) {
  const ContainerRef a = server_.MakeContainer("a", partition::ThroughputSettings::Manual(4'000));
  ASSERT_TRUE(server_.Put(a, Doc("x", 1)).status.has_value());
  auto transaction = Begin();
  ASSERT_TRUE(server_.Put(a, Doc("y", 10)).status.has_value());
  Gateway& within = transaction->gateway();
  EXPECT_EQ(Value(within, a, "x"), 1);
  EXPECT_EQ(Value(within, a, "y"), -1);
  ASSERT_TRUE(Put(within, a, Doc("x", 2)).status.has_value());
  ASSERT_TRUE(Put(within, a, Doc("z", 5)).status.has_value());
  EXPECT_EQ(Value(within, a, "x"), 2);
  EXPECT_EQ(Sum(within, a), 7);
  EXPECT_EQ(Value(*server_.gateway, a, "x"), 1);
  EXPECT_EQ(Sum(*server_.gateway, a), 11);
  ASSERT_TRUE(transaction->Commit("r", "1").has_value());
  EXPECT_EQ(Sum(*server_.gateway, a), 17);
}

TEST_F(SnapshotTransactionTest, AbortLeavesNothing) {
  const ContainerRef a = server_.MakeContainer("a");
  auto transaction = Begin();
  ASSERT_TRUE(Put(transaction->gateway(), a, Doc("x", 2)).status.has_value());
  transaction->Abort();
  EXPECT_EQ(Value(*server_.gateway, a, "x"), -1);
  auto next = Begin();
  ASSERT_TRUE(Put(next->gateway(), a, Doc("x", 3)).status.has_value());
  ASSERT_TRUE(next->Commit("r", "1").has_value());
  EXPECT_EQ(Value(*server_.gateway, a, "x"), 3);
}

TEST_F(SnapshotTransactionTest, TheSecondWriterOfAnItemFailsAtOnce) {
  const ContainerRef a = server_.MakeContainer("a");
  ASSERT_TRUE(server_.Put(a, Doc("x", 1)).status.has_value());
  auto first = Begin();
  auto second = Begin();
  ASSERT_TRUE(Put(first->gateway(), a, Doc("x", 2)).status.has_value());
  EXPECT_FALSE(Put(second->gateway(), a, Doc("x", 3)).status.has_value());
  EXPECT_EQ(second->failure(), Failure::kConflict);
  second->Abort();
  ASSERT_TRUE(first->Commit("r", "1").has_value());
  EXPECT_EQ(Value(*server_.gateway, a, "x"), 2);
}

TEST_F(SnapshotTransactionTest, WhatWasStoredAfterTheStartIsNotOverwritten) {
  const ContainerRef a = server_.MakeContainer("a");
  ASSERT_TRUE(server_.Put(a, Doc("x", 1)).status.has_value());
  auto transaction = Begin();
  ASSERT_TRUE(server_.Put(a, Doc("x", 2)).status.has_value());
  EXPECT_EQ(Value(transaction->gateway(), a, "x"), 1);
  EXPECT_FALSE(Put(transaction->gateway(), a, Doc("x", 3)).status.has_value());
  EXPECT_EQ(transaction->failure(), Failure::kConflict);
}

TEST_F(SnapshotTransactionTest, AWriteOutsideWaitsForTheEnd) {
  const ContainerRef a = server_.MakeContainer("a");
  auto transaction = Begin();
  ASSERT_TRUE(Put(transaction->gateway(), a, Doc("x", 2)).status.has_value());
  std::promise<WriteResponse> promise;
  auto outside = promise.get_future();
  server_.gateway->Write(TestServer::Upsert(a, Doc("x", 7)),
                         [&](WriteResponse response) { promise.set_value(std::move(response)); });
  // Another item of the same partition does not wait.
  ASSERT_TRUE(server_.Put(a, Doc("y", 1)).status.has_value());
  EXPECT_EQ(outside.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  ASSERT_TRUE(transaction->Commit("r", "1").has_value());
  EXPECT_TRUE(outside.get().status.has_value());
  EXPECT_EQ(Value(*server_.gateway, a, "x"), 7);
}

TEST_F(SnapshotTransactionTest, CommitsOverPartitionsAreOneForEverySnapshot) {
  const ContainerRef a = server_.MakeContainer("a", partition::ThroughputSettings::Manual(4'000));
  const ContainerRef b = server_.MakeContainer("b");
  for (int i = 0; i < 16; ++i)
    ASSERT_TRUE(server_.Put(a, Doc(fmt::format("k{}", i), 100)).status.has_value());
  std::atomic<bool> stop = false;
  std::atomic<int> commits = 0;
  std::jthread writer([&] {
    // Also when an assertion ends it.
    const std::shared_ptr<void> at_end(nullptr, [&](void*) { stop = true; });
    for (int i = 0; i < 60; ++i) {
      auto transaction = Begin();
      Gateway& within = transaction->gateway();
      const std::string from = fmt::format("k{}", i % 16);
      const std::string to = fmt::format("k{}", (i * 7 + 3) % 16);
      if (from == to) continue;
      const auto left = static_cast<int>(Value(within, a, from));
      const auto right = static_cast<int>(Value(within, a, to));
      ASSERT_TRUE(Put(within, a, Doc(from, left - 1)).status.has_value());
      ASSERT_TRUE(Put(within, a, Doc(to, right + 1)).status.has_value());
      ASSERT_TRUE(Put(within, b, Doc(fmt::format("log{}", i), 1)).status.has_value());
      ASSERT_TRUE(transaction->Commit("r", "1").has_value());
      ++commits;
    }
  });
  while (!stop) {
    auto reader = Begin();
    EXPECT_EQ(Sum(reader->gateway(), a), 1'600);
  }
  writer.join();
  EXPECT_EQ(Sum(*server_.gateway, a), 1'600);
  EXPECT_EQ(Sum(*server_.gateway, b), commits);
  // Commit records and marks go with maintenance.
  EXPECT_TRUE(server_.core().transactions().HasReceipt("r", "1").value());
  EXPECT_FALSE(server_.core().transactions().HasReceipt("other", "1").value());
}

TEST_F(SnapshotTransactionTest, ASplitEndsATransactionThatUsesThePartition) {
  const ContainerRef a = server_.MakeContainer("a", partition::ThroughputSettings::Manual(1'000));
  for (int i = 0; i < 8; ++i)
    ASSERT_TRUE(server_.Put(a, Doc(fmt::format("k{}", i), 1)).status.has_value());
  auto transaction = Begin();
  ASSERT_TRUE(Put(transaction->gateway(), a, Doc("k1", 5)).status.has_value());
  auto committed = Begin();
  ASSERT_TRUE(Put(committed->gateway(), a, Doc("k2", 7)).status.has_value());
  ASSERT_TRUE(Put(committed->gateway(), a, Doc("k6", 7)).status.has_value());
  const auto topology = server_.node->topology();
  const PartitionId id =
      topology
          ->Route(a->id, server_.gateway->RoutePartitionKey(*a, {model::Value::String("k1")})->hash)
          ->id();
  ASSERT_TRUE(server_.node->Split(id, std::nullopt).has_value());
  EXPECT_EQ(Value(transaction->gateway(), a, "k1"), -1);
  EXPECT_EQ(transaction->failure(), Failure::kUnavailable);
  // What has no more to read can be committed, by the versions that it saw.
  ASSERT_TRUE(committed->Commit("r", "1").has_value());
  EXPECT_EQ(Sum(*server_.gateway, a), 6 + 14);
}

// The state that a crash leaves between the decision and the writes, and after some of them.
TEST_F(SnapshotTransactionTest, WhatWasDecidedIsWrittenAfterARestart) {
  const ContainerRef a = server_.MakeContainer("a", partition::ThroughputSettings::Manual(4'000));
  constexpr uint64_t kNumber = 1'000;
  TransactionWrites writes;
  TransactionWrites first;
  for (int i = 0; i < 12; ++i) {
    const std::string pk = fmt::format("k{}", i);
    const auto key = server_.gateway->RoutePartitionKey(*a, {model::Value::String(pk)});
    ASSERT_TRUE(key.has_value());
    item::Operation write;
    write.kind = item::OperationKind::kUpsert;
    write.row_key = *server_.gateway->EncodeRowKey(*a, model::Value::String("1"));
    write.document = Json(Doc(pk, i));
    write.if_absent = true;
    if (i == 0) first.Add(a->id, key->hash, key->encoded, write);
    writes.Add(a->id, key->hash, key->encoded, std::move(write));
  }
  const auto submit = [&](const CommitPlace& place, item::TransactionGroup::Parts parts) {
    const auto topology = server_.node->topology();
    cluster::HostedPartition& partition = *topology->Route(place.container, place.hash);
    std::promise<Status> promise;
    partition.sequencer().Submit(std::make_unique<item::TransactionGroup>(
        std::move(parts), partition.ledger(),
        [&](const std::unique_ptr<item::TransactionGroup>&, Status status) {
          promise.set_value(std::move(status));
        }));
    EXPECT_TRUE(promise.get_future().get().has_value());
  };
  const LogicalWrites& written = first.logical().front();
  const CommitPlace record{written.container, written.hash, kNumber};
  const CommitPlace mark{written.container, written.hash, kNumber + 1};
  submit(record, {.transactions = {}, .entries = {{record.Key(), writes.Encode()}}});
  item::TransactionGroup::Parts one;
  one.transactions.push_back({.schema = a->schema,
                              .hash = written.hash,
                              .partition_key = written.partition_key,
                              .operations = written.operations});
  one.entries = {{mark.Key(), std::string()}};
  submit(mark, std::move(one));
  server_.Restart();
  const ContainerRef again = server_.Find("a");
  EXPECT_EQ(Sum(*server_.gateway, again), 66);
  server_.clock.Advance(std::chrono::seconds(1));
  for (int i = 0; i < 12; ++i) EXPECT_EQ(Value(*server_.gateway, again, fmt::format("k{}", i)), i);
  // The record goes first, then the marks.
  server_.core().transactions().Maintain();
  server_.core().transactions().Maintain();
  for (const auto& [id, partition] : server_.node->topology()->hosted) {
    const auto left = partition->engine().NewIterator({.lower = "C", .upper = "D"});
    left->SeekToFirst();
    EXPECT_FALSE(left->Valid());
  }
}

}  // namespace
}  // namespace orrery::gateway
