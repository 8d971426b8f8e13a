// Recovery runs at a node's start: it reads the partition records and checks that they are
// consistent. On a single machine it also removes what interrupted changes left, and opens the
// partitions.
//
// Internal to cluster/.
#pragma once

#include "base/status.h"
#include "cluster/node_state.h"

namespace orrery::cluster {

// Returns the first topology to publish. kCorruption when the records are damaged; nothing was
// changed then. Other errors name the partition that could not be opened.
Result<TopologyEdit> RecoverPartitions(NodeState& state);

}  // namespace orrery::cluster
