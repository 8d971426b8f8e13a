// What a node does at its start: reads the partition records, makes sure that they hold together,
// removes what interrupted changes left, and opens the partitions.
//
// Internal to cluster/.
#pragma once

#include <memory>
#include <vector>

#include "base/status.h"
#include "cluster/hosted_partition.h"
#include "cluster/node_state.h"

namespace orrery::cluster {

// kCorruption when the records are damaged; nothing was changed then. Other errors name the
// partition that could not be opened.
Result<std::vector<std::shared_ptr<HostedPartition>>> RecoverPartitions(NodeState& state);

}  // namespace orrery::cluster
