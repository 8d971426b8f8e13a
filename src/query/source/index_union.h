// Finds the documents of an index union, each once: their keys are gathered out of the entries of
// all indexes first, and read in ring order then (multi-get), as a full scan would have met them.
#pragma once

#include <optional>
#include <vector>

#include "gateway/gateway.h"
#include "query/source/scan_plan.h"
#include "query/source/source_metrics.h"

namespace orrery::query {

// As many keys are gathered at most, and as many entries skipped.
struct UnionLimits {
  size_t keys_max = 4'000;
  size_t skipped_max = 64'000;
};

// Returns the keys of what path.index_union finds of the step's documents, in ring order and each
// once; nullopt if that is more than the limits allow. Adds to `metrics` what that has cost. With
// kCachedOnly: kWouldBlock if Gateway::Scan says so.
Result<std::optional<std::vector<item::ItemKey>>> FindUnionKeys(
    const AccessPath& path, const ScanStep& step, gateway::Gateway& gateway,
    const gateway::ContainerRef& container, SourceMetrics& metrics, const UnionLimits& limits,
    storage::ReadMode mode = storage::ReadMode::kMayBlock);

// Makes of a stream in ring order one that reads what path.index_union finds of its documents, the
// first `first_wanted` of them at once. Returns nullopt if that is more than the limits allow: the
// stream is better read as it is. Adds to `metrics` what that has cost.
Result<std::optional<ScanStream>> NarrowToUnion(const AccessPath& path, const ScanStream& stream,
                                                gateway::Gateway& gateway,
                                                const gateway::ContainerRef& container,
                                                size_t first_wanted, SourceMetrics& metrics,
                                                const UnionLimits& limits = {});

}  // namespace orrery::query
