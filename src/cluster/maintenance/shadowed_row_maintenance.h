// Sweeps the logical partitions in which compaction found deletions:
// item/maintenance/shadowed_rows.h. Internal to cluster/.
#pragma once

#include "cluster/node_state.h"

namespace orrery::cluster {

// Blocks until all that was due is swept, one after another. What could not be swept is found again
// by a later compaction.
void SweepShadowedRows(const NodeState& state, HostedPartition& partition);

}  // namespace orrery::cluster
