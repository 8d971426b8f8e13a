// Ids of traced requests: fresh time uuids, no two alike in one process.
//
// Thread-safe. The clock must outlive it.
#pragma once

#include <atomic>
#include <cstdint>

#include "api/cassandra/protocol/body/primitives.h"
#include "base/clock.h"

namespace orrery::cassandra {

class TracingIds {
 public:
  // `node` tells this process from others: a random number.
  TracingIds(const Clock& clock, uint64_t node) : clock_(clock), node_(node) {}

  Uuid Next();

 private:
  const Clock& clock_;
  const uint64_t node_;
  std::atomic<int64_t> last_us_ = 0;  // the time in the newest id: rises with every one
};

}  // namespace orrery::cassandra
