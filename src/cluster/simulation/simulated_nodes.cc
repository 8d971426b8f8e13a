#include "cluster/simulation/simulated_nodes.h"

#include <algorithm>
#include <cmath>

namespace orrery::cluster {

using partition::NodeFacts;

SimulatedNodes::SimulatedNodes(const Scenario& scenario)
    : scenario_(scenario), random_(scenario.seed) {
  Add(scenario.nodes);
}

SimulatedNodes::Changes SimulatedNodes::Pass(Micros now) {
  Changes changes;
  for (const ScenarioEvent& event : scenario_.events) {
    if (event.at < now || event.at >= now + scenario_.tick) continue;
    const auto amount = static_cast<uint64_t>(event.amount);
    if (event.kind == ScenarioEvent::Kind::kLoseNodes) changes.lost += LoseAny(amount);
    if (event.kind == ScenarioEvent::Kind::kAddNodes) {
      Add(amount);
      changes.added += amount;
    }
  }
  for (; returned_ < returns_.size() && returns_[returned_] <= now; ++returned_) {
    Add(1);
    ++changes.added;
  }
  changes.lost += LoseByChance(now);
  return changes;
}

void SimulatedNodes::Add(uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) facts_.push_back({.id = NodeId(facts_.size() + 1)});
  alive_ += count;
}

void SimulatedNodes::Lose(NodeFacts& node) {
  node.state = partition::NodeState::kGone;
  --alive_;
}

uint64_t SimulatedNodes::LoseAny(uint64_t count) {
  std::vector<NodeFacts*> candidates;
  for (NodeFacts& node : facts_) {
    if (node.state == partition::NodeState::kAlive) candidates.push_back(&node);
  }
  const uint64_t lost = std::min<uint64_t>(count, candidates.size());
  for (uint64_t i = 0; i < lost; ++i) {
    std::swap(candidates[i], candidates[i + random_() % (candidates.size() - i)]);
    Lose(*candidates[i]);
  }
  return lost;
}

uint64_t SimulatedNodes::LoseByChance(Micros now) {
  if (scenario_.node_lifetime <= Micros(0)) return 0;
  const double lifetimes = static_cast<double>(scenario_.tick.count()) /
                           static_cast<double>(scenario_.node_lifetime.count());
  const auto below = static_cast<uint64_t>((1 - std::exp(-lifetimes)) * 0x1p63);
  uint64_t lost = 0;
  for (NodeFacts& node : facts_) {
    if (node.state != partition::NodeState::kAlive || random_() >> 1 >= below) continue;
    Lose(node);
    ++lost;
    returns_.push_back(now + scenario_.node_absence);
  }
  return lost;
}

}  // namespace orrery::cluster
