// Asks for filters of an index's values (item/index/value_filters.h) on the partitions of a
// container that are open here, so that look-ups over many partitions read only those that have
// what they look for.
#pragma once

#include <cstddef>

#include "base/status.h"
#include "gateway/gateway.h"
#include "item/layout/key_layout.h"

namespace orrery::gateway {

// Brings the filters nearer to completion, by at most `entries_max` entries in all. Returns how
// many were read: 0 when all are complete. Blocks.
Result<size_t> GrowValueFilters(Gateway& gateway, const ContainerEntry& container,
                                item::IndexId index, size_t entries_max);

}  // namespace orrery::gateway
