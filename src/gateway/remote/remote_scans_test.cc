// Several pages that are asked for together, of partitions at three nodes.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>

#include "gateway/remote/cluster_testing.h"

namespace orrery::gateway {
namespace {

using cluster::PeerMethod;

constexpr int kItems = 120;

// Answers as a node of an older release: it knows nothing of groups of scans.
class OlderService final : public cluster::PeerService {
 public:
  explicit OlderService(cluster::PeerService& service) : service_(service) {}
  void Serve(NodeId caller, PeerMethod method, std::string request, Answer answer) override {
    if (method == PeerMethod::kScanManyItems)
      return answer(Fail(Code::kUnsupported, "not a call of a node's partitions"));
    service_.Serve(caller, method, std::move(request), std::move(answer));
  }

 private:
  cluster::PeerService& service_;
};

class RemoteScansTest : public testing::Test {
 protected:
  // Nine partitions, three at each of three nodes.
  RemoteScansTest() {
    Catalog& catalog = cluster_.core(1).catalog();
    EXPECT_TRUE(catalog.CreateDatabase("db", {}).has_value());
    ContainerSettings settings;
    settings.name = "c";
    settings.partition_key_paths = {"/pk"};
    settings.throughput = partition::ThroughputSettings::Manual(9'000);
    EXPECT_TRUE(catalog.CreateContainer("db", settings).has_value());
    cluster_.Spread(3);
    for (int i = 0; i < kItems; ++i) {
      const auto written = cluster_.core(1).gateway().WriteAndWait(
          TestServer::Upsert(At(1), R"({"id":"x","pk":"key)" + std::to_string(i) + R"("})"));
      EXPECT_TRUE(written.status.has_value());
    }
    for (const auto& entry : cluster_.core(1).node().topology()->map->Ranges(At(1)->id)) {
      ScanSpec& spec = specs_.emplace_back();
      spec.range = entry.range;
      partitions_.push_back(entry.partition);
    }
    EXPECT_EQ(specs_.size(), 9u);
  }

  ContainerRef At(uint64_t node) { return cluster_.Find(node, "db", "c"); }

  // One page of each partition, asked at the first node.
  std::vector<Result<ScanResponse>> ScanAll() {
    std::vector<ScanQuestion> questions;
    continuations_.resize(specs_.size());
    for (size_t i = 0; i < specs_.size(); ++i) questions.push_back({specs_[i], continuations_[i]});
    return cluster_.core(1).gateway().ScanAll(At(1), questions, 8);
  }
  // What the same questions are answered one by one.
  std::vector<Result<ScanResponse>> ScanEach() {
    std::vector<Result<ScanResponse>> pages;
    for (const ScanSpec& spec : specs_)
      pages.push_back(cluster_.core(1).gateway().Scan(At(1), spec, {}));
    return pages;
  }

  static std::vector<std::string> KeysOf(const ScanResponse& page) {
    std::vector<std::string> keys;
    for (const item::ScannedItem& item : page.items) keys.push_back(item.key.partition_key);
    return keys;
  }
  void ExpectTheSame(const std::vector<Result<ScanResponse>>& together,
                     const std::vector<Result<ScanResponse>>& each) {
    ASSERT_EQ(together.size(), each.size());
    for (size_t i = 0; i < each.size(); ++i) {
      ASSERT_TRUE(together[i].has_value()) << together[i].error().ToString();
      ASSERT_TRUE(each[i].has_value()) << each[i].error().ToString();
      EXPECT_EQ(KeysOf(*together[i]), KeysOf(*each[i])) << i;
      EXPECT_EQ(together[i]->charge, each[i]->charge) << i;
      EXPECT_EQ(together[i]->session, each[i]->session) << i;
      EXPECT_EQ(together[i]->continuation, each[i]->continuation) << i;
    }
  }

  TestCluster cluster_;
  std::vector<ScanSpec> specs_;  // one for each partition
  std::vector<std::string> continuations_;
  std::vector<PartitionId> partitions_;
};

TEST_F(RemoteScansTest, EachNodeIsAskedOnce) {
  ExpectTheSame(ScanAll(), ScanEach());
  EXPECT_EQ(cluster_.peers.Calls(PeerMethod::kScanManyItems), 2);
  EXPECT_EQ(cluster_.peers.Calls(PeerMethod::kScanItems), 6) << "those that went one by one";
}

TEST_F(RemoteScansTest, SmallPagesAreTheSameOnes) {
  for (ScanSpec& spec : specs_) spec.limits.items_max = 2;
  ExpectTheSame(ScanAll(), ScanEach());
  std::set<std::string> keys;
  for (bool is_done = false; !is_done;) {
    const auto pages = ScanAll();
    std::vector<ScanSpec> left;
    continuations_.clear();
    for (size_t i = 0; i < pages.size(); ++i) {
      ASSERT_TRUE(pages[i].has_value()) << pages[i].error().ToString();
      EXPECT_LE(pages[i]->items.size(), 2u);
      for (const std::string& key : KeysOf(*pages[i])) EXPECT_TRUE(keys.insert(key).second);
      if (pages[i]->continuation.empty()) continue;
      left.push_back(specs_[i]);
      continuations_.push_back(pages[i]->continuation);
    }
    specs_ = std::move(left);
    is_done = specs_.empty();
  }
  EXPECT_EQ(keys.size(), size_t{kItems});
}

TEST_F(RemoteScansTest, AWaveOfOneScanAsksEachNodeOnce) {
  ScanSpec spec;
  spec.limits.items_max = 1'000;
  spec.parallel_max = 64;
  // Waves grow: of the third, with four pieces, two are the first node's.
  const auto page = cluster_.core(2).gateway().Scan(At(2), spec, {});
  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(page->items.size(), size_t{kItems});
  EXPECT_GT(cluster_.peers.Calls(PeerMethod::kScanManyItems), 0);
  EXPECT_LT(cluster_.peers.Calls(PeerMethod::kScanManyItems) +
                cluster_.peers.Calls(PeerMethod::kScanItems),
            6);
}

TEST_F(RemoteScansTest, AnOlderNodeIsAskedForEachByItself) {
  OlderService older(cluster_.core(2).peer_service());
  cluster_.peers.services[NodeId(2)] = &older;
  const auto each = ScanEach();
  for (int round = 0; round < 2; ++round) ExpectTheSame(ScanAll(), each);
  // The second time it is known.
  EXPECT_EQ(cluster_.peers.Calls(PeerMethod::kScanManyItems), 3);
  EXPECT_EQ(cluster_.peers.Calls(PeerMethod::kScanItems), 6 + 3 + 3);
  // It may be a new one by now.
  cluster_.peers.services[NodeId(2)] = &cluster_.core(2).peer_service();
  cluster_.clock.Advance(std::chrono::minutes(2));
  ExpectTheSame(ScanAll(), ScanEach());
  EXPECT_EQ(cluster_.peers.Calls(PeerMethod::kScanManyItems), 5);
  cluster_.peers.Close();  // before the older one goes
}

TEST_F(RemoteScansTest, AMovedPartitionIsFollowedAndOthersAreAnswered) {
  const auto before = ScanEach();
  const auto moved = std::ranges::find_if(
      partitions_, [&](PartitionId id) { return cluster_.OwnerOf(id) == NodeId(2); });
  ASSERT_NE(moved, partitions_.end());
  // The owner gives it away while the question is on its way.
  std::atomic<bool> is_first = true;
  cluster_.peers.before_call = [&](PeerMethod method) {
    if (method == PeerMethod::kScanManyItems && is_first.exchange(false))
      cluster_.Move(*moved, NodeId(3));
  };
  const auto pages = ScanAll();
  cluster_.peers.before_call = nullptr;
  ASSERT_EQ(pages.size(), before.size());
  for (size_t i = 0; i < pages.size(); ++i) {
    ASSERT_TRUE(pages[i].has_value()) << pages[i].error().ToString();
    EXPECT_EQ(KeysOf(*pages[i]), KeysOf(*before[i]));
  }
}

TEST_F(RemoteScansTest, ALostAnswerIsAskedForAgain) {
  const auto each = ScanEach();
  cluster_.peers.answers_to_lose = 2;
  ExpectTheSame(ScanAll(), each);
  EXPECT_EQ(cluster_.peers.answers_to_lose, 0);
}

TEST_F(RemoteScansTest, ARefusedPieceDoesNotRefuseTheOthers) {
  for (ScanSpec& spec : specs_) spec.session = "";
  const auto there = std::ranges::find_if(
      partitions_, [&](PartitionId id) { return cluster_.OwnerOf(id) == NodeId(2); });
  const auto at = static_cast<size_t>(there - partitions_.begin());
  specs_[at].session = std::to_string(there->value()) + ":-1#1000000";
  const auto pages = ScanAll();
  for (size_t i = 0; i < pages.size(); ++i) {
    if (i == at) {
      ASSERT_FALSE(pages[i].has_value());
      EXPECT_EQ(pages[i].error().code(), Code::kUnavailable) << "the owner has not seen that yet";
    } else {
      EXPECT_TRUE(pages[i].has_value()) << i;
    }
  }
}

TEST_F(RemoteScansTest, OnAnEventLoopNoOtherNodeIsAsked) {
  for (size_t i = 0; i < specs_.size(); ++i) {
    specs_[i].limits.items_max = 20;
    const auto page = cluster_.core(1).gateway().Scan(At(1), specs_[i], {},
                                                      storage::ReadMode::kCachedOnly);
    if (cluster_.OwnerOf(partitions_[i]) == NodeId(1)) {
      ASSERT_TRUE(page.has_value()) << page.error().ToString();
      EXPECT_EQ(KeysOf(*page), KeysOf(*cluster_.core(1).gateway().Scan(At(1), specs_[i], {})));
    } else {
      ASSERT_FALSE(page.has_value());
      EXPECT_EQ(page.error().code(), Code::kWouldBlock);
    }
  }
  EXPECT_EQ(cluster_.peers.Calls(PeerMethod::kScanItems), 0);
}

}  // namespace
}  // namespace orrery::gateway
