// A cluster of three cores, with a container of six partitions, for tests of transactions over
// nodes.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "gateway/remote/cluster_testing.h"
#include "gateway/snapshot/snapshot_transaction.h"
#include "gateway/snapshot/transaction_coordinator.h"

namespace orrery::gateway {

class ClusterTransactionTesting : public testing::Test {
 protected:
  // Six partitions, two at each of three nodes.
  ClusterTransactionTesting() {
    Catalog& catalog = cluster.core(1).catalog();
    EXPECT_TRUE(catalog.CreateDatabase("db", {}).has_value());
    ContainerSettings settings;
    settings.name = "c";
    settings.partition_key_paths = {"/pk"};
    settings.throughput = partition::ThroughputSettings::Manual(6'000);
    EXPECT_TRUE(catalog.CreateContainer("db", settings).has_value());
    cluster.Spread(3);
  }

  ContainerRef At(uint64_t node) { return cluster.Find(node, "db", "c"); }
  Hash128 HashOf(const std::string& pk) {
    return cluster.core(1).gateway().RoutePartitionKey(*At(1), {model::Value::String(pk)})->hash;
  }
  PartitionId PartitionOf(const std::string& pk) {
    return cluster.PartitionOf(At(1)->id, HashOf(pk));
  }
  // A key whose partition the node has.
  std::string KeyAt(uint64_t node, int skip = 0) {
    for (int i = 0;; ++i) {
      const std::string key = fmt::format("key{}", i);
      if (cluster.OwnerOf(PartitionOf(key)) == NodeId(node) && skip-- == 0) return key;
    }
  }

  // Each has budgets of its own second.
  std::shared_ptr<SnapshotTransaction> Begin(uint64_t node) {
    cluster.clock.Advance(std::chrono::seconds(1));
    auto begun = cluster.core(node).gateway().BeginTransaction();
    EXPECT_TRUE(begun.has_value()) << begun.error().ToString();
    return *std::move(begun);
  }
  Status Put(Gateway& gateway, uint64_t node, const std::string& pk, int v) {
    return gateway
        .WriteAndWait(
            TestServer::Upsert(At(node), fmt::format(R"({{"id":"1","pk":"{}","v":{}}})", pk, v)))
        .status;
  }
  Status Put(uint64_t node, const std::string& pk, int v) {
    return Put(cluster.core(node).gateway(), node, pk, v);
  }
  // The "v" of an item; -1 when there is none, -2 when it cannot be read.
  int64_t ValueOf(Gateway& gateway, uint64_t node, const std::string& pk) {
    const ReadResponse read = gateway.Read(At(node), {model::Value::String(pk)},
                                           model::Value::String("1"), storage::ReadMode::kMayBlock);
    if (read.status.has_value()) return read.item.document.Find("v")->AsInteger();
    return read.status.error().code() == Code::kNotFound ? -1 : -2;
  }
  int64_t ValueOf(uint64_t node, const std::string& pk) {
    return ValueOf(cluster.core(node).gateway(), node, pk);
  }
  // The sum of all "v" that a scan over all partitions shows; -1 when it fails.
  int64_t Sum(Gateway& gateway, uint64_t node) {
    int64_t sum = 0;
    std::string continuation;
    do {
      auto page = gateway.Scan(At(node), {}, continuation);
      if (!page.has_value()) return -1;
      for (const auto& item : page->items) sum += item.document.view().Find("v")->AsInteger();
      continuation = page->continuation;
    } while (!continuation.empty());
    return sum;
  }

  TestCluster cluster;
};

}  // namespace orrery::gateway
