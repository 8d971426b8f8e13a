// Counts the logical partitions of rows whose recorded sizes are in doubt, and corrects them
// (item/row/size_counts.h says which). Internal to cluster/.
#pragma once

#include "cluster/node_state.h"

namespace orrery::cluster {

// Blocks until all that was due is counted, one after another. What cannot be counted now is due
// again.
void CountDoubtfulSizes(const NodeState& state, HostedPartition& partition);

}  // namespace orrery::cluster
