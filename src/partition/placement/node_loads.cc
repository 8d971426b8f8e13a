#include "partition/placement/node_loads.h"

namespace orrery::partition {

NodeLoads::NodeLoads(std::vector<Node> nodes)
    : nodes_(std::move(nodes)), takes_(nodes_.size(), true), gives_(nodes_.size(), true) {
  for (size_t node = 0; node < nodes_.size(); ++node) Enter(node);
}

void NodeLoads::Add(size_t node, const Load& load) {
  Load carried = nodes_[node].carried;
  Change(node, carried += load);
}

void NodeLoads::Remove(size_t node, const Load& load) {
  Load carried = nodes_[node].carried;
  Change(node, carried -= load);
}

void NodeLoads::CloseTaker(size_t node) {
  Leave(node);
  takes_[node] = false;
  Enter(node);
}

void NodeLoads::CloseGiver(size_t node) {
  Leave(node);
  gives_[node] = false;
  Enter(node);
}

std::optional<size_t> NodeLoads::HeaviestGiver() const {
  if (givers_by_pressure_.empty()) return std::nullopt;
  return givers_by_pressure_.begin()->second;
}

std::optional<size_t> NodeLoads::LightestTaker() const {
  if (takers_by_pressure_.empty()) return std::nullopt;
  return takers_by_pressure_.begin()->second;
}

std::optional<size_t> NodeLoads::BestTaker(const Load& load, std::optional<size_t> except) const {
  std::optional<size_t> best;
  double best_cost = 0;
  for (const Order* order : {&takers_by_pressure_, &takers_by_rate_, &takers_by_bytes_}) {
    auto lightest = order->begin();
    if (lightest != order->end() && lightest->second == except) ++lightest;
    if (lightest == order->end()) continue;
    const double cost = CostOf(load, lightest->second);
    const bool better =
        !best.has_value() || cost < best_cost || (cost == best_cost && lightest->second < *best);
    if (!better) continue;
    best = lightest->second;
    best_cost = cost;
  }
  return best;
}

double NodeLoads::GainOf(const Load& load, size_t from, size_t to) const {
  if (load.Sum() <= 0) return 0;
  const Load a = LoadOf(from);
  const Load b = LoadOf(to);
  const double per_capacity = (1 / nodes_[from].capacity + 1 / nodes_[to].capacity) / 2;
  const double by_rate = load.rate * (a.rate - b.rate - load.rate * per_capacity);
  const double by_bytes = load.bytes * (a.bytes - b.bytes - load.bytes * per_capacity);
  return (by_rate + by_bytes) / load.Sum();
}

// Returns how much the sum over nodes of capacity * (rate^2 + bytes^2) grows. The square of a
// measure that is low already grows little: a partition that is all bytes goes where bytes are few.
double NodeLoads::CostOf(const Load& load, size_t node) const {
  const Load there = LoadOf(node);
  const double capacity = nodes_[node].capacity;
  return load.rate * (2 * there.rate + load.rate / capacity) +
         load.bytes * (2 * there.bytes + load.bytes / capacity);
}

void NodeLoads::Change(size_t node, const Load& carried) {
  Leave(node);
  nodes_[node].carried = carried;
  Enter(node);
}

void NodeLoads::Enter(size_t node) {
  const Load load = LoadOf(node);
  if (takes_[node]) {
    takers_by_rate_.emplace(load.rate, node);
    takers_by_bytes_.emplace(load.bytes, node);
    takers_by_pressure_.emplace(load.Larger(), node);
  }
  if (gives_[node]) givers_by_pressure_.emplace(-load.Larger(), node);
}

void NodeLoads::Leave(size_t node) {
  const Load load = LoadOf(node);
  if (takes_[node]) {
    takers_by_rate_.erase({load.rate, node});
    takers_by_bytes_.erase({load.bytes, node});
    takers_by_pressure_.erase({load.Larger(), node});
  }
  if (gives_[node]) givers_by_pressure_.erase({-load.Larger(), node});
}

}  // namespace orrery::partition
