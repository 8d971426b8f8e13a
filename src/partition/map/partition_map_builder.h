// A PartitionMapBuilder makes the next PartitionMap out of the current one.
//
// Changes cost what they touch: the tables of changed containers and the slices of changed
// partitions, not the rest of the map. A split is AddPartition for each child with the parent's
// ancestry, Assign for each of its slices, RemovePartition of the parent, Build.
//
// Each call checks what it can and leaves the builder unchanged on error (kInvalidArgument or
// kNotFound); Build checks the whole. Not thread-safe.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/status.h"
#include "partition/map/partition_map.h"

namespace orrery::partition {

class PartitionMapBuilder {
 public:
  explicit PartitionMapBuilder(std::shared_ptr<const PartitionMap> base);

  // A partition without slices yet. kAlreadyExists when the id is taken.
  Status AddPartition(PartitionId id, std::vector<PartitionId> parents = {});
  // Build refuses while the partition still has slices.
  Status RemovePartition(PartitionId id);

  // Adds a container or replaces all of its ranges. They must follow each other without gap or
  // overlap and cover the whole ring.
  Status SetContainer(ContainerId container, RangeTable table);
  Status RemoveContainer(ContainerId container);

  // Gives `slice` to `partition`. Ranges that it cuts keep their rest; neighbours that end up on
  // the same partition become one. An empty begin_epk keeps the one that a range with the same
  // begin has.
  Status Assign(const Slice& slice, PartitionId partition);

  // The map with all changes, at the base's version + 1. kInvalidArgument when a removed partition
  // still has slices, kNotFound when a range names a partition that is not there; both name the
  // first offender. The builder is spent afterwards.
  Result<std::shared_ptr<const PartitionMap>> Build() &&;

 private:
  bool HasPartition(PartitionId id) const;
  Status CheckPartition(PartitionId id) const;
  // The container's table as changed so far, or nullptr.
  const RangeTable* Current(ContainerId container) const;

  std::shared_ptr<const PartitionMap> base_;
  std::map<ContainerId, RangeTable> tables_;  // changed; an empty table = removed
  std::map<PartitionId, std::vector<PartitionId>> added_;
  std::set<PartitionId> removed_;
};

}  // namespace orrery::partition
