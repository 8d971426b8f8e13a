#include "gateway/metering.h"

#include <string>

namespace orrery::gateway {
namespace {

constexpr const char* kThrottledText =
    "Request rate is large. More Request Units may be needed, so no changes were made. Please "
    "retry this request "
    "later.";

}  // namespace

Metering::Metering(const Clock& clock, MetricsRegistry& metrics, bool meters)
    : clock_(clock),
      meters_(meters),
      throttled_(metrics.GetCounter("orrery_throttled_total",
                                    "Requests refused for want of request units.")) {}

Status Metering::Reserve(const cluster::HostedPartition& partition, const ContainerEntry& container,
                         RequestUnits estimate) const {
  if (container.budget != nullptr) ORRERY_TRY(Admit(*container.budget, estimate));
  return Admit(partition.governor(), estimate);
}

Status Metering::Admit(partition::Governor& governor, RequestUnits estimate) const {
  if (!meters_) {
    governor.Settle(estimate, clock_.Monotonic());
    return {};
  }
  const partition::Admission admission = governor.Reserve(estimate, clock_.Monotonic());
  if (admission.admitted) return {};
  throttled_.Add();
  return Fail(Error::Throttled(kThrottledText, admission.retry_after_ms));
}

void Metering::Settle(const cluster::HostedPartition& partition, const ContainerEntry& container,
                      RequestUnits reserved, RequestUnits charge) const {
  if (charge == reserved) return;
  if (container.budget != nullptr) container.budget->Settle(charge - reserved, clock_.Monotonic());
  partition.governor().Settle(charge - reserved, clock_.Monotonic());
}

}  // namespace orrery::gateway
