// Takes request units from the budget of the partition that does the work: a reservation before it,
// the difference to the real price after it. In partitions without a budget everything is admitted,
// and counted; a container with a budget of its own (ContainerEntry::budget) pays from that.
//
// Thread-safe and lock-free.
#pragma once

#include "base/clock.h"
#include "base/metrics.h"
#include "base/request_units.h"
#include "base/status.h"
#include "cluster/hosted_partition.h"
#include "gateway/catalog/catalog_entries.h"

namespace orrery::gateway {

class Metering {
 public:
  // Both must outlive it.
  // Unless it `meters`, everything is admitted and counted.
  Metering(const Clock& clock, MetricsRegistry& metrics, bool meters);

  // kThrottled, with the time to wait, when there is no budget left: then nothing is taken.
  // `container` is the one whose items the partition works on.
  Status Reserve(const cluster::HostedPartition& partition, const ContainerEntry& container,
                 RequestUnits estimate) const;
  // After every Reserve that was admitted. `charge` is zero for work that was not done.
  void Settle(const cluster::HostedPartition& partition, const ContainerEntry& container,
              RequestUnits reserved, RequestUnits charge) const;

 private:
  Status Admit(partition::Governor& governor, RequestUnits estimate) const;

  const Clock& clock_;
  const bool meters_;
  Counter& throttled_;
};

}  // namespace orrery::gateway
