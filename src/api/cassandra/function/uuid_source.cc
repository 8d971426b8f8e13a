#include "api/cassandra/function/uuid_source.h"

#include <algorithm>
#include <utility>

#include "api/cassandra/types/native/timeuuid.h"

namespace orrery::cassandra {

ServerUuids::ServerUuids(const Clock& clock, Random random)
    : clock_(clock), random_(std::move(random)), node_(random_()) {}

std::string ServerUuids::NextTimeUuid() {
  const Micros now = clock_.Now();
  MutexLock lock(mutex_);
  last_ = std::max(now, last_ + Micros(1));
  return MakeTimeUuid(last_, node_);
}

std::string ServerUuids::NextRandomUuid() {
  MutexLock lock(mutex_);
  const uint64_t high = random_();
  return MakeRandomUuid(high, random_());
}

}  // namespace orrery::cassandra
