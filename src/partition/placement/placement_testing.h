// Small clusters for tests of placement: makes facts, carries plans out, measures what came of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "base/check.h"
#include "partition/placement/load_scale.h"
#include "partition/placement/placement_planner.h"

namespace orrery::partition {

struct TestCluster {
  std::vector<NodeFacts> nodes;
  std::vector<OwnedPartition> partitions;

  void AddNodes(size_t count, double capacity = 1) {
    for (size_t i = 0; i < count; ++i)
      nodes.push_back({.id = NodeId(nodes.size() + 1), .capacity = capacity});
  }
  void AddPartition(uint64_t bytes, double rate) {
    partitions.push_back({.id = PartitionId(partitions.size() + 1), .bytes = bytes, .rate = rate});
  }
  // Sizes and rates of no relation to each other, most small and some large.
  void AddUnevenPartitions(size_t count, std::mt19937_64& random) {
    for (size_t i = 0; i < count; ++i) {
      const auto draw = [&] { return static_cast<double>(random() % 1'000'000) / 1e6; };
      const double rate = std::exp(4 * draw());
      AddPartition(static_cast<uint64_t>(1e6 * std::exp(4 * draw())), rate);
    }
  }

  PlacementPlan Plan(const PlacementOptions& options = {}) const {
    return PlanPlacement(nodes, partitions, options);
  }
  void CarryOut(const PlacementPlan& plan) {
    for (const auto* changes : {&plan.take_overs, &plan.moves}) {
      for (const OwnerChange& change : *changes) At(change.partition).owner = change.to;
    }
  }
  // Plans and carries out until nothing is left to do; how many rounds that took.
  int Settle(const PlacementOptions& options = {}) {
    constexpr int kRoundsMax = 1'000;
    for (int round = 0; round < kRoundsMax; ++round) {
      const PlacementPlan plan = Plan(options);
      if (plan.take_overs.empty() && plan.moves.empty()) return round;
      CarryOut(plan);
    }
    ORRERY_CHECK(false);
    return kRoundsMax;
  }

  OwnedPartition& At(PartitionId id) { return partitions[id.value() - 1]; }
  NodeFacts& At(NodeId id) { return nodes[id.value() - 1]; }

  size_t CountOf(NodeId node) const {
    return static_cast<size_t>(std::ranges::count(partitions, node, &OwnedPartition::owner));
  }
  // Of the nodes that are alive, 1 = its fair part.
  std::map<NodeId, Load> Loads() const {
    std::map<NodeId, Load> loads;
    double capacity = 0;
    for (const NodeFacts& node : nodes) {
      if (node.state != NodeState::kAlive) continue;
      loads[node.id] = {};
      capacity += node.capacity;
    }
    const LoadScale scale(partitions, loads.size());
    const double mean = capacity / static_cast<double>(loads.size());
    for (const OwnedPartition& partition : partitions) {
      const auto node = partition.owner.has_value() ? loads.find(*partition.owner) : loads.end();
      if (node == loads.end()) continue;
      node->second += scale.Of(partition) * (mean / nodes[node->first.value() - 1].capacity);
    }
    return loads;
  }
  double HighestLoad() const {
    double highest = 0;
    for (const auto& [node, load] : Loads()) highest = std::max(highest, load.Larger());
    return highest;
  }
  double LargestPartition() const {
    const LoadScale scale(partitions, Loads().size());
    double largest = 0;
    for (const OwnedPartition& partition : partitions)
      largest = std::max(largest, scale.Of(partition).Larger());
    return largest;
  }
};

}  // namespace orrery::partition
