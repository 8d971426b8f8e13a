// The placement planner decides which node owns which physical partition. Facts in, plan out: no
// clock, no I/O, no state.
//
// Ownership moves and bytes do not (they are in the shared store), so a move is cheap; but each
// pauses its partition for a moment and empties its caches. Hence, in this order:
//
//   1 partitions without owner, or whose owner is gone, each get one: all of them, at once
//   2 what a leaving node owns is moved away, as many as moves_max allows
//   3 nodes above their fair part give to others, and nodes below it are given to, the fewest and
//     heaviest partitions that serve, until all are within the tolerance or nothing helps
//
// Each move of step 3 makes the sum of squared loads smaller by more than a part of the tolerance,
// so plans that follow each other on unchanged facts come to an end and never go in circles; and
// what wavers within the tolerance moves nothing. Facts that change between plans should be
// smoothed (OwnedPartition::rate) and partitions that just moved marked (settled).
//
// The same facts in the same order give the same plan. O(P log P) for P partitions.
#pragma once

#include <span>

#include "partition/placement/placement_facts.h"

namespace orrery::partition {

// REQUIRES: ids of nodes differ, and ids of partitions. An owner that is not among `nodes` is gone.
PlacementPlan PlanPlacement(std::span<const NodeFacts> nodes,
                            std::span<const OwnedPartition> partitions,
                            const PlacementOptions& options);

}  // namespace orrery::partition
