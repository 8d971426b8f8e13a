// The steps of an index build on one partition that is open here. index_builds.h says which steps
// and in what order; for partitions of other nodes they are taken there (remote/remote_service.h).
//
// All of it blocks. Thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "cluster/hosted_partition.h"
#include "gateway/catalog/catalog_entries.h"
#include "gateway/position/ring_pieces.h"
#include "item/container_schema.h"

namespace orrery::gateway {

struct IndexBatch {
  size_t items = 0;
  std::optional<std::string> next;  // where the next one begins; none: this was the last
  // Not empty: two items have the same key in a unique index (item::UniqueConflict), and nothing of
  // the batch was done.
  std::string conflict{};
};

// Those of a container of rows with these ids.
std::vector<item::RowIndex> RowIndexesOf(const ContainerEntry& entry,
                                         std::span<const uint32_t> ids);

// Brings the next items of the piece to the entry's settings; of rows, for the indexes in `rows`.
// After the last everything that was written is durable. kMoved and kOverloaded: nothing was done.
Result<IndexBatch> BuildIndexBatch(const ContainerEntry& entry,
                                   const std::vector<item::RowIndex>& rows, const RingPiece& piece);

// Removes all entries of an index that no settings have any more. kMoved: perhaps not all, because
// the partition was just being split or merged.
Status DropIndex(cluster::HostedPartition& partition, ContainerId container, item::IndexId index);

}  // namespace orrery::gateway
