// A ThroughputOwner says whose request units a physical partition serves: a container's, a
// database's, or those of the shared pool.
//
// A container with its own throughput has partitions of its own. Containers that share a database's
// throughput are slices in the database's partitions. All others are slices in the shared pool,
// whose partitions are not metered; a container there may have a budget of its own.
#pragma once

#include <compare>
#include <cstdint>

#include "base/ids.h"

namespace orrery::cluster {

struct ThroughputOwner {
  enum class Kind : uint8_t { kSharedPool = 0, kDatabase = 1, kContainer = 2 };

  Kind kind = Kind::kSharedPool;
  uint32_t id = 0;  // DatabaseId or ContainerId by kind; 0 for the shared pool

  static ThroughputOwner SharedPool() { return {}; }
  static ThroughputOwner Of(DatabaseId database) { return {Kind::kDatabase, database.value()}; }
  static ThroughputOwner Of(ContainerId container) { return {Kind::kContainer, container.value()}; }

  friend auto operator<=>(const ThroughputOwner&, const ThroughputOwner&) = default;
};

}  // namespace orrery::cluster
