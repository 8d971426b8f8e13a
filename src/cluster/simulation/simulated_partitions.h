// The containers and partitions of a simulation: what each partition holds and is asked for, and
// splits as the real split planner wants them.
//
// A partition's part of its container follows from its range alone, so a tick only multiplies. What
// the planners are told (PartitionFacts, OwnedPartition) is kept beside it and updated in place.
//
// Not thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cluster/simulation/key_population.h"
#include "cluster/simulation/outcome.h"
#include "cluster/simulation/scenario.h"
#include "partition/placement/placement_facts.h"
#include "partition/split_planner.h"

namespace orrery::cluster {

// The demand of clients on each container, and its size.
struct Weather {
  double demand = 0;  // RU/s
  double bytes = 0;
};

struct SplitCounts {
  uint64_t by_storage = 0;
  uint64_t by_throughput = 0;
  uint64_t Sum() const { return by_storage + by_throughput; }
};

class SimulatedPartitions {
 public:
  // Containers divided evenly by their throughput, as they are when they are created.
  // REQUIRES: a valid scenario, which must outlive this.
  explicit SimulatedPartitions(const Scenario& scenario);

  size_t size() const { return facts_.size(); }
  void SetThroughput(int64_t request_units_per_second);

  // Brings the statistics of all partitions up to date.
  void Feel(const Weather& weather);
  // One round of the split planner, carried out. Both halves stay with the owner.
  // kResourceExhausted when there would be more than kSimulatedPartitionsMax.
  Result<SplitCounts> Split(const Weather& weather);

  // By slot, 0 to size(): stable but for splits, which put the first child in the parent's place.
  double DemandOf(size_t slot, const Weather& weather) const {
    return shares_[slot].load * weather.demand;
  }
  double RateOf(size_t slot) const { return rates_[ContainerOf(slot)]; }
  PartitionId IdOf(size_t slot) const { return facts_[slot].id; }

  // For the placement planner; owners are changed in place.
  std::span<partition::OwnedPartition> owned() { return owned_; }
  std::span<const partition::OwnedPartition> owned() const { return owned_; }
  size_t SlotOf(PartitionId id) const { return slots_[id.value()]; }
  // Slots that the last Split changed or added.
  const std::vector<size_t>& changed() const { return changed_; }

  // The highest demand over rate in each of `rows` even parts of the first container's ring.
  std::vector<float> HeatOfFirst(size_t rows, const Weather& weather) const;
  ContainerOutcome Describe(const Weather& weather) const;
  std::vector<StuckOutcome> Stuck() const;

 private:
  size_t ContainerOf(size_t slot) const {
    return facts_[slot].slices[0].slice.container.value() - 1;
  }
  void AddPartition(size_t container, const partition::HashRange& range);
  void Fill(size_t slot, size_t container, const partition::HashRange& range);
  void CarryOut(const partition::SplitAction& action, const Weather& weather);
  void UpdateRates();
  KeyOutcome Describe(size_t container, const NamedKey& key, const Weather& weather) const;

  const Scenario& scenario_;
  std::vector<KeyPopulation> populations_;  // of containers; one for all when they are listed
  std::vector<uint64_t> counts_;            // partitions of containers
  std::vector<double> rates_;               // RU/s of each partition of a container
  std::vector<partition::OwnerFacts> owners_;

  // By slot.
  std::vector<partition::PartitionFacts> facts_;
  std::vector<partition::OwnedPartition> owned_;
  std::vector<KeyShare> shares_;
  std::vector<uint64_t> stuck_bytes_;  // 0, or what it held when a split last did not help

  std::vector<size_t> slots_;  // of ids
  std::vector<size_t> changed_;
  std::vector<StuckOutcome> stuck_;
};

}  // namespace orrery::cluster
