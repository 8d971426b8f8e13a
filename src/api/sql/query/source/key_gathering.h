// Documents that several indexes find, each once: their keys are gathered out of the entries first,
// and read in ring order then, as a scan of all would have met them.
#pragma once

#include <optional>

#include "api/sql/query/source/scan_plan.h"
#include "api/sql/query/source/source_metrics.h"
#include "gateway/gateway.h"

namespace orrery::sql {

// As many keys are gathered at most, and as many entries passed.
struct GatheringLimits {
  size_t keys_max = 4'000;
  size_t passed_max = 64'000;
};

// Makes of a stream in ring order one that reads what path.any_of finds of its documents, the first
// `first_wanted` of them at once. Nothing when that is more than the limits allow: the stream is
// better read as it is. Adds to `metrics` what that has cost.
Result<std::optional<ScanStream>> NarrowToFound(const AccessPath& path, const ScanStream& stream,
                                                gateway::Gateway& gateway,
                                                const gateway::ContainerRef& container,
                                                size_t first_wanted, SourceMetrics& metrics,
                                                const GatheringLimits& limits = {});

}  // namespace orrery::sql
