// Whose a physical partition is, and so who pays for requests to it.
//
// A container with its own throughput has partitions of its own. Containers that share a database's
// throughput are slices in the database's partitions. All others are slices in the commons, whose
// partitions are not metered; a container there may have a budget of its own.
#pragma once

#include <compare>
#include <cstdint>

#include "base/ids.h"

namespace orrery::cluster {

struct Tenancy {
  enum class Kind : uint8_t { kCommons = 0, kDatabase = 1, kContainer = 2 };

  Kind kind = Kind::kCommons;
  uint32_t owner = 0;  // DatabaseId or ContainerId by kind; 0 for the commons

  static Tenancy Commons() { return {}; }
  static Tenancy Of(DatabaseId database) { return {Kind::kDatabase, database.value()}; }
  static Tenancy Of(ContainerId container) { return {Kind::kContainer, container.value()}; }

  friend auto operator<=>(const Tenancy&, const Tenancy&) = default;
};

}  // namespace orrery::cluster
