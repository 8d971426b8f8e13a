// Decides whether two partitions can become one, and what is stored about it then. Pure.
#pragma once

#include "base/ids.h"
#include "base/status.h"
#include "cluster/record/partition_record.h"

namespace orrery::cluster {

// The record of the partition, named `id`, that takes the place of both. They must have the same
// owner (a container, a database, or the shared pool); of each container that both have, the ranges
// must touch, in either order. kPreconditionFailed says what is in the way.
Result<PartitionRecord> MergeRecords(const PartitionRecord& left, const PartitionRecord& right,
                                     PartitionId id);

}  // namespace orrery::cluster
