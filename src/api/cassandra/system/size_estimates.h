// Estimates the sizes of tables by token range: for system.size_estimates, by which Spark and other
// readers of whole tables divide their work.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "gateway/catalog/catalog_entries.h"

namespace orrery::cassandra {

// One physical partition's part of a table. A logical partition that two of them share, which only
// large ones do, counts in both.
struct RangeEstimate {
  int64_t first_token = 0;  // both inclusive
  int64_t last_token = 0;
  uint64_t bytes = 0;
  uint64_t partitions = 0;  // logical ones
};

// Thread-safe.
class SizeEstimates {
 public:
  virtual ~SizeEstimates() = default;
  // In token order, together the whole ring; neighbours may share the token they meet at. Cheap,
  // though it may block. kNotFound when the container was dropped.
  virtual Result<std::vector<RangeEstimate>> Estimate(
      const gateway::ContainerRef& container) const = 0;
};

// The same for tables of a schema that may be older than the catalog: a table that was dropped
// since has no ranges, rather than spoil the answer about all others.
Result<std::vector<RangeEstimate>> EstimateIfThere(const SizeEstimates& sizes,
                                                   const gateway::ContainerRef& container);

}  // namespace orrery::cassandra
