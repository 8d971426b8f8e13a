// Decides on which partitions a new container lives. Pure.
//
// However the ring is dealt out, the ranges cover all of it; cuts divide evenly what the
// container's hashing really uses of it.
#pragma once

#include <cstdint>
#include <span>

#include "base/ids.h"
#include "cluster/node.h"
#include "partition/key/partition_key.h"

namespace orrery::gateway {

// `count` partitions of its own. REQUIRES: 1 <= count <= partition::kDivisionsMax.
cluster::TopologyChange PlaceAlone(ContainerId container, partition::KeyHashing hashing,
                                   uint32_t count);

// One slice on each of `partitions`, in the order given. REQUIRES: not empty.
cluster::TopologyChange PlaceAcross(ContainerId container, partition::KeyHashing hashing,
                                    std::span<const PartitionId> partitions);

// All of it on one partition that others use, too.
cluster::TopologyChange PlaceWhole(ContainerId container, PartitionId partition);

}  // namespace orrery::gateway
