// What a node does at its start: reads the partition records and makes sure that they hold
// together. On a single machine it also removes what interrupted changes left, and opens the
// partitions.
//
// Internal to cluster/.
#pragma once

#include "base/status.h"
#include "cluster/node_state.h"

namespace orrery::cluster {

// What is to be published first. kCorruption when the records are damaged; nothing was changed
// then. Other errors name the partition that could not be opened.
Result<TopologyEdit> RecoverPartitions(NodeState& state);

}  // namespace orrery::cluster
