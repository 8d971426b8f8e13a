// A ClusterClock is a hybrid logical clock: it gives out times that rise strictly, so that whatever
// follows from an event has a later time than the event, and that stay near the wall clock.
//
// All sequencers of a process take the times of their writes from one, so the times that records
// and feeds carry order the writes of different partitions as they caused each other. What other
// nodes and clients tell of theirs is observed. It never goes back, also over a restart: partitions
// make it observe their last time when they are opened.
//
// MongoDB's clients see its times as BSON timestamps: seconds above, one more than the microseconds
// of the second below. The order is the same, and each time has a timestamp of its own.
//
// Thread-safe, lock-free.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "base/clock.h"

namespace orrery {

// Returns the timestamp of a time, and the time of a timestamp. The time of a timestamp that is not
// one of a time is the least whose timestamp is not before it.
uint64_t TimestampOf(Micros time);
Micros TimeOfTimestamp(uint64_t timestamp);

class ClusterClock {
 public:
  // The most that a time told by another node may be ahead of the wall clock.
  static constexpr Micros kDriftMax = std::chrono::seconds(60);

  // `wall` must outlive it.
  explicit ClusterClock(const Clock& wall) : wall_(wall), last_(wall.Now().count()) {}

  // Returns a time later than all that were given out or observed.
  Micros Next() {
    const int64_t now = wall_.Now().count();
    int64_t last = last_.load(std::memory_order_relaxed);
    int64_t next = 0;
    do {
      next = now > last ? now : last + 1;
    } while (!last_.compare_exchange_weak(last, next, std::memory_order_acq_rel,
                                          std::memory_order_relaxed));
    return Micros(next);
  }

  // Returns the latest time that was given out or observed. All writes whose answers were sent
  // before have a time that is not later.
  Micros Latest() const { return Micros(last_.load(std::memory_order_acquire)); }

  // Makes later times of Next come after `time`.
  void Restore(Micros time);
  // The same for a time that another node or a client tells. False, and nothing is observed, when
  // it is more than kDriftMax ahead of the wall clock.
  [[nodiscard]] bool Observe(Micros time);

 private:
  const Clock& wall_;
  std::atomic<int64_t> last_;
};

}  // namespace orrery
