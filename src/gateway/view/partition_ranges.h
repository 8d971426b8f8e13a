// The facts that APIs may know of physical partitions: which parts of the ring they have, and how
// many there are. Everything else about them is behind the gateway.
//
// Thread-safe; every call looks at the moment of the call.
#pragma once

#include <cstddef>
#include <vector>

#include "cluster/throughput_owner.h"
#include "gateway/catalog/catalog_entries.h"
#include "partition/map/hash_range.h"

namespace orrery::gateway {

class Gateway;

// Returns the parts of the ring that the container's physical partitions have, rising.
std::vector<partition::HashRange> PartitionRanges(const Gateway& gateway,
                                                  const ContainerEntry& container);

// Returns how many physical partitions a throughput owner has.
size_t PartitionCount(const Gateway& gateway, const cluster::ThroughputOwner& throughput_owner);

}  // namespace orrery::gateway
