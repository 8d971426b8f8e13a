#include "partition/placement/placement_planner.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "partition/placement/load_scale.h"
#include "partition/placement/node_loads.h"

namespace orrery::partition {
namespace {

// Partitions that are tried when a node shall give one and the best fit does not help.
constexpr size_t kTriesMax = 8;
// A move must leave the giver heavier than the taker by this part of the tolerance.
constexpr double kGainPart = 0.5;
// Against a capacity of nonsense.
constexpr double kCapacityMin = 1e-6;

struct Weighed {
  const OwnedPartition* partition;
  Load load;
};

bool HeavierFirst(const Weighed& a, const Weighed& b) {
  const double a_larger = a.load.Larger();
  const double b_larger = b.load.Larger();
  return a_larger != b_larger ? a_larger > b_larger : a.partition->id < b.partition->id;
}

// The partitions that a node could give away, heaviest first in the measure that was asked for
// last.
class Giveable {
 public:
  void Add(Weighed weighed) { list_.push_back(weighed); }

  std::vector<Weighed>& By(double Load::* measure) {
    if (sorted_by_ == measure) return list_;
    sorted_by_ = measure;
    std::ranges::sort(list_, [measure](const Weighed& a, const Weighed& b) {
      const double a_load = a.load.*measure;
      const double b_load = b.load.*measure;
      return a_load != b_load ? a_load > b_load : a.partition->id < b.partition->id;
    });
    return list_;
  }

 private:
  std::vector<Weighed> list_;
  double Load::* sorted_by_ = nullptr;
};

class Planner {
 public:
  Planner(std::span<const NodeFacts> nodes, const PlacementOptions& options) : options_(options) {
    for (const NodeFacts& node : nodes) {
      if (node.state == NodeState::kAlive) takers_.push_back(&node);
      if (node.state == NodeState::kLeaving) leaving_.insert(node.id);
    }
    std::ranges::sort(takers_, {}, [](const NodeFacts* node) { return node->id; });
    for (size_t i = 0; i < takers_.size(); ++i) index_.emplace(takers_[i]->id, i);
  }

  PlacementPlan Plan(std::span<const OwnedPartition> partitions) {
    if (takers_.empty()) {
      plan_.homeless = static_cast<uint64_t>(
          std::ranges::count_if(partitions, [this](const OwnedPartition& partition) {
            return !partition.owner.has_value() || !leaving_.contains(*partition.owner);
          }));
      return std::move(plan_);
    }
    DealOut(partitions);
    arrivals_.assign(takers_.size(), 0);
    NodeLoads loads(std::move(nodes_));
    TakeOver(loads);
    EmptyLeaving(loads);
    Balance(loads);
    return std::move(plan_);
  }

 private:
  // Each partition to the step that is about it.
  void DealOut(std::span<const OwnedPartition> partitions) {
    const LoadScale scale(partitions, takers_.size());
    double capacity = 0;
    for (const NodeFacts* node : takers_) capacity += std::max(node->capacity, kCapacityMin);
    const double mean = capacity / static_cast<double>(takers_.size());
    for (const NodeFacts* node : takers_)
      nodes_.push_back({.capacity = std::max(node->capacity, kCapacityMin) / mean});
    giveable_.resize(takers_.size());
    for (const OwnedPartition& partition : partitions) {
      const Weighed weighed{&partition, scale.Of(partition)};
      const auto owner = partition.owner.has_value() ? index_.find(*partition.owner) : index_.end();
      if (owner != index_.end()) {
        nodes_[owner->second].carried += weighed.load;
        if (partition.settled) giveable_[owner->second].Add(weighed);
      } else if (partition.owner.has_value() && leaving_.contains(*partition.owner)) {
        if (partition.settled) on_leaving_.push_back(weighed);
      } else {
        unowned_.push_back(weighed);
      }
    }
    std::ranges::sort(unowned_, HeavierFirst);
    std::ranges::sort(on_leaving_, HeavierFirst);
  }

