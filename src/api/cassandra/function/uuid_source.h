// The UuidSource of a server: ids from its clock, its node number and its randomness.
//
// A timeuuid's time counts up by a microsecond whenever the clock has not: ids made in a burst run
// ahead of it, and a clock set back makes no id twice while the process lives. Across processes the
// node number keeps them apart.
#pragma once

#include <functional>
#include <string>

#include "api/cassandra/function/function_context.h"
#include "base/clock.h"
#include "base/mutex.h"

namespace orrery::cassandra {

class ServerUuids final : public UuidSource {
 public:
  using Random = std::function<uint64_t()>;

  // `clock` must outlive it. `random` gives 64 bits that nobody can guess; it is called by one
  // thread at a time. The node number is drawn from it.
  ServerUuids(const Clock& clock, Random random);

  std::string NextTimeUuid() override;
  std::string NextRandomUuid() override;

 private:
  const Clock& clock_;

  Mutex mutex_;
  Random random_ GUARDED_BY(mutex_);
  uint64_t node_ GUARDED_BY(mutex_);
  Micros last_ GUARDED_BY(mutex_){0};
};

}  // namespace orrery::cassandra
