// A Scenario is everything that a simulation is told: nodes and their fate, containers, keys, load
// and growth, limits and planners' settings. The same scenario always has the same outcome.
//
// Containers are alike in all but the positions of their keys. Plain values; ValidateScenario says
// whether they make sense together.
#pragma once

#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "cluster/simulation/key_list.h"
#include "partition/limits.h"
#include "partition/placement/placement_facts.h"

namespace orrery::cluster {

// The limits of one simulation.
inline constexpr uint64_t kSimulatedNodesMax = 100'000;
inline constexpr uint64_t kSimulatedPartitionsMax = 1'000'000;
inline constexpr uint64_t kSimulatedContainersMax = 100'000;
inline constexpr int64_t kSimulatedTicksMax = 1'000'000;
inline constexpr size_t kScenarioEventsMax = 10'000;

// At `at`, so many nodes are lost, or so many come; or each container's throughput is set.
struct ScenarioEvent {
  enum class Kind : uint8_t { kLoseNodes, kAddNodes, kSetThroughput };
  Micros at{0};
  Kind kind = Kind::kLoseNodes;
  int64_t amount = 0;  // nodes, or RU/s
};

enum class KeyDistribution : uint8_t { kEven, kZipf, kListed };

struct Scenario {
  uint64_t seed = 1;
  Micros duration = std::chrono::hours(24);
  Micros tick = std::chrono::minutes(1);
  std::vector<ScenarioEvent> events{};  // in any order; those of one tick in this one

  uint32_t nodes = 3;
  Micros node_lifetime{0};                      // mean time to a node's crash; 0 = they do not
  Micros node_absence = std::chrono::hours(1);  // of a node that crashed by chance

  uint32_t containers = 1;
  int64_t throughput = 20'000;  // RU/s of each container
  double demand = 12'000;       // RU/s that clients want of each container, on average over the day
  double daily_swing = 0;       // 0.5: half as much at midnight, half more at noon
  uint64_t bytes = 100 * partition::kGigabyte;  // of each container at the start
  uint64_t bytes_per_day = 0;                   // and how it grows

  KeyDistribution distribution = KeyDistribution::kEven;
  uint64_t keys = 100'000;          // of each container, unless listed
  double zipf_exponent = 1;         // kZipf
  std::vector<ListedKey> listed{};  // kListed

  partition::Limits limits{};
  partition::PlacementOptions placement{};
  Micros balance_every = std::chrono::minutes(5);

  // The durations of the mechanisms, from their goals. From a crash to the opening of partitions:
  // the lease ends, the old owner is fenced off.
  Micros take_over = std::chrono::milliseconds(6'500);
  Micros open = std::chrono::milliseconds(150);        // of one partition
  Micros move_pause = std::chrono::milliseconds(500);  // of a planned move
};

// kInvalidArgument says what to change.
Status ValidateScenario(const Scenario& scenario);

}  // namespace orrery::cluster
