// A Governor holds one throughput owner to its rate on one physical partition.
//
// Time is cut into windows of one second, each with a budget of one second's rate. The first
// request after a window of silence starts a new series of windows, so a client that comes out of
// idleness gets exactly rate * t in t whole seconds, wherever the clock's own seconds fall. A
// request is admitted while any budget is left, however much it costs; what it takes beyond the
// budget is a debt that the following windows pay first. Budget that a window leaves unused is
// lost, unless burst is on: then up to 300 seconds' worth is saved and adds to later windows.
//
//   state := start:32 budget:32    ; one word, changed by compare-and-swap
//     start   milliseconds since the governor was made, modulo 2^32 (49.7 days)
//     budget  hundredths of a unit that are left, signed: down to kDebtMax, where further debt is
//             forgiven
//
// Time comes in as an argument and must be monotonic; a thread that is late by up to kLateMax is
// harmless. A governor left in debt that is next asked that short before a whole number of 49.7
// days have passed takes itself for late, and refuses until they have. Thread-safe and lock-free.
// The savings of burst are a second word, settled by the thread that turned the window: rolling
// twice within its delay can lend a second's savings out early, and the next window gives them
// back.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/clock.h"
#include "base/request_units.h"
#include "partition/rate/autoscale_meter.h"
#include "partition/rate/period_meter.h"

namespace orrery::partition {

struct GovernorOptions {
  bool burst = false;
  RequestUnits burst_rate_max = RequestUnits::Whole(3'000);  // only lower rates burst, up to this
  int64_t burst_seconds_max = 300;                           // of idle rate that can be saved
};

struct Admission {
  bool admitted = false;
  // If refused: after this time the same request is admitted, unless others took the budget.
  uint32_t retry_after_ms = 0;
};

struct GovernorUsage {
  RequestUnits used_last_second;  // the last full second of the clock
  RequestUnits used_total;
  uint64_t admitted_total = 0;
  uint64_t throttled_total = 0;
};

class Governor {
 public:
  static constexpr RequestUnits kRateMax = RequestUnits::Whole(20'000'000);
  static constexpr RequestUnits kDebtMax = RequestUnits::Whole(600'000);
  static constexpr Micros kLateMax = std::chrono::seconds(16);

  // A rate of zero is unmetered: everything is admitted and counted. REQUIRES: 0 <= rate <=
  // kRateMax.
  Governor(RequestUnits rate, GovernorOptions options, Micros now);
  Governor(const Governor&) = delete;
  Governor& operator=(const Governor&) = delete;

  // Takes `estimate` from the budget, or refuses and takes nothing. REQUIRES: estimate >= 0.
  Admission Reserve(RequestUnits estimate, Micros now);
  // After an admitted request: `difference` is what it really cost less what was reserved. A
  // positive one may put the budget into debt, a negative one gives back.
  void Settle(RequestUnits difference, Micros now);

  // Counts from the next window on, so within a second. REQUIRES: 0 <= rate <= kRateMax.
  void SetRate(RequestUnits rate);
  RequestUnits rate() const;

  GovernorUsage Usage(Micros now) const;
  const AutoscaleMeter& autoscale() const { return autoscale_; }

 private:
  struct Window {
    int64_t start_ms;
    int64_t budget;
  };
  struct Turn {
    Window window;
    int64_t saved;  // change of savings_
  };

  static uint64_t Pack(Window window);
  static Window Unpack(uint64_t word);
  static int64_t ElapsedMs(Window window, int64_t now_ms);
  int64_t ToMs(Micros now) const;
  // The window that `now` is in, after `window`. With `anchor`, silence starts a new series at
  // `now`.
  Turn TurnTo(Window window, int64_t now_ms, int64_t rate, bool anchor) const;
  void Count(RequestUnits used, Micros now);

  const GovernorOptions options_;
  const Micros origin_;

  alignas(64) std::atomic<uint64_t> state_;
  std::atomic<int64_t> rate_;     // hundredths per second
  std::atomic<int64_t> savings_;  // hundredths; below zero while a loan is out

  alignas(64) std::atomic<int64_t> used_total_{0};
  std::atomic<uint64_t> admitted_total_{0};
  std::atomic<uint64_t> throttled_total_{0};
  PeriodMeter second_{std::chrono::seconds(1), Fold::kSum};  // hundredths
  AutoscaleMeter autoscale_;
};

}  // namespace orrery::partition
