#include "gateway/position/session_check.h"

#include <fmt/format.h>

#include <span>
#include <vector>

#include "gateway/position/session_token.h"

namespace orrery::gateway {

Status CheckSession(const cluster::Topology& topology, const cluster::HostedPartition& partition,
                    std::string_view session) {
  if (session.empty()) return {};
  ORRERY_ASSIGN(const std::vector<SessionPosition> positions, ParseSessionToken(session));
  const partition::PartitionInfo* info = topology.map->Find(partition.id());
  const std::span<const PartitionId> ancestors = info == nullptr
                                                     ? std::span<const PartitionId>()
                                                     : std::span<const PartitionId>(info->parents);
  const Lsn required = RequiredPosition(positions, partition.id(), ancestors);
  if (partition.sequencer().last_committed() >= required) return {};
  return Fail(Code::kUnavailable, fmt::format("the read session is not available: partition {} has "
                                              "not reached position {} of the session "
                                              "token; retry",
                                              partition.id().value(), required.value()));
}

}  // namespace orrery::gateway
