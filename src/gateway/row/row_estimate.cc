// How large a table is, without reading it.
#include <algorithm>

#include "gateway/row/row_gateway.h"
#include "item/upkeep/recount.h"

namespace orrery::gateway {
namespace {

// A partition's recorded bytes of the container; of several ranges in it each gets its share.
uint64_t BytesOf(const cluster::HostedPartition& partition, ContainerId container,
                 uint64_t partitions, uint64_t partitions_of_all) {
  const auto totals = partition.ledger().ByContainer();
  const auto found = totals.find(container);
  if (found == totals.end() || partitions_of_all == 0) return 0;
  const double share = static_cast<double>(partitions) / static_cast<double>(partitions_of_all);
  return static_cast<uint64_t>(static_cast<double>(std::max<int64_t>(found->second.bytes, 0)) *
                               share);
}

}  // namespace

Result<std::vector<RowRangeEstimate>> RowGateway::EstimateSizes(
    const ContainerRef& container) const {
  const std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
  const auto ranges = topology->map->Ranges(container->id);
  if (ranges.empty()) {
    if (const ContainerRef newer = Reincarnation(*container); newer != nullptr)
      return EstimateSizes(newer);
    return Fail(router_.Unroutable(*container));
  }
  std::vector<RowRangeEstimate> estimates;
  std::map<PartitionId, uint64_t> partitions;
  for (const partition::RangeEntry& range : ranges) {
    const auto hosted = topology->Find(range.partition);
    if (hosted == nullptr) return Fail(router_.Unroutable(*container));
    ORRERY_ASSIGN(const uint64_t count,
                  item::EstimateLogicalPartitions(hosted->engine(), container->id, range.range));
    estimates.push_back({.range = range.range, .bytes = 0, .partitions = count});
    partitions[range.partition] += count;
  }
  for (size_t i = 0; i < estimates.size(); ++i) {
    const PartitionId id = ranges[i].partition;
    estimates[i].bytes =
        BytesOf(*topology->Find(id), container->id, estimates[i].partitions, partitions[id]);
  }
  return estimates;
}

}  // namespace orrery::gateway
