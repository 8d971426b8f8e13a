// Time comes in through a Clock, so that tests and the simulator can drive it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace orrery {

using Micros = std::chrono::microseconds;

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  // Wall time since the Unix epoch. May step backwards when the machine's clock is set.
  virtual Micros Now() const = 0;
  // Never goes backwards; the origin is arbitrary. For intervals, rates and deadlines.
  virtual Micros Monotonic() const = 0;
};

// The machine's clocks.
class SystemClock final : public Clock {
 public:
  Micros Now() const override;
  Micros Monotonic() const override;
};

// Stands still until told to move. For tests and simulation.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(Micros start = std::chrono::seconds(1'700'000'000)) : now_(start.count()) {}
  Micros Now() const override { return Micros(now_.load()); }
  Micros Monotonic() const override { return Micros(now_.load()); }
  void Advance(Micros by) { now_.fetch_add(by.count()); }

 private:
  std::atomic<int64_t> now_;
};

}  // namespace orrery
