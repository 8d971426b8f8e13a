// Asks other nodes how large and busy their partitions are: all at once; those that do not answer
// in time are left out.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/mutex.h"
#include "cluster/partition_statistics.h"
#include "cluster/peers.h"

namespace orrery::gateway {

inline constexpr std::chrono::milliseconds kStatisticsPatience{1'000};

using StatisticsByNode = std::map<NodeId, std::vector<cluster::PartitionStatistics>>;

// Those that answered. Blocks: never on an event loop.
StatisticsByNode AskForStatistics(
    cluster::Peers& peers, std::span<const NodeId> nodes,
    cluster::StatisticsDetail detail = cluster::StatisticsDetail::kPlain);

// Null when the node did not answer, or does not have the partition.
const cluster::PartitionStatistics* FindStatistics(const StatisticsByNode& statistics, NodeId node,
                                                   PartitionId partition);

// RecentStatistics keeps the last answers of other nodes for a short time, so that many questions
// in a row are one round of calls.
//
// Thread-safe. `peers` and `clock` must outlive it.
class RecentStatistics {
 public:
  static constexpr std::chrono::seconds kLast{2};

  RecentStatistics(cluster::Peers& peers, const Clock& clock) : peers_(peers), clock_(clock) {}

  // Of each node what it said last; nothing of one that has never answered. Never null. Blocks:
  // never on an event loop.
  std::shared_ptr<const StatisticsByNode> Of(const std::set<NodeId>& nodes) EXCLUDES(mutex_);

 private:
  cluster::Peers& peers_;
  const Clock& clock_;

  Mutex mutex_;
  std::set<NodeId> asked_ GUARDED_BY(mutex_);
  Micros asked_at_ GUARDED_BY(mutex_){0};
  std::shared_ptr<const StatisticsByNode> told_ GUARDED_BY(mutex_) =
      std::make_shared<const StatisticsByNode>();
};

}  // namespace orrery::gateway
