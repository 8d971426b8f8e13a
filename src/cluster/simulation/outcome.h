// An Outcome is the result of a simulation: the state at each tick, how hot the ring was over time,
// and what stands out at the end. Plain values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"

namespace orrery::cluster {

// RU/s served by a node.
struct NodeSpread {
  double least = 0;
  double mean = 0;
  double most = 0;
};

// One tick: counts are of what happened in it, the rest is how it ended.
struct Sample {
  Micros at{0};  // since the start
  uint64_t nodes = 0;
  uint64_t partitions = 0;
  double bytes = 0;
  double demand = 0;     // RU/s wanted
  double throttled = 0;  // RU/s refused for being above a partition's rate
  double hottest = 0;    // demand over rate, of the partition where that is highest
  NodeSpread spread{};
  uint64_t splits_by_storage = 0;
  uint64_t splits_by_throughput = 0;
  uint64_t take_overs = 0;
  uint64_t moves = 0;
  double unowned_s = 0;            // summed over partitions: crashes, planned moves
  double take_over_longest_s = 0;  // from a crash until the last of its partitions was open

  double ThrottledShare() const { return demand > 0 ? throttled / demand : 0; }
};

// Demand over rate by time and place, of the first container: where the ring was hot.
struct HeatMap {
  size_t rows = 0;                          // of the ring, from its beginning
  std::vector<Micros> times;                // of columns
  std::vector<std::vector<float>> columns;  // each with `rows` cells
};

struct KeyOutcome {
  std::string key;
  double bytes = 0;
  double demand = 0;          // RU/s at the day's peak
  double partition_rate = 0;  // RU/s of the partition it lies on
};

struct PartitionOutcome {
  PartitionId id;
  double bytes = 0;
  double demand = 0;  // RU/s at the day's peak
  double rate = 0;
};

// One container at the end.
struct ContainerOutcome {
  double bytes = 0;
  double throughput = 0;              // RU/s
  uint64_t keys = 0;                  // values of its partition key
  std::vector<KeyOutcome> hottest{};  // hottest first
  std::vector<KeyOutcome> largest{};  // largest first
  std::vector<PartitionOutcome> partitions{};
};

struct StuckOutcome {
  PartitionId partition;
  std::string why;
};

struct Outcome {
  std::vector<Sample> samples;  // one per tick, never empty
  HeatMap heat;
  ContainerOutcome hottest_container;  // the one with the hottest partition at the end
  std::vector<StuckOutcome> stuck;     // partitions over their limit that no split helps
};

}  // namespace orrery::cluster
