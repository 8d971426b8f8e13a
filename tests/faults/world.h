// A World is what the scenarios play in: a database, containers of the two kinds that differ on
// disk, and short ways to fill them.
#pragma once

#include <map>
#include <string>

#include "faults/core.h"
#include "faults/tracked_container.h"
#include "faults/tracked_tables.h"

namespace orrery::faults {

// Own partitions, every version kept, a unique key.
inline constexpr std::string_view kItems = "items";
// A slice in the shared pool, latest versions only, items may expire.
inline constexpr std::string_view kShared = "shared";

gateway::ContainerSettings OwnPartitions(std::string name, int64_t partitions);
gateway::ContainerSettings SharedPoolSlice(std::string name);

class World {
 public:
  // The database and both containers with some items.
  Status Build(Core& core);
  // From here on the histories begin.
  Status Rebase(Core& core);

  TrackedContainer& operator[](std::string_view name) { return containers_.at(std::string(name)); }
  TrackedContainer& Add(gateway::ContainerSettings settings);
  std::map<std::string, TrackedContainer>& containers() { return containers_; }
  // Empty unless the scenario creates them.
  TrackedTables& tables() { return tables_; }

  // A token that was never used.
  std::string Token();
  // Upserts in one group: one item in each of `count` logical partitions.
  void Upserts(Core& core, std::string_view container, int count,
               std::optional<uint32_t> ttl_s = std::nullopt);
  // Each kind of single write, and batches that succeed and fail.
  void Mixture(Core& core, std::string_view container);

 private:
  std::map<std::string, TrackedContainer> containers_;
  TrackedTables tables_;
  int tokens_ = 0;
};

// The partitions that have the container, in ring order.
std::vector<PartitionId> PartitionsOf(Core& core, std::string_view container);

}  // namespace orrery::faults
