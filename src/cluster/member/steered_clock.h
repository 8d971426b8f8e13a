// The machine's clocks, with a correction of the wall time that makes it the cluster's: nodes whose
// machines disagree give writes, documents and expiry the same time (ClockWatch steers).
//
// Thread-safe. `machine` must outlive it.
#pragma once

#include <atomic>

#include "base/clock.h"

namespace orrery::cluster {

class SteeredClock final : public Clock {
 public:
  explicit SteeredClock(const Clock& machine) : machine_(machine) {}

  // The cluster's time as this node knows it; the machine's until it was steered.
  Micros Now() const override { return machine_.Now() + correction(); }
  Micros Monotonic() const override { return machine_.Monotonic(); }

  const Clock& machine() const { return machine_; }
  // By how much the machine's clock is behind the cluster's time.
  Micros correction() const { return Micros(correction_us_.load(std::memory_order_relaxed)); }
  void Steer(Micros correction) {
    correction_us_.store(correction.count(), std::memory_order_relaxed);
  }

 private:
  const Clock& machine_;
  std::atomic<int64_t> correction_us_{0};
};

}  // namespace orrery::cluster
