#include "api/cassandra/system/size_estimates.h"

namespace orrery::cassandra {

Result<std::vector<RangeEstimate>> EstimateIfThere(const SizeEstimates& sizes,
                                                   const gateway::ContainerRef& container) {
  auto estimates = sizes.Estimate(container);
  if (!estimates.has_value() && estimates.error().code() == Code::kNotFound)
    return std::vector<RangeEstimate>();
  return estimates;
}

}  // namespace orrery::cassandra
