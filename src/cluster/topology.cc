#include "cluster/topology.h"

#include <algorithm>

namespace orrery::cluster {

Error RemotePartition::WhyNotHere() const {
  return damage != nullptr ? *damage : Error(Code::kMoved, "another node has the partition");
}

std::shared_ptr<HostedPartition> Topology::Find(PartitionId id) const {
  const auto found = hosted.find(id);
  return found == hosted.end() ? nullptr : found->second;
}

Topology::Place Topology::Locate(ContainerId container, Hash128 hash) const {
  const std::optional<PartitionId> id = map->Lookup(container, hash);
  if (!id.has_value()) return {};
  if (const auto here = hosted.find(*id); here != hosted.end())
    return {.hosted = here->second.get()};
  const auto there = remote.find(*id);
  return {.remote = there == remote.end() ? nullptr : &there->second};
}

HostedPartition* Topology::Route(ContainerId container, Hash128 hash) const {
  return Locate(container, hash).hosted;
}

std::vector<std::shared_ptr<HostedPartition>> Topology::Of(ThroughputOwner throughput_owner) const {
  std::vector<std::shared_ptr<HostedPartition>> result;
  for (const auto& [id, partition] : hosted) {
    if (partition->record()->throughput_owner == throughput_owner) result.push_back(partition);
  }
  std::ranges::sort(result, {}, &HostedPartition::id);
  return result;
}

std::shared_ptr<const PartitionRecord> Topology::RecordOf(PartitionId id) const {
  if (const auto here = hosted.find(id); here != hosted.end()) return here->second->record();
  const auto there = remote.find(id);
  return there == remote.end() ? nullptr : there->second.record;
}

std::vector<std::shared_ptr<const PartitionRecord>> Topology::Records() const {
  std::vector<std::shared_ptr<const PartitionRecord>> records;
  records.reserve(hosted.size() + remote.size());
  for (const auto& [id, partition] : hosted) records.push_back(partition->record());
  for (const auto& [id, partition] : remote) records.push_back(partition.record);
  return records;
}

}  // namespace orrery::cluster
