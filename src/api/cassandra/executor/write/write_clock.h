// The times that the server gives to writes whose client gives none: the wall clock, but each later
// than the one before, so that of two writes in a row the second wins. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/clock.h"

namespace orrery::cassandra {

class WriteClock {
 public:
  // `clock` must outlive it.
  explicit WriteClock(const Clock& clock) : clock_(clock) {}

  int64_t NextMicros() {
    const int64_t now = clock_.Now().count();
    int64_t last = last_.load(std::memory_order_relaxed);
    while (true) {
      const int64_t next = now > last ? now : last + 1;
      if (last_.compare_exchange_weak(last, next, std::memory_order_relaxed)) return next;
    }
  }

 private:
  const Clock& clock_;
  std::atomic<int64_t> last_{0};
};

}  // namespace orrery::cassandra
