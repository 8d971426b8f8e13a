// Tells what SDKs are shown as the boundary where a slice is cut.
//
// Internal to cluster/.
#pragma once

#include <string>

#include "base/hash128.h"
#include "base/status.h"
#include "item/container_schema.h"
#include "partition/map/hash_range.h"
#include "storage/engine/engine.h"

namespace orrery::cluster {

// The EPK of a cut that lies inside one first level of a hierarchical key; empty for any other cut,
// whose position tells it. `range` is the slice that is cut. May block on the disk.
Result<std::string> EpkOfCut(const storage::Engine& engine, const item::ContainerSchema& schema,
                             const partition::HashRange& range, Hash128 cut);

}  // namespace orrery::cluster
