// The machine's clocks, ahead of them by what tests have asked for: what expires by time expires
// when they say so.
//
// Thread-safe. `machine` must outlive it.
#pragma once

#include <atomic>

#include "base/clock.h"

namespace orrery::server {

class AdvancedClock final : public Clock {
 public:
  explicit AdvancedClock(const Clock& machine) : machine_(machine) {}

  Micros Now() const override { return machine_.Now() + ahead(); }
  Micros Monotonic() const override { return machine_.Monotonic() + ahead(); }

  Micros ahead() const { return Micros(ahead_us_.load(std::memory_order_relaxed)); }
  // REQUIRES: by >= 0.
  void Advance(Micros by) { ahead_us_.fetch_add(by.count(), std::memory_order_relaxed); }

 private:
  const Clock& machine_;
  std::atomic<int64_t> ahead_us_{0};
};

}  // namespace orrery::server
