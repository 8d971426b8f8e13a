// The input and the output of the placement planner, as plain values: nodes, the partitions that
// they own, and who shall own what next.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.h"

namespace orrery::partition {

enum class NodeState : uint8_t {
  kAlive,
  kLeaving,  // serves what it owns, shall own nothing soon
  kGone,     // what it owned has no owner
};

struct NodeFacts {
  NodeId id;
  NodeState state = NodeState::kAlive;
  double capacity = 1;  // relative to other nodes; above 0
};

struct OwnedPartition {
  PartitionId id;
  uint64_t bytes = 0;
  double rate = 0;  // RU/s, measured and smoothed over minutes, or provisioned where unknown
  std::optional<NodeId> owner{};
  bool settled = true;  // false: being split or moved, or just was; not moved for balance
};

struct PlacementOptions {
  // A node is let alone while its load is within this of its fair part: below that, moves cost
  // more than they bring, and measurements waver.
  double tolerance = 0.1;
  // Each planned move pauses its partition for a moment: this many at most in one plan.
  uint32_t moves_max = 64;
  // A node that opens many partitions at once opens each of them late.
  uint32_t arrivals_per_node_max = 16;
};

enum class PlacementReason : uint8_t { kUnowned, kLeaving, kBalance };

struct OwnerChange {
  PartitionId partition;
  std::optional<NodeId> from{};  // none when nobody owned it, also when its owner is gone
  NodeId to;
  PlacementReason reason = PlacementReason::kBalance;
  friend bool operator==(const OwnerChange&, const OwnerChange&) = default;
};

struct PlacementPlan {
  std::vector<OwnerChange> take_overs;  // of partitions without owner, most loaded first
  std::vector<OwnerChange> moves;  // of partitions that are served meanwhile, most urgent first
  uint64_t homeless = 0;           // partitions without owner while no node is alive
};

}  // namespace orrery::partition
