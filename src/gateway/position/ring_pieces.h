// Lays parts of the ring, as continuations name them, onto the partitions that have them now: the
// one place where a token of yesterday meets the splits and merges of today.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/status.h"
#include "cluster/topology.h"
#include "gateway/position/continuation.h"
#include "partition/map/hash_range.h"

namespace orrery::gateway {

// One partition's piece of one part.
struct RingPiece {
  partition::HashRange range;
  cluster::HostedPartition* partition = nullptr;  // lives as long as the topology
  std::optional<std::string> inner;               // the part's
  // Set instead of `partition` when that is not open here; lives as long as the topology.
  const cluster::RemotePartition* remote = nullptr;
};

// In ring order. A part that a split has cut becomes several pieces, each with the part's inner.
// kNotFound when the topology does not have the container (it was dropped).
Result<std::vector<RingPiece>> LayOut(const cluster::Topology& topology, ContainerId container,
                                      const std::vector<Continuation::Part>& parts);

// Lays out a piece that another node asks for, all of it open here. kMoved when it is not,
// kCorruption when it is this node's and cannot be opened.
Result<RingPiece> LayOutHere(const cluster::Topology& topology, ContainerId container,
                             const partition::HashRange& range, std::optional<std::string> inner);

// The pieces from `first` on as parts again, neighbours that go on from the same place joined.
std::vector<Continuation::Part> JoinPieces(const std::vector<RingPiece>& pieces, size_t first = 0);

}  // namespace orrery::gateway
