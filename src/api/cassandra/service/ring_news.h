// RingNews decides which changes of the cluster's ring clients of one node are told of: nodes that
// come and go at once, tokens that moved once in a while, as every client reads the system tables
// anew after each.
//
// Follow() from one thread, every half second or so; the rest from any.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/cassandra/schema/describe/describe.h"
#include "api/cassandra/server/event/event.h"
#include "api/cassandra/system/node_facts.h"
#include "base/clock.h"
#include "base/published.h"
#include "gateway/view/ring.h"

namespace orrery::cassandra {

class RingNews final : public PeerLister {
 public:
  // Between two rounds of news of moved tokens.
  static constexpr std::chrono::seconds kMovesPause{5};

  // `tell` is given the news; `like` is what all nodes have in common with this one. The references
  // must outlive it.
  RingNews(gateway::RingSource& view, const Clock& clock, std::function<void(Event)> tell,
           NodeFacts like);

  void Follow();

  std::vector<NodeFacts> Peers() const override;
  std::set<std::string> OwnTokens() const override;
  // For DESCRIBE CLUSTER.
  DescribedCluster Described() const;

 private:
  NodeFacts FactsOf(const gateway::RingNode& node) const;
  void TellWhoComesAndGoes(const gateway::Ring& now);
  void TellWhoMoved(const gateway::Ring& now);

  gateway::RingSource& view_;
  const Clock& clock_;
  const std::function<void(Event)> tell_;
  const NodeFacts like_;
  Published<gateway::Ring> ring_;

  // Of Follow.
  gateway::Ring told_;  // what clients know
  std::optional<Micros> moves_told_;
};

}  // namespace orrery::cassandra
