#include "server/peer_network.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <future>
#include <memory>

namespace orrery::server {
namespace {

using cluster::PeerMethod;
using std::chrono::milliseconds;

constexpr milliseconds kLong = std::chrono::hours(1);

// Says who asked whom for what.
class Witness final : public cluster::PeerService {
 public:
  explicit Witness(NodeId self) : self_(self) {}
  void Serve(NodeId caller, PeerMethod method, std::string request, Answer answer) override {
    if (method == PeerMethod::kSplitPartition) return answer(Fail(Code::kMoved, "elsewhere"));
    answer(std::to_string(caller.value()) + ">" + std::to_string(self_.value()) + ":" + request);
  }

 private:
  const NodeId self_;
};

struct TestNode {
  TestNode(net::EventLoops& loops, NodeId node, const net::TlsIdentity& tls, const Clock& clock,
           MetricsRegistry& metrics)
      : id(node),
        service(node),
        network(loops,
                {.identity = {.cluster = "test", .secret = "secret of this test", .node = node}},
                tls, clock, metrics) {
    const Status listening = network.Listen(service);
    EXPECT_TRUE(listening.has_value());
  }

  const NodeId id;
  Witness service;
  PeerNetwork network;
};

class PeerNetworkTest : public ::testing::Test {
 protected:
  PeerNetworkTest() {
    std::string name = (std::filesystem::temp_directory_path() / "orrery-peers-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) directory_ = name;
    tls_ = net::TlsIdentity::LoadOrCreate(directory_, {}, clock_).value();
    for (uint64_t i = 1; i <= 3; ++i) nodes_.push_back(Make(NodeId(i)));
    for (const auto& node : nodes_) {
      for (const auto& other : nodes_) {
        const Status learned = node->network.Learn(other->id, {"127.0.0.1", other->network.port()});
        EXPECT_TRUE(learned.has_value());
      }
    }
  }
  ~PeerNetworkTest() override {
    nodes_.clear();
    std::filesystem::remove_all(directory_);
  }

  std::unique_ptr<TestNode> Make(NodeId id) {
    return std::make_unique<TestNode>(loops_, id, *tls_, clock_, metrics_);
  }
  Result<std::string> Ask(size_t from, uint64_t to, PeerMethod method = PeerMethod::kReadItem) {
    return nodes_[from - 1]->network.CallAndWait(NodeId(to), method, "what", kLong);
  }

  SystemClock clock_;
  MetricsRegistry metrics_;
  std::filesystem::path directory_;
  std::unique_ptr<net::TlsIdentity> tls_;
  net::EventLoops loops_{2};
  std::vector<std::unique_ptr<TestNode>> nodes_;
};

TEST_F(PeerNetworkTest, EveryNodeReachesEveryOther) {
  EXPECT_EQ(Ask(1, 2).value(), "1>2:what");
  EXPECT_EQ(Ask(2, 1).value(), "2>1:what");
  EXPECT_EQ(Ask(3, 1).value(), "3>1:what");
  EXPECT_EQ(Ask(1, 1).value(), "1>1:what");
  EXPECT_EQ(Ask(1, 3, PeerMethod::kSplitPartition).error().code(), Code::kMoved);
}

TEST_F(PeerNetworkTest, NodesThatAreNotKnownAreNotCalled) {
  EXPECT_EQ(Ask(1, 9).error().code(), Code::kMoved);
  nodes_[0]->network.Forget(NodeId(2));
  EXPECT_EQ(Ask(1, 2).error().code(), Code::kMoved);
  EXPECT_TRUE(Ask(1, 3).has_value());
}

TEST_F(PeerNetworkTest, FollowsANodeToItsNewAddress) {
  EXPECT_TRUE(Ask(1, 2).has_value());
  const auto moved = Make(NodeId(2));
  nodes_[1]->network.Stop(milliseconds(0));
  ASSERT_TRUE(
      nodes_[0]->network.Learn(NodeId(2), {"127.0.0.1", moved->network.port()}).has_value());
  Result<std::string> answer = Ask(1, 2);
  // The first call may still have met the old connection.
  if (!answer) answer = Ask(1, 2);
  EXPECT_EQ(answer.value(), "1>2:what");
}

TEST_F(PeerNetworkTest, AStoppedNetworkAnswersAllCalls) {
  PeerNetwork& network = nodes_[0]->network;
  std::vector<std::future<Code>> outcomes;
  for (int i = 0; i < 100; ++i) {
    auto promise = std::make_shared<std::promise<Code>>();
    outcomes.push_back(promise->get_future());
    network.Call(NodeId(2 + i % 2), PeerMethod::kReadItem, "", kLong,
                 [promise](const auto& answer) {
                   promise->set_value(answer ? Code::kNotFound : answer.error().code());
                 });
  }
  network.Forget(NodeId(3));
  network.Stop(milliseconds(0));
  for (auto& outcome : outcomes)
    EXPECT_EQ(outcome.wait_for(milliseconds(0)), std::future_status::ready);
  EXPECT_EQ(Ask(1, 2).error().code(), Code::kMoved);
  EXPECT_EQ(network.Learn(NodeId(2), {"127.0.0.1", 1}).error().code(), Code::kUnavailable);
}

}  // namespace
}  // namespace orrery::server
