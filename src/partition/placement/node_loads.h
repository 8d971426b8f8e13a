// NodeLoads keeps how loaded each node is while a plan is made, and finds the lightest and the
// heaviest without looking at all of them.
//
// A node's load is its partitions' over its capacity: 1 in both measures is its fair part. Its
// pressure is the larger of the two. Nodes are numbers from 0; ties go to the lower one, so that
// plans are reproducible.
//
// Finding takes O(1), changing O(log N). Not thread-safe.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "partition/placement/load_scale.h"

namespace orrery::partition {

class NodeLoads {
 public:
  struct Node {
    double capacity = 1;  // of a mean node; above 0
    Load carried{};       // of its partitions, not divided by capacity
  };
  // All nodes may take and give at first.
  explicit NodeLoads(std::vector<Node> nodes);

  Load LoadOf(size_t node) const { return nodes_[node].carried * (1 / nodes_[node].capacity); }
  double PressureOf(size_t node) const { return LoadOf(node).Larger(); }

  void Add(size_t node, const Load& load);
  void Remove(size_t node, const Load& load);
  // It is not offered as a taker, or as a giver, any more.
  void CloseTaker(size_t node);
  void CloseGiver(size_t node);

  // The giver with the highest pressure, the taker with the lowest; none when all are closed.
  std::optional<size_t> HeaviestGiver() const;
  std::optional<size_t> LightestTaker() const;
  // Returns the node on which `load` adds least to the sum of squares, of the takers that are
  // lightest in one of the measures or in pressure. `except` is not considered. Returns nullopt
  // when all takers are closed.
  std::optional<size_t> BestTaker(const Load& load, std::optional<size_t> except) const;

  // Returns how much moving `load` evens out the two nodes: the gap between them that remains,
  // averaged over the load's measures. Below 0 when it makes them less even.
  double GainOf(const Load& load, size_t from, size_t to) const;

 private:
  using Order = std::set<std::pair<double, size_t>>;  // value, node

  void Change(size_t node, const Load& carried);
  void Enter(size_t node);
  void Leave(size_t node);
  double CostOf(const Load& load, size_t node) const;

  std::vector<Node> nodes_;
  std::vector<bool> takes_;
  std::vector<bool> gives_;
  Order takers_by_rate_;
  Order takers_by_bytes_;
  Order takers_by_pressure_;
  Order
      givers_by_pressure_;  // by negative pressure: the heaviest first, of equals the lower number
};

}  // namespace orrery::partition
