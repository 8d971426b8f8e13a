// Answers how the bytes of a slice are spread, from the size entries of its logical partitions:
// totals after a split has been trimmed (exact of documents, near of rows, row/size_sample.h),
// samples for choosing a cut, and whether there is anything to cut at all.
//
// All calls may block on the disk; none changes anything.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/hash128.h"
#include "base/ids.h"
#include "base/status.h"
#include "item/layout/entry_codec.h"
#include "partition/map/hash_range.h"
#include "partition/split_planner.h"
#include "storage/engine/engine.h"

namespace orrery::item {

using SliceRanges = std::map<ContainerId, std::vector<partition::HashRange>>;

// Returns what to add to each container's stored totals (Ledger::Correction) to make them exact:
// counted minus stored, both in one snapshot, so that concurrent writes do not matter. Containers
// whose totals are right are left out; those that have totals but no slice here come back with the
// difference to zero.
Result<std::map<ContainerId, Totals>> Recount(const storage::Engine& engine,
                                              const SliceRanges& slices);

// Beyond this many logical partitions samples come from the engine's own estimates.
inline constexpr size_t kSizeEntriesWalkedMax = 50'000;

// At most `max_samples` samples in ring order; the last one has all bytes. Empty for an empty
// slice. REQUIRES: max_samples > 0.
Result<std::vector<partition::KeySample>> SampleSizes(const storage::Engine& engine,
                                                      ContainerId container,
                                                      const partition::HashRange& range,
                                                      size_t max_samples);

// Estimates how many logical partitions have entries in the range: exact when they are few, else
// from the density of the first of them. Reads at most kDensityEntriesMax entries.
inline constexpr size_t kDensityEntriesMax = 1'024;
Result<uint64_t> EstimateLogicalPartitions(const storage::Engine& engine, ContainerId container,
                                           const partition::HashRange& range);

struct LogicalPartition {
  Hash128 hash;
  std::string partition_key;
};
// The slice's first logical partition in ring order; nullopt when there is none.
Result<std::optional<LogicalPartition>> FirstLogicalPartition(const storage::Engine& engine,
                                                              ContainerId container,
                                                              const partition::HashRange& range);
// The slice's only logical partition; nullopt when there are none or several.
Result<std::optional<LogicalPartition>> SoleLogicalPartition(const storage::Engine& engine,
                                                             ContainerId container,
                                                             const partition::HashRange& range);

}  // namespace orrery::item
