// Physical partitions in the admin interface: see, split, merge.
#pragma once

#include <cstdint>

#include "base/thread_pool.h"
#include "gateway/view/inspection.h"
#include "portal/router.h"

namespace orrery::portal {

// Splits and merges run on `pool` and are answered when done. `partition_bytes_max` is told to
// clients as the size at which a partition splits. All must outlive the router.
void AddPartitionRoutes(Router& router, gateway::Inspection& inspection, ThreadPool& pool,
                        uint64_t partition_bytes_max);

}  // namespace orrery::portal
