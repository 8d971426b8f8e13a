// Transactions of one logical partition, on a node that has it and on one that has not, with keys
// of every kind. What they show and refuse is tested at length by api/sql/script/transaction.
#include "gateway/transaction/transaction_view.h"

#include <gtest/gtest.h>

#include "gateway/remote/cluster_testing.h"

namespace orrery::gateway {
namespace {

using cluster::PeerMethod;
using model::Value;

class TransactionViewTest : public testing::Test {
 protected:
  // Four partitions of a container with a unique key, two at each of two nodes.
  TransactionViewTest() {
    Catalog& catalog = cluster.core(1).catalog();
    EXPECT_TRUE(catalog.CreateDatabase("db", {}).has_value());
    ContainerSettings settings;
    settings.name = "c";
    settings.partition_key_paths = {"/pk"};
    settings.unique_keys = {{"/email"}};
    settings.throughput = partition::ThroughputSettings::Manual(4'000);
    EXPECT_TRUE(catalog.CreateContainer("db", settings).has_value());
    cluster.Spread(2);
  }

  ContainerRef At(uint64_t node) { return cluster.Find(node, "db", "c"); }
  std::string KeyAt(NodeId node) {
    for (int i = 0;; ++i) {
      std::string pk = "key" + std::to_string(i);
      const auto routed = cluster.core(1).gateway().RoutePartitionKey(*At(1), {Value::String(pk)});
      if (cluster.OwnerOf(cluster.PartitionOf(At(1)->id, routed->hash)) == node) return pk;
    }
  }
  std::unique_ptr<TransactionView> Open(uint64_t node, const std::string& pk) {
    auto view = TransactionView::Open(cluster.core(node).gateway(), cluster.clock, At(node),
                                      {Value::String(pk)}, {});
    EXPECT_TRUE(view.has_value());
    return *std::move(view);
  }
  static model::Document User(const std::string& pk, const std::string& id,
                              const std::string& email) {
    return Json(R"({"id":")" + id + R"(","pk":")" + pk + R"(","email":")" + email + R"("})");
  }
  template <typename T>
  static Code CodeOf(const Result<T>& result) {
    return result.has_value() ? Code::kInternal : result.error().code();
  }

  TestCluster cluster;
};

TEST_F(TransactionViewTest, UniqueKeysHoldOnPartitionsOfOtherNodes) {
  const std::string pk = KeyAt(NodeId(2));
  auto first = Open(1, pk);
  ASSERT_TRUE(first->Create(User(pk, "1", "ann@a")).has_value());
  ASSERT_TRUE(first->Create(User(pk, "2", "bob@a")).has_value());
  const auto committed = first->Commit();
  ASSERT_TRUE(committed.has_value()) << committed.error().ToString();
  EXPECT_GT(cluster.peers.Calls(PeerMethod::kFindHolder), 0);

  auto view = Open(1, pk);
  EXPECT_EQ(CodeOf(view->Create(User(pk, "3", "ann@a"))), Code::kAlreadyExists);
  // A claim that the transaction itself releases is free.
  ASSERT_TRUE(view->Remove(Value::String("1"), {}).has_value());
  ASSERT_TRUE(view->Create(User(pk, "3", "ann@a")).has_value());
  ASSERT_TRUE(view->Commit().has_value());
  const auto stored = cluster.core(2).gateway().Read(At(2), {Value::String(pk)}, Value::String("3"),
                                                     storage::ReadMode::kMayBlock);
  EXPECT_TRUE(stored.status.has_value());
}

TEST_F(TransactionViewTest, ChangesMadeAtTheOwnerAreConflicts) {
  const std::string pk = KeyAt(NodeId(2));
  auto view = Open(1, pk);
  EXPECT_EQ(CodeOf(view->Read(Value::String("1"))), Code::kNotFound);
  ASSERT_TRUE(view->Create(User(pk, "2", "bob@a")).has_value());
  auto owner = Open(2, pk);
  ASSERT_TRUE(owner->Create(User(pk, "1", "ann@a")).has_value());
  ASSERT_TRUE(owner->Commit().has_value());
  EXPECT_EQ(CodeOf(view->Commit()), Code::kPreconditionFailed);
  EXPECT_TRUE(view->conflicted());
}

TEST_F(TransactionViewTest, AClaimOfAPartitionThatNobodyHasIsUnavailable) {
  const std::string pk = KeyAt(NodeId(2));
  const auto routed = cluster.core(1).gateway().RoutePartitionKey(*At(1), {Value::String(pk)});
  cluster.Move(cluster.PartitionOf(At(1)->id, routed->hash), NodeId(0));
  const auto holder = cluster.core(1).gateway().HolderOf(At(1), *routed, "claim");
  EXPECT_EQ(CodeOf(holder), Code::kUnavailable);
}

TEST(TransactionViewKeys, RowKeysMayBeOfAnyKind) {
  TestServer server;
  ASSERT_TRUE(server.catalog->CreateDatabase("db", {}).has_value());
  ContainerSettings settings;
  settings.name = "m";
  settings.partition_key_paths = {"/pk"};
  settings.row_key_path = "/_id";
  settings.order = model::Order::kMongo;
  const auto container = server.catalog->CreateContainer("db", settings);
  ASSERT_TRUE(container.has_value()) << container.error().ToString();
  auto opened =
      TransactionView::Open(*server.gateway, server.clock, *container, {Value::String("a")}, {});
  ASSERT_TRUE(opened.has_value());
  TransactionView& view = **opened;
  ASSERT_TRUE(view.Create(Json(R"({"_id":7,"pk":"a","n":1})")).has_value());
  ASSERT_TRUE(view.Replace(Value::Int32(7), Json(R"({"_id":"x","pk":"a","n":2})"), {}).has_value());
  EXPECT_FALSE(view.Read(Value::Int32(7)).has_value());
  EXPECT_TRUE(view.Read(Value::String("x")).has_value());
  ASSERT_TRUE(view.Commit().has_value());
}

}  // namespace
}  // namespace orrery::gateway
