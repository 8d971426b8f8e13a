// How large and busy the partitions of other nodes are: all are asked at once, and whoever does not
// answer in time is left out.
#pragma once

#include <chrono>
#include <map>
#include <span>
#include <vector>

#include "base/ids.h"
#include "cluster/partition_figures.h"
#include "cluster/peers.h"

namespace orrery::gateway {

inline constexpr std::chrono::milliseconds kFiguresPatience{1'000};

using FiguresByNode = std::map<NodeId, std::vector<cluster::PartitionFigures>>;

// Those that answered. Blocks: never on an event loop.
FiguresByNode AskForFigures(cluster::Peers& peers, std::span<const NodeId> nodes);

// Null when the node did not answer, or does not have the partition.
const cluster::PartitionFigures* FindFigures(const FiguresByNode& figures, NodeId node,
                                             PartitionId partition);

}  // namespace orrery::gateway
