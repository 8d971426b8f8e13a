#include "api/cassandra/service/ring_news.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/cassandra/service/advertised.h"
#include "api/cassandra/types/native/inet.h"

namespace orrery::cassandra {
namespace {

using gateway::Ring;
using gateway::RingNode;

InetEndpoint EndpointOf(const RingNode& node) {
  return Advertised(node.node.address, node.node.cassandra_port);
}

// Clients know nodes by their address and port.
const RingNode* FindSame(const Ring& ring, const RingNode& node) {
  const InetEndpoint endpoint = EndpointOf(node);
  const auto found = std::ranges::find(ring, endpoint, EndpointOf);
  return found == ring.end() ? nullptr : &*found;
}

std::set<std::string> Texts(const std::set<int64_t>& tokens) {
  std::set<std::string> texts;
  for (const int64_t token : tokens) texts.insert(std::to_string(token));
  return texts;
}

}  // namespace

RingNews::RingNews(gateway::RingSource& view, const Clock& clock, std::function<void(Event)> tell,
                   NodeFacts like)
    : view_(view),
      clock_(clock),
      tell_(std::move(tell)),
      like_(std::move(like)),
      ring_(view.Look()),
      told_(*ring_.Load()) {}

void RingNews::Follow() {
  const auto now = view_.Look();
  if (!ring_.IsNewest(now.get())) ring_.Store(now);
  // After the tables show it: clients that are told of it read them.
  if (told_ == *now) return;
  TellWhoComesAndGoes(*now);
  TellWhoMoved(*now);
}

void RingNews::TellWhoComesAndGoes(const Ring& now) {
  Ring told;
  for (const RingNode& former : told_) {
    const RingNode* const same = FindSame(now, former);
    if (same == nullptr) {
      tell_(StatusEvent{NodeStatus::kDown, EndpointOf(former)});
      tell_(TopologyEvent{TopologyChange::kRemovedNode, EndpointOf(former)});
      continue;
    }
    if (same->node.id != former.node.id && same->node.id != view_.self())
      tell_(StatusEvent{NodeStatus::kUp, EndpointOf(*same)});
    told.push_back({same->node, former.tokens});
  }
  for (const RingNode& node : now) {
    if (FindSame(told, node) != nullptr) continue;
    if (node.node.id != view_.self()) {
      tell_(TopologyEvent{TopologyChange::kNewNode, EndpointOf(node)});
      tell_(StatusEvent{NodeStatus::kUp, EndpointOf(node)});
    }
    told.push_back(node);
  }
  std::ranges::sort(told, {}, [](const RingNode& node) { return node.node.id; });
  told_ = std::move(told);
}

void RingNews::TellWhoMoved(const Ring& now) {
  const Micros time = clock_.Monotonic();
  if (told_ == now || (moves_told_.has_value() && time - *moves_told_ < kMovesPause)) return;
  for (const RingNode& node : now) {
    const RingNode* const former = FindSame(told_, node);
    if (former != nullptr && former->tokens != node.tokens) tell_(MovedEvent{EndpointOf(node)});
  }
  told_ = now;
  moves_told_ = time;
}

NodeFacts RingNews::FactsOf(const RingNode& node) const {
  NodeFacts facts = like_;
  facts.host_id = node.node.host_id;
  facts.native = EndpointOf(node);
  facts.internal = facts.native;
  facts.tokens = Texts(node.tokens);
  return facts;
}

std::vector<NodeFacts> RingNews::Peers() const {
  std::vector<NodeFacts> peers;
  for (const RingNode& node : *ring_.Load())
    if (node.node.id != view_.self()) peers.push_back(FactsOf(node));
  return peers;
}

std::set<std::string> RingNews::OwnTokens() const {
  for (const RingNode& node : *ring_.Load())
    if (node.node.id == view_.self()) return Texts(node.tokens);
  // Clients are here before the cluster knows it.
  return like_.tokens;
}

DescribedCluster RingNews::Described() const {
  DescribedCluster cluster;
  cluster.cluster = like_.cluster_name;
  for (const RingNode& node : *ring_.Load()) {
    const InetEndpoint endpoint = EndpointOf(node);
    const auto bytes = endpoint.address.bytes();
    const std::string address =
        fmt::format("/{}:{}", InetText(std::string(bytes.begin(), bytes.end())), endpoint.port);
    for (const int64_t token : node.tokens) cluster.range_owners[std::to_string(token)] = {address};
  }
  return cluster;
}

}  // namespace orrery::cassandra
