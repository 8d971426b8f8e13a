#include "gateway/view/partition_ranges.h"

#include <algorithm>

#include "gateway/gateway.h"

namespace orrery::gateway {

std::vector<partition::HashRange> PartitionRanges(const Gateway& gateway,
                                                  const ContainerEntry& container) {
  std::vector<partition::HashRange> ranges;
  const auto topology = gateway.node().topology();
  for (const auto& entry : topology->map->Ranges(container.id)) ranges.push_back(entry.range);
  return ranges;
}

size_t PartitionCount(const Gateway& gateway, const cluster::ThroughputOwner& throughput_owner) {
  const auto records = gateway.node().topology()->Records();
  return static_cast<size_t>(std::ranges::count_if(
      records, [&](const auto& record) { return record->throughput_owner == throughput_owner; }));
}

}  // namespace orrery::gateway
