// Documents through nodes that do not have their partition.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <future>
#include <set>

#include "gateway/remote/cluster_testing.h"
#include "gateway/remote/codec/item_read_codec.h"
#include "gateway/remote/envelope.h"

namespace orrery::gateway {
namespace {

using cluster::PeerMethod;
using model::Value;

constexpr int kKeys = 24;

class RemoteDocuments : public testing::Test {
 protected:
  // Four partitions, two at each of two nodes.
  RemoteDocuments() {
    Catalog& catalog = cluster.core(1).catalog();
    EXPECT_TRUE(catalog.CreateDatabase("db", {}).has_value());
    ContainerSettings settings;
    settings.name = "c";
    settings.partition_key_paths = {"/pk"};
    settings.throughput = partition::ThroughputSettings::Manual(4'000);
    EXPECT_TRUE(catalog.CreateContainer("db", settings).has_value());
    cluster.Spread(2);
  }

  static std::string Pk(int i) { return "key" + std::to_string(i); }
  ContainerRef At(uint64_t node) { return cluster.Find(node, "db", "c"); }
  Hash128 HashOf(const std::string& pk) {
    return cluster.core(1).gateway().RoutePartitionKey(*At(1), {Value::String(pk)})->hash;
  }
  PartitionId PartitionOf(const std::string& pk) {
    return cluster.PartitionOf(At(1)->id, HashOf(pk));
  }
  // A key whose partition the node has, or has not.
  std::string KeyAt(NodeId node, int skip = 0) {
    for (int i = 0;; ++i) {
      if (cluster.OwnerOf(PartitionOf(Pk(i))) == node && skip-- == 0) return Pk(i);
    }
  }

  WriteResponse Put(uint64_t node, const std::string& pk, int n) {
    return cluster.core(node).gateway().WriteAndWait(TestServer::Upsert(
        At(node), R"({"id":"x","pk":")" + pk + R"(","n":)" + std::to_string(n) + "}"));
  }
  ReadResponse Get(uint64_t node, const std::string& pk,
                   storage::ReadMode mode = storage::ReadMode::kMayBlock,
                   std::string_view session = {}) {
    return cluster.core(node).gateway().Read(At(node), {Value::String(pk)}, Value::String("x"),
                                             mode, session);
  }
  int64_t NumberAt(uint64_t node, const std::string& pk) {
    const ReadResponse response = Get(node, pk);
    EXPECT_TRUE(response.status.has_value()) << response.status.error().ToString();
    return response.status.has_value() ? response.item.document.Find("n")->AsInteger() : -1;
  }
  WriteResponse Increment(uint64_t node, const std::string& pk) {
    WriteRequest request;
    request.container = At(node);
    request.partition_key = {Value::String(pk)};
    WriteOperation& operation = request.operations.emplace_back();
    operation.kind = item::OperationKind::kPatch;
    operation.row_key = Value::String("x");
    operation.patch.push_back({.type = model::PatchType::kIncrement,
                               .path = model::Path({"n"}),
                               .value = Value::Int32(1),
                               .from = {}});
    return cluster.core(node).gateway().WriteAndWait(std::move(request));
  }
  void Fill() {
    for (int i = 0; i < kKeys; ++i) ASSERT_TRUE(Put(1, Pk(i), i).status.has_value());
  }

  TestCluster cluster;
};

TEST_F(RemoteDocuments, AnyNodeTakesAnyWriteAndRead) {
  Fill();
  for (int i = 0; i < kKeys; ++i) {
    EXPECT_EQ(NumberAt(1, Pk(i)), i);
    EXPECT_EQ(NumberAt(2, Pk(i)), i);
  }
  EXPECT_GT(cluster.peers.Calls(PeerMethod::kWriteItems), 0);
  EXPECT_GT(cluster.peers.Calls(PeerMethod::kReadItem), 0);
}

TEST_F(RemoteDocuments, ChargesAndSessionsAreTheOwners) {
  const std::string pk = KeyAt(NodeId(2));
  const WriteResponse there = Put(1, pk, 1);
  const WriteResponse here = Put(2, pk, 1);
  EXPECT_EQ(here.charge, Put(1, pk, 1).charge);
  EXPECT_NE(there.session, "");
  EXPECT_EQ(there.results.size(), 1u);
  const ReadResponse remote = Get(1, pk, storage::ReadMode::kMayBlock, there.session);
  const ReadResponse local = Get(2, pk);
  ASSERT_TRUE(remote.status.has_value());
  EXPECT_EQ(remote.charge, local.charge);
  EXPECT_EQ(remote.session, local.session);
  EXPECT_EQ(remote.item.lsn, local.item.lsn);
  const std::string future =
      std::to_string(PartitionOf(pk).value()) + ":-1#" + std::to_string(1'000'000);
  const ReadResponse behind = Get(1, pk, storage::ReadMode::kMayBlock, future);
  ASSERT_FALSE(behind.status.has_value());
  EXPECT_EQ(behind.status.error().code(), Code::kUnavailable);
  EXPECT_EQ(cluster.timers.waits, 0) << "the owner said so: it is not asked again";
}

TEST_F(RemoteDocuments, ACachedReadOfAnotherNodesItemWouldBlock) {
  const std::string pk = KeyAt(NodeId(2));
  ASSERT_TRUE(Put(1, pk, 1).status.has_value());
  const ReadResponse response = Get(1, pk, storage::ReadMode::kCachedOnly);
  ASSERT_FALSE(response.status.has_value());
  EXPECT_EQ(response.status.error().code(), Code::kWouldBlock);
}

TEST_F(RemoteDocuments, WhatTheOwnerRefusesIsRefused) {
  const std::string pk = KeyAt(NodeId(2));
  const ReadResponse missing = Get(1, pk);
  ASSERT_FALSE(missing.status.has_value());
  EXPECT_EQ(missing.status.error().code(), Code::kNotFound);
  EXPECT_GT(missing.charge, RequestUnits());
  ASSERT_TRUE(Put(1, pk, 5).status.has_value());

  WriteRequest request = TestServer::Upsert(At(1), R"({"id":"x","pk":")" + pk + R"(","n":9})");
  request.operations[0].condition = *model::Expression::Apply(
      model::Operator::kGreater, {model::Expression::Reference(model::Path({"n"})),
                                  model::Expression::Literal(Value::Int32(5))});
  request.operations.push_back(request.operations[0]);
  const WriteResponse refused = cluster.core(1).gateway().WriteAndWait(std::move(request));
  ASSERT_FALSE(refused.status.has_value());
  EXPECT_EQ(refused.status.error().code(), Code::kPreconditionFailed);
  EXPECT_EQ(refused.failed_operation, 0u);
  EXPECT_EQ(NumberAt(1, pk), 5);
}

TEST_F(RemoteDocuments, ThrottlingComesFromTheOwnersBudget) {
  const std::string pk = KeyAt(NodeId(2));
  WriteResponse last;
  for (int i = 0; i < 1'000 && last.status.has_value(); ++i) last = Put(1, pk, i);
  ASSERT_FALSE(last.status.has_value());
  EXPECT_EQ(last.status.error().code(), Code::kThrottled);
  EXPECT_GT(last.status.error().retry_after_ms(), 0u);
  EXPECT_FALSE(Put(2, pk, 1).status.has_value()) << "it is one budget";
  EXPECT_TRUE(Put(1, KeyAt(NodeId(1)), 1).status.has_value());
}

TEST_F(RemoteDocuments, ScansGoThroughAllNodes) {
  Fill();
  const auto scan = [&](uint64_t first_node) {
    ScanSpec spec;
    spec.limits.items_max = 5;
    std::set<std::string> keys;
    std::string continuation;
    RequestUnits charge;
    uint64_t node = first_node;
    do {
      auto page = cluster.core(node).gateway().Scan(At(node), spec, continuation);
      EXPECT_TRUE(page.has_value()) << page.error().ToString();
      if (!page.has_value()) break;
      EXPECT_LE(page->items.size(), 5u);
      for (const item::ScannedItem& item : page->items)
        EXPECT_TRUE(keys.insert(std::string(item.document.view().Find("pk")->AsString())).second);
      charge += page->charge;
      continuation = page->continuation;
      node = 3 - node;  // a continuation is good at every node
    } while (!continuation.empty());
    EXPECT_EQ(keys.size(), size_t{kKeys});
    return charge;
  };
  EXPECT_EQ(scan(1), scan(2));
}

TEST_F(RemoteDocuments, AScanSendsItsFilterAndItsKey) {
  Fill();
  ScanSpec spec;
  spec.filter = std::make_shared<model::Expression>(*model::Expression::Apply(
      model::Operator::kLess, {model::Expression::Reference(model::Path({"n"})),
                               model::Expression::Literal(Value::Int32(7))}));
  for (const uint64_t node : {1, 2}) {
    const auto page = cluster.core(node).gateway().Scan(At(node), spec, {});
    ASSERT_TRUE(page.has_value());
    EXPECT_EQ(page->items.size(), 7u);
    EXPECT_EQ(page->partitions_visited, 4u);
  }
  ScanSpec one;
  one.partition_key = {Value::String(KeyAt(NodeId(2)))};
  const auto page = cluster.core(1).gateway().Scan(At(1), one, {});
  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(page->items.size(), 1u);
}

TEST_F(RemoteDocuments, TheFeedTellsOfAllNodesChanges) {
  FeedSpec from_now;
  from_now.start = FeedSpec::Start::kNow;
  const auto begin = cluster.core(1).gateway().ReadFeed(At(1), from_now, {});
  ASSERT_TRUE(begin.has_value());
  EXPECT_TRUE(begin->entries.empty());
  Fill();
  for (const std::string& from : {std::string(), begin->continuation}) {
    FeedSpec spec = from.empty() ? FeedSpec() : from_now;
    spec.limits.items_max = 7;
    std::set<std::string> keys;
    std::string continuation = from;
    for (int pages = 0; pages < 20; ++pages) {
      const uint64_t node = pages % 2 + 1;
      const auto page = cluster.core(node).gateway().ReadFeed(At(node), spec, continuation);
      ASSERT_TRUE(page.has_value()) << page.error().ToString();
      for (const item::FeedEntry& entry : page->entries)
        keys.insert(std::string(entry.document->view().Find("pk")->AsString()));
      continuation = page->continuation;
      if (page->drained) break;
    }
    EXPECT_EQ(keys.size(), size_t{kKeys});
  }
}

TEST_F(RemoteDocuments, TheFeedIsFilteredByTheOwner) {
  Fill();
  const std::string pk = KeyAt(NodeId(2));
  using model::Expression;
  FeedSpec spec;
  spec.filter = std::make_shared<const Expression>(*Expression::Apply(
      model::Operator::kEqual,
      {Expression::Field(model::Path({"pk"})), Expression::Literal(Value::String(pk))}));
  const auto page = cluster.core(1).gateway().ReadFeed(At(1), spec, {});
  ASSERT_TRUE(page.has_value()) << page.error().ToString();
  ASSERT_EQ(page->entries.size(), 1u);
  EXPECT_EQ(page->entries[0].document->view().Find("pk")->AsString(), pk);
}

TEST_F(RemoteDocuments, AWriteWaitsForAPartitionThatIsMoving) {
  const std::string pk = KeyAt(NodeId(2));
  const PartitionId id = PartitionOf(pk);
  ASSERT_TRUE(Put(1, pk, 1).status.has_value());
  cluster.Move(id, NodeId());
  cluster.timers.on_wait = [&] {
    if (cluster.timers.waits == 3) cluster.Move(id, NodeId(1));
  };
  EXPECT_TRUE(Put(1, pk, 2).status.has_value()) << "it ends here, where it arrived";
  EXPECT_EQ(cluster.timers.waits, 3);
  EXPECT_EQ(NumberAt(2, pk), 2);
}

TEST_F(RemoteDocuments, PagesWaitForAPartitionThatIsMoving) {
  Fill();
  const PartitionId id = PartitionOf(KeyAt(NodeId(2)));
  cluster.Move(id, NodeId());
  int homes = 0;
  cluster.timers.on_wait = [&] {
    if (++homes == 2) cluster.Move(id, NodeId(1));
  };
  size_t items = 0;
  std::string continuation;
  do {
    const auto page = cluster.core(1).gateway().Scan(At(1), {}, continuation);
    ASSERT_TRUE(page.has_value()) << page.error().ToString();
    items += page->items.size();
    continuation = page->continuation;
  } while (!continuation.empty());
  EXPECT_EQ(items, size_t{kKeys});
}

TEST_F(RemoteDocuments, WithoutAnOwnerItEndsAfterAWhile) {
  const std::string pk = KeyAt(NodeId(2));
  cluster.Move(PartitionOf(pk), NodeId());
  const Micros begin = cluster.clock.Monotonic();
  for (const Status& status : {Put(1, pk, 1).status, Get(1, pk).status}) {
    ASSERT_FALSE(status.has_value());
    EXPECT_EQ(status.error().code(), Code::kUnavailable);
  }
  EXPECT_GE(cluster.clock.Monotonic() - begin, std::chrono::seconds(19));
  EXPECT_LE(cluster.clock.Monotonic() - begin, std::chrono::seconds(21));
}

TEST_F(RemoteDocuments, ADamagedPartitionIsToldAtOnceAndOthersAreServed) {
  Fill();
  const std::string pk = KeyAt(NodeId(2));
  const std::string sound = KeyAt(NodeId(1));
  const PartitionId id = PartitionOf(pk);
  cluster.Move(id, NodeId());
  const std::filesystem::path current = cluster.PathOf(id) / "CURRENT";
  std::filesystem::rename(current, cluster.PathOf(id) / "kept");
  std::ofstream(current) << "rubbish\n";
  cluster.Move(id, NodeId(1));
  for (const uint64_t node : {1, 2}) {
    std::vector<Status> answers = {Put(node, pk, 1).status, Get(node, pk).status};
    std::string continuation;
    do {
      const auto page = cluster.core(node).gateway().Scan(At(node), {}, continuation);
      continuation = page.has_value() ? page->continuation : "";
      if (!page.has_value()) answers.emplace_back(Fail(page.error()));
    } while (!continuation.empty());
    FeedSpec feed;
    feed.start = FeedSpec::Start::kNow;
    const auto changes = cluster.core(node).gateway().ReadFeed(At(node), feed, {});
    if (!changes.has_value()) answers.emplace_back(Fail(changes.error()));
    EXPECT_EQ(answers.size(), 4u);
    for (const Status& answer : answers) {
      ASSERT_FALSE(answer.has_value());
      EXPECT_EQ(answer.error().code(), Code::kCorruption);
      EXPECT_NE(answer.error().message().find("restored from a backup"), std::string::npos);
    }
    EXPECT_TRUE(Put(node, sound, 7).status.has_value());
    EXPECT_EQ(NumberAt(node, sound), 7);
  }
  EXPECT_EQ(cluster.timers.waits, 0);

  // Other changes do not make it forgotten; when it is restored it is served.
  cluster.Reconcile();
  EXPECT_EQ(Get(2, pk).status.error().code(), Code::kCorruption);
  std::filesystem::rename(cluster.PathOf(id) / "kept", current);
  cluster.clock.Advance(std::chrono::seconds(2));
  cluster.Reconcile();
  EXPECT_GE(NumberAt(2, pk), 0);
  EXPECT_TRUE(Put(1, pk, 8).status.has_value());
  EXPECT_EQ(cluster.timers.waits, 0);
}

TEST_F(RemoteDocuments, ALostAnswerOfAWriteIsNotAskedForAgain) {
  const std::string pk = KeyAt(NodeId(2));
  ASSERT_TRUE(Put(1, pk, 10).status.has_value());
  cluster.peers.answers_to_lose = 1;
  const WriteResponse unknown = Increment(1, pk);
  ASSERT_FALSE(unknown.status.has_value());
  EXPECT_EQ(unknown.status.error().code(), Code::kUnavailable);
  cluster.peers.answers_to_lose = 3;
  EXPECT_EQ(NumberAt(1, pk), 11) << "once; and reads are asked again";
  EXPECT_EQ(cluster.peers.answers_to_lose, 0);
}

TEST_F(RemoteDocuments, AWriteThatWasOnItsWayFollowsItsPartition) {
  // The partition goes to the other node while its writers wait.
  const std::string pk = KeyAt(NodeId(1));
  const PartitionId id = PartitionOf(pk);
  ASSERT_TRUE(Put(1, pk, 1).status.has_value());
  cluster.timers.holds = true;
  auto partition = cluster.core(1).node().topology()->Find(id);
  partition->sequencer().Pause();
  std::promise<WriteResponse> promise;
  cluster.core(1).gateway().Write(
      TestServer::Upsert(At(1), R"({"id":"x","pk":")" + pk + R"(","n":2})"),
      [&](WriteResponse response) { promise.set_value(std::move(response)); });
  partition->sequencer().Resume();
  partition.reset();
  cluster.Move(id, NodeId(2));
  cluster.timers.Flush();
  const WriteResponse response = promise.get_future().get();
  ASSERT_TRUE(response.status.has_value()) << response.status.error().ToString();
  EXPECT_EQ(NumberAt(1, pk), 2);
}

TEST_F(RemoteDocuments, ASplitOfTheOwnerIsFollowed) {
  Fill();
  const std::string pk = KeyAt(NodeId(2));
  ASSERT_TRUE(cluster.core(2).node().Split(PartitionOf(pk), std::nullopt).has_value());
  // The other node has not heard of it yet.
  EXPECT_TRUE(Put(1, pk, 100).status.has_value());
  EXPECT_EQ(NumberAt(1, pk), 100);
  EXPECT_EQ(cluster.timers.waits, 0);
  cluster.timers.on_wait = [&] { cluster.Reconcile(); };
  size_t items = 0;
  std::string continuation;
  do {
    const auto page = cluster.core(1).gateway().Scan(At(1), {}, continuation);
    ASSERT_TRUE(page.has_value()) << page.error().ToString();
    items += page->items.size();
    continuation = page->continuation;
  } while (!continuation.empty());
  EXPECT_EQ(items, size_t{kKeys});
  EXPECT_GT(cluster.timers.waits, 0);
}

TEST_F(RemoteDocuments, TheServiceRefusesWhatItDoesNotKnow) {
  const auto ask = [&](RequestHead head, PeerMethod method, std::string body) {
    std::promise<Result<std::string>> promise;
    cluster.core(2).peer_service().Serve(
        NodeId(1), method, WrapRequest(head, body),
        [&](Result<std::string> answer) { promise.set_value(std::move(answer)); });
    const Result<std::string> answer = promise.get_future().get();
    EXPECT_TRUE(answer.has_value()) << "the transport has nothing to say";
    return OpenAnswer(*answer).error().code();
  };
  const ContainerRef container = At(2);
  const RequestHead known{container->id, container->version};
  EXPECT_EQ(ask({ContainerId(77), 1}, PeerMethod::kReadItem, ""), Code::kMoved);
  EXPECT_EQ(ask({known.container, known.version + 1}, PeerMethod::kReadItem, ""), Code::kMoved);
  EXPECT_EQ(ask(known, PeerMethod::kReadItem, "rubbish"), Code::kInvalidArgument);
  const auto elsewhere =
      cluster.core(1).gateway().RoutePartitionKey(*At(1), {Value::String(KeyAt(NodeId(1)))});
  EXPECT_EQ(ask(known, PeerMethod::kReadItem,
                EncodeItemRead({elsewhere->hash, elsewhere->encoded, ""}, "")),
            Code::kMoved);
  EXPECT_EQ(cluster.peers.Calls(PeerMethod::kReadItem), 0) << "it asks nobody else";
  EXPECT_EQ(ask(known, PeerMethod::kReadRow, ""), Code::kInvalidArgument);
  EXPECT_EQ(ask(known, PeerMethod::kSplitPartition, ""), Code::kUnsupported);
}

}  // namespace
}  // namespace orrery::gateway
