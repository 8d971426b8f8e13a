// The nodes of a simulation: who is there, who crashes by plan or by chance, who comes.
//
// A node that returns after a crash is a new one. Chance comes from the scenario's seed alone.
// Not thread-safe.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "base/clock.h"
#include "cluster/simulation/scenario.h"
#include "partition/placement/placement_facts.h"

namespace orrery::cluster {

class SimulatedNodes {
 public:
  // REQUIRES: a valid scenario, which must outlive this.
  explicit SimulatedNodes(const Scenario& scenario);

  struct Changes {
    uint64_t lost = 0;
    uint64_t added = 0;
  };
  // The tick that begins at `now`: events of the scenario, crashes by chance, returns.
  Changes Pass(Micros now);

  // All there ever were; the node with id n is at n - 1.
  std::span<const partition::NodeFacts> facts() const { return facts_; }
  bool IsAlive(NodeId id) const {
    return facts_[id.value() - 1].state == partition::NodeState::kAlive;
  }
  uint64_t alive() const { return alive_; }

 private:
  void Add(uint64_t count);
  uint64_t LoseAny(uint64_t count);
  uint64_t LoseByChance(Micros now);
  void Lose(partition::NodeFacts& node);

  const Scenario& scenario_;
  std::mt19937_64 random_;
  std::vector<partition::NodeFacts> facts_;
  uint64_t alive_ = 0;
  std::vector<Micros> returns_;  // of nodes that crashed by chance, in order
  size_t returned_ = 0;          // of returns_
};

}  // namespace orrery::cluster
