#include "cluster/maintenance/quiet_writes.h"

#include <algorithm>
#include <utility>

#include "cluster/hosted_partition.h"

namespace orrery::cluster {

std::vector<std::shared_ptr<HostedPartition>> QuietWrites::Next(const Topology& topology) {
  std::vector<std::shared_ptr<HostedPartition>> quiet;
  std::map<PartitionId, Seen> seen;
  for (const auto& [id, partition] : topology.hosted) {
    const uint64_t sequence = partition->engine().LatestSequence();
    const auto before = seen_.find(id);
    const bool same = before != seen_.end() && before->second.sequence == sequence;
    // Stops counting beyond, so that a partition is quiet in one round only.
    const int rounds = same ? std::min(before->second.rounds + 1, kQuietRounds + 1) : 0;
    seen.emplace(id, Seen{sequence, rounds});
    if (rounds == kQuietRounds) quiet.push_back(partition);
  }
  seen_ = std::move(seen);
  return quiet;
}

bool QuietWrites::IsWorthAFlush(const HostedPartition& partition) {
  return partition.engine().Stats().memtable_bytes >= kFlushBytesMin;
}

}  // namespace orrery::cluster
