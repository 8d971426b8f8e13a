#include "cluster/maintenance/retry_schedule.h"

#include <algorithm>

namespace orrery::cluster {

bool RetrySchedule::Due(PartitionId id, Micros now) const {
  const auto found = entries_.find(id);
  return found == entries_.end() || now - found->second.tried_at >= found->second.pause;
}

void RetrySchedule::Tried(PartitionId id, Micros now) {
  Entry& entry = entries_[id];
  entry.pause = entry.pause.count() == 0 ? kPauseFirst : std::min(entry.pause * 2, kPauseMax);
  entry.tried_at = now;
}

void RetrySchedule::StillFull(PartitionId id) {
  if (const auto found = entries_.find(id); found != entries_.end())
    found->second.pause = kPauseFirst;
}

void RetrySchedule::Became(PartitionId id, PartitionId fresh) {
  auto node = entries_.extract(id);
  if (node.empty()) return;
  node.key() = fresh;
  entries_.insert(std::move(node));
}

void RetrySchedule::Forget(Micros now) {
  std::erase_if(entries_, [now](const auto& entry) {
    return now - entry.second.tried_at >= kForgottenAfter;
  });
}

}  // namespace orrery::cluster
