// Estimates the size of a table without reading it.
#include <algorithm>
#include <map>
#include <set>

#include "gateway/remote/remote_gateway.h"
#include "gateway/row/row_gateway.h"
#include "item/maintenance/recount.h"

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

bool CoversRing(const std::vector<RowRangeEstimate>& estimates) {
  if (estimates.empty() || estimates.front().range.begin() != Hash128::Min() ||
      !estimates.back().range.reaches_top())
    return false;
  for (size_t i = 1; i < estimates.size(); ++i) {
    if (!estimates[i - 1].range.Precedes(estimates[i].range)) return false;
  }
  return true;
}

}  // namespace

Result<std::vector<RowRangeEstimate>> RowGateway::EstimateSizes(
    const ContainerRef& container) const {
  if (parts_.node.topology()->map->Ranges(container->id).empty()) {
    if (const ContainerRef newer = Reincarnation(*container); newer != nullptr)
      return EstimateSizes(newer);
    return Fail(router_.Unroutable(*container));
  }
  const auto once = [&] { return EstimateOnce(*container); };
  return parts_.remote == nullptr ? once() : parts_.remote->Persist(once);
}

Result<std::vector<RowRangeEstimate>> RowGateway::EstimateOnce(
    const ContainerEntry& container) const {
  const std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
  ORRERY_ASSIGN(std::vector<RowRangeEstimate> estimates, EstimateHere(container));
  std::set<NodeId> asked;
  for (const partition::RangeEntry& range : topology->map->Ranges(container.id)) {
    const auto there = topology->remote.find(range.partition);
    if (there == topology->remote.end() || !asked.insert(there->second.owner).second) continue;
    if (parts_.remote == nullptr) return Fail(router_.Unroutable(container));
    ORRERY_ASSIGN(const auto of_owner, parts_.remote->Estimate(container, there->second));
    estimates.insert(estimates.end(), of_owner.begin(), of_owner.end());
  }
  std::ranges::sort(estimates, {}, &RowRangeEstimate::range);
  // Each range once, or somebody's topology is old.
  if (!CoversRing(estimates)) return Fail(Code::kMoved, "the table's ranges are being changed");
  return estimates;
}

Result<std::vector<RowRangeEstimate>> RowGateway::EstimateHere(
    const ContainerEntry& container) const {
  const std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
  std::vector<RowRangeEstimate> estimates;
  std::vector<PartitionId> ids;  // of the estimates
  std::map<PartitionId, uint64_t> partitions;
  for (const partition::RangeEntry& range : topology->map->Ranges(container.id)) {
    const auto hosted = topology->Find(range.partition);
    if (hosted == nullptr) {
      const auto remote = topology->remote.find(range.partition);
      if (remote != topology->remote.end() && remote->second.damage != nullptr)
        return Fail(remote->second.WhyNotHere());
      continue;
    }
    ORRERY_ASSIGN(const uint64_t count,
                  item::EstimateLogicalPartitions(hosted->engine(), container.id, range.range));
    estimates.push_back({.range = range.range, .bytes = 0, .partitions = count});
    ids.push_back(range.partition);
    partitions[range.partition] += count;
  }
  for (size_t i = 0; i < estimates.size(); ++i) {
    estimates[i].bytes =
        BytesOf(*topology->Find(ids[i]), container.id, estimates[i].partitions, partitions[ids[i]]);
  }
  return estimates;
}

}  // namespace orrery::gateway
