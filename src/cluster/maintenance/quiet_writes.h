// Finds partitions whose writes have paused while much of what was written last is only in memory.
//
// A read of a row that is in memory walks a skip list, a cache miss at each step; in a table file a
// filter and an index lead to it. A start after a crash replays what is in memory from the log. So
// when a partition goes quiet maintenance flushes it; while writes go on the engine decides when.
//
// Not thread-safe. Internal to cluster/.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "cluster/topology.h"

namespace orrery::cluster {

class QuietWrites {
 public:
  // Rounds without a write before a partition counts as quiet.
  static constexpr int kQuietRounds = 4;
  // Less than this is not worth a file of its own.
  static constexpr uint64_t kFlushBytesMin = 1 << 20;

  // Called once a round: those that have become quiet in it, each once until it is written again.
  std::vector<std::shared_ptr<HostedPartition>> Next(const Topology& topology);

  // Returns whether a quiet partition has enough in memory. Asks the engine, which takes some time.
  static bool IsWorthAFlush(const HostedPartition& partition);

 private:
  struct Seen {
    uint64_t sequence = 0;  // of the engine
    int rounds = 0;         // since it last changed
  };
  std::map<PartitionId, Seen> seen_;  // of the partitions of the last topology
};

}  // namespace orrery::cluster
