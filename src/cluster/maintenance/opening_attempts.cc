#include "cluster/maintenance/opening_attempts.h"

#include "base/log.h"

namespace orrery::cluster {

bool IsDamage(const Error& error) {
  switch (error.code()) {
    case Code::kCorruption:
    case Code::kNotFound:
    case Code::kInvalidArgument:
    case Code::kUnsupported:
      return true;
    default:
      return false;
  }
}

bool OpeningAttempts::Due(PartitionId id, Micros now) const {
  MutexLock lock(mutex_);
  return schedule_.Due(id, now);
}

bool OpeningAttempts::Failed(PartitionId id, const Error& why, Micros now) {
  if (!IsDamage(why)) {
    LogWarn("partition {} is not open yet: {}", id.value(), why.ToString());
    return false;
  }
  {
    MutexLock lock(mutex_);
    schedule_.Forget(now);
    schedule_.Tried(id, now);
    std::string& told = told_[id];
    if (told == why.message()) return true;
    told = why.message();
  }
  LogError(
      "partition {} cannot be opened: {}. Requests for it fail until what is damaged or missing is "
      "restored from a backup; nothing of it was overwritten, other partitions are served, and "
      "this one is tried again every now and then",
      id.value(), why.message());
  return why.code() == Code::kCorruption;
}

void OpeningAttempts::Opened(PartitionId id) {
  MutexLock lock(mutex_);
  told_.erase(id);
}

}  // namespace orrery::cluster
