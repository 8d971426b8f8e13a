// The times that the server gives to writes whose client gives none: the wall clock, but each later
// than the one before, so that of two writes in a row the second wins, also when the machine's
// clock was set back, and over a restart: the partitions that the writes went to remember a later
// time. Thread-safe.
#pragma once

#include <cstdint>

#include "base/cluster_clock.h"

namespace orrery::cassandra {

class WriteClock {
 public:
  // `times` must outlive it, and is what the partitions take the times of writes from.
  explicit WriteClock(ClusterClock& times) : times_(times) {}

  int64_t NextMicros() { return times_.Next().count(); }

 private:
  ClusterClock& times_;
};

}  // namespace orrery::cassandra