  void TakeOver(NodeLoads& loads) {
    // A node opens partitions one after another: an empty one that got all of them would keep
    // clients waiting. With twice the mean for each there is always a taker left.
    const size_t mean = (unowned_.size() + takers_.size() - 1) / takers_.size();
    const size_t arrivals_max = std::max<size_t>(options_.arrivals_per_node_max, 2 * mean);
    for (const Weighed& weighed : unowned_) {
      const size_t to = *loads.BestTaker(weighed.load, std::nullopt);
      loads.Add(to, weighed.load);
      if (++arrivals_[to] == arrivals_max) loads.CloseTaker(to);
      plan_.take_overs.push_back({.partition = weighed.partition->id,
                                  .to = takers_[to]->id,
                                  .reason = PlacementReason::kUnowned});
    }
    for (size_t node = 0; node < takers_.size(); ++node) {
      if (arrivals_[node] >= options_.arrivals_per_node_max) loads.CloseTaker(node);
    }
  }

  void EmptyLeaving(NodeLoads& loads) {
    for (const Weighed& weighed : on_leaving_) {
      const auto to = loads.BestTaker(weighed.load, std::nullopt);
      if (!to.has_value() || plan_.moves.size() >= options_.moves_max) return;
      Move(loads, weighed, *to, PlacementReason::kLeaving);
    }
  }

  void Balance(NodeLoads& loads) {
    while (plan_.moves.size() < options_.moves_max) {
      const auto giver = loads.HeaviestGiver();
      const auto taker = loads.LightestTaker();
      if (!giver.has_value() || !taker.has_value()) return;
      const bool crowded = loads.PressureOf(*giver) > 1 + options_.tolerance;
      const bool hungry = loads.PressureOf(*taker) < 1 - options_.tolerance;
      if (!crowded && !hungry) return;
      // A node that is not crowded gives only to one in need, not to make all alike.
      if (!GiveOne(loads, *giver, crowded ? std::nullopt : taker)) loads.CloseGiver(*giver);
    }
  }

  // The partition that brings giver and taker nearest to each other without making the giver needy,
  // or one near it. False when none helps.
  bool GiveOne(NodeLoads& loads, size_t giver, std::optional<size_t> taker) {
    const Load there = loads.LoadOf(giver);
    double Load::* const measure = there.rate >= there.bytes ? &Load::rate : &Load::bytes;
    const Load least = loads.LoadOf(taker.value_or(*loads.LightestTaker()));
    const double fitting =
        std::min((there.*measure - least.*measure) / 2, there.*measure - (1 - options_.tolerance));
    std::vector<Weighed>& list = giveable_[giver].By(measure);
    const auto first_fit = std::ranges::partition_point(
        list, [&](const Weighed& weighed) { return weighed.load.*measure > fitting; });
    const auto try_to_give = [&](std::vector<Weighed>::iterator candidate) {
      const auto to = taker.has_value() ? taker : loads.BestTaker(candidate->load, giver);
      if (!to.has_value() || *to == giver) return false;
      if (loads.GainOf(candidate->load, giver, *to) <= options_.tolerance * kGainPart) return false;
      loads.Remove(giver, candidate->load);
      Move(loads, *candidate, *to, PlacementReason::kBalance);
      list.erase(candidate);
      return true;
    };
    auto candidate = first_fit;
    for (size_t tries = 0; tries < kTriesMax && candidate != list.end(); ++tries, ++candidate) {
      if (try_to_give(candidate)) return true;
    }
    return first_fit != list.begin() && try_to_give(std::prev(first_fit));
  }

  void Move(NodeLoads& loads, const Weighed& weighed, size_t to, PlacementReason reason) {
    loads.Add(to, weighed.load);
    if (++arrivals_[to] >= options_.arrivals_per_node_max) loads.CloseTaker(to);
    plan_.moves.push_back(
        {weighed.partition->id, weighed.partition->owner, takers_[to]->id, reason});
  }

  const PlacementOptions& options_;
  std::vector<const NodeFacts*> takers_;  // by id
  std::unordered_map<NodeId, size_t> index_;
  std::unordered_set<NodeId> leaving_;
  std::vector<NodeLoads::Node> nodes_;
  std::vector<Weighed> unowned_;
  std::vector<Weighed> on_leaving_;
  std::vector<Giveable> giveable_;
  std::vector<uint32_t> arrivals_;
  PlacementPlan plan_;
};

}  // namespace

PlacementPlan PlanPlacement(std::span<const NodeFacts> nodes,
                            std::span<const OwnedPartition> partitions,
                            const PlacementOptions& options) {
  return Planner(nodes, options).Plan(partitions);
}

}  // namespace orrery::partition
