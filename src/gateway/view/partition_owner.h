// The node that has a partition open, as far as this node knows. For clients that connect to owners
// themselves; requests that come to another node are forwarded anyway.
//
// Thread-safe; every call looks at the moment of the call.
#pragma once

#include <optional>

#include "base/ids.h"

namespace orrery::gateway {

class Gateway;

// Returns nullopt if the partition is this node's, or nobody is known to have it.
std::optional<NodeId> OwnerElsewhere(const Gateway& gateway, PartitionId partition);

// Returns whether there is a partition of that id, here or elsewhere: one that has split or merged
// is none any more.
bool PartitionExists(const Gateway& gateway, PartitionId partition);

}  // namespace orrery::gateway
