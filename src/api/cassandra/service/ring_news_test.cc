#include "api/cassandra/service/ring_news.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>

#include "api/cassandra/service/advertised.h"

namespace orrery::cassandra {
namespace {

class SomeRing final : public gateway::RingSource {
 public:
  NodeId self() const override { return NodeId(1); }
  std::shared_ptr<const gateway::Ring> Look() override {
    return std::make_shared<const gateway::Ring>(ring);
  }

  gateway::Ring ring;
};

gateway::RingNode Node(uint64_t id, const std::string& address, std::set<int64_t> tokens) {
  gateway::RingNode node;
  node.node = {.id = NodeId(id),
               .host_id = std::string(16, static_cast<char>('a' + id)),
               .address = address,
               .sql_port = 8081,
               .cassandra_port = 9042,
               .software = "1"};
  node.tokens = std::move(tokens);
  return node;
}

std::string TextOf(const Event& event) {
  const auto last_byte = [](const InetEndpoint& node) {
    return std::to_string(node.address.bytes().back());
  };
  if (const auto* topology = std::get_if<TopologyEvent>(&event)) {
    return (topology->change == TopologyChange::kNewNode ? "new " : "removed ") +
           last_byte(topology->node);
  }
  if (const auto* status = std::get_if<StatusEvent>(&event))
    return (status->status == NodeStatus::kUp ? "up " : "down ") + last_byte(status->node);
  if (const auto* moved = std::get_if<MovedEvent>(&event)) return "moved " + last_byte(moved->node);
  return "schema";
}

class RingNewsTest : public ::testing::Test {
 protected:
  RingNewsTest() {
    source_.ring = {Node(1, "127.0.0.1", {0}), Node(2, "127.0.0.2", {INT64_MAX})};
    NodeFacts like;
    like.cluster_name = "some";
    news_.emplace(
        source_, clock_, [this](const Event& event) { told_.push_back(TextOf(event)); }, like);
  }

  std::vector<std::string> Follow() {
    news_->Follow();
    return std::exchange(told_, {});
  }

  using Texts = std::vector<std::string>;
  ManualClock clock_;
  SomeRing source_;
  std::vector<std::string> told_;
  std::optional<RingNews> news_;
};

TEST_F(RingNewsTest, TablesShowTheOthersAndThisNodesTokens) {
  const auto peers = news_->Peers();
  ASSERT_EQ(peers.size(), 1U);
  EXPECT_EQ(peers[0].host_id, std::string(16, 'c'));
  EXPECT_EQ(peers[0].native, Advertised("127.0.0.2", 9042));
  EXPECT_EQ(peers[0].tokens, std::set<std::string>{std::to_string(INT64_MAX)});
  EXPECT_EQ(peers[0].cluster_name, "some");
  EXPECT_EQ(news_->OwnTokens(), std::set<std::string>{"0"});
  EXPECT_EQ(news_->Described().range_owners.at("0"), Texts{"/127.0.0.1:9042"});
  EXPECT_EQ(Follow(), Texts{});
}

TEST_F(RingNewsTest, NodesThatComeAndGoAreToldAtOnce) {
  source_.ring.push_back(Node(3, "127.0.0.3", {5}));
  EXPECT_EQ(Follow(), (Texts{"new 3", "up 3"}));
  EXPECT_EQ(news_->Peers().size(), 2U);
  source_.ring.erase(source_.ring.begin() + 1);
  EXPECT_EQ(Follow(), (Texts{"down 2", "removed 2"}));
  EXPECT_EQ(news_->Peers().size(), 1U);
  EXPECT_EQ(Follow(), Texts{});
}

TEST_F(RingNewsTest, OneThatWasStartedAgainIsUp) {
  source_.ring[1].node.id = NodeId(7);
  EXPECT_EQ(Follow(), Texts{"up 2"});
}

TEST_F(RingNewsTest, ThisNodeDoesNotTellOfItself) {
  source_.ring.erase(source_.ring.begin());
  Follow();
  source_.ring.insert(source_.ring.begin(), Node(1, "127.0.0.1", {0}));
  EXPECT_EQ(Follow(), Texts{});
}

TEST_F(RingNewsTest, MovesAreToldOnceInAWhile) {
  source_.ring[0].tokens = {1};
  EXPECT_EQ(Follow(), Texts{"moved 1"});
  source_.ring[0].tokens = {2};
  source_.ring[1].tokens = {9};
  EXPECT_EQ(Follow(), Texts{});
  EXPECT_EQ(news_->OwnTokens(), std::set<std::string>{"2"});
  clock_.Advance(RingNews::kMovesPause);
  EXPECT_EQ(Follow(), (Texts{"moved 1", "moved 2"}));
  EXPECT_EQ(Follow(), Texts{});
}

TEST_F(RingNewsTest, AMoveThatWasTakenBackIsNotTold) {
  source_.ring[0].tokens = {1};
  Follow();
  source_.ring[0].tokens = {2};
  Follow();
  source_.ring[0].tokens = {1};
  clock_.Advance(RingNews::kMovesPause);
  EXPECT_EQ(Follow(), Texts{});
}

}  // namespace
}  // namespace orrery::cassandra
