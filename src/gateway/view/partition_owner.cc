#include "gateway/view/partition_owner.h"

#include "gateway/gateway.h"

namespace orrery::gateway {

std::optional<NodeId> OwnerElsewhere(const Gateway& gateway, PartitionId partition) {
  const auto topology = gateway.node().topology();
  const auto found = topology->remote.find(partition);
  if (found == topology->remote.end() || found->second.owner == NodeId()) return std::nullopt;
  return found->second.owner;
}

bool PartitionExists(const Gateway& gateway, PartitionId partition) {
  const auto topology = gateway.node().topology();
  return topology->hosted.contains(partition) || topology->remote.contains(partition);
}

}  // namespace orrery::gateway
