// How large and busy the partitions of other nodes are: all are asked at once, and whoever does not
// answer in time is left out.
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
#include "cluster/partition_figures.h"
#include "cluster/peers.h"

namespace orrery::gateway {

inline constexpr std::chrono::milliseconds kFiguresPatience{1'000};

using FiguresByNode = std::map<NodeId, std::vector<cluster::PartitionFigures>>;

// Those that answered. Blocks: never on an event loop.
FiguresByNode AskForFigures(cluster::Peers& peers, std::span<const NodeId> nodes,
                            cluster::FiguresDetail detail = cluster::FiguresDetail::kPlain);

// Null when the node did not answer, or does not have the partition.
const cluster::PartitionFigures* FindFigures(const FiguresByNode& figures, NodeId node,
                                             PartitionId partition);

// What others have said lately, for whoever has many questions in a row: they are one round.
//
// Thread-safe. `peers` and `clock` must outlive it.
class RecentFigures {
 public:
  static constexpr std::chrono::seconds kLast{2};

  RecentFigures(cluster::Peers& peers, const Clock& clock) : peers_(peers), clock_(clock) {}

  // Of each node what it said last; nothing of one that has never answered. Never null. Blocks:
  // never on an event loop.
  std::shared_ptr<const FiguresByNode> Of(const std::set<NodeId>& nodes) EXCLUDES(mutex_);

 private:
  cluster::Peers& peers_;
  const Clock& clock_;

  Mutex mutex_;
  std::set<NodeId> asked_ GUARDED_BY(mutex_);
  Micros asked_at_ GUARDED_BY(mutex_){0};
  std::shared_ptr<const FiguresByNode> told_ GUARDED_BY(mutex_) =
      std::make_shared<const FiguresByNode>();
};

}  // namespace orrery::gateway
