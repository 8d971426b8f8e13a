// Checks that the partition records of a data directory are consistent: once, at the start, before
// anything is opened or removed because of them.
//
// Pure. What the node itself writes always holds together; this is for damage and foreign hands.
#pragma once

#include <functional>
#include <vector>

#include "base/status.h"
#include "cluster/record/partition_record.h"

namespace orrery::cluster {

// kCorruption, naming the partition and the container, when an id comes twice, a partition has a
// container twice, a slice is of a container that `known` denies, or the slices of a container
// overlap or leave a part of the ring to nobody.
Status CheckRecords(const std::vector<PartitionRecord>& records,
                    const std::function<bool(ContainerId)>& known);

}  // namespace orrery::cluster
