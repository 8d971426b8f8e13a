// Checks that a partition has seen what a session token says the client has seen.
#pragma once

#include <string_view>

#include "base/status.h"
#include "cluster/topology.h"

namespace orrery::gateway {

// Positions of the partition's ancestors count for it. OK for an empty token; kInvalidArgument when
// it is malformed, kUnavailable when the partition is behind it.
Status CheckSession(const cluster::Topology& topology, const cluster::HostedPartition& partition,
                    std::string_view session);

}  // namespace orrery::gateway
