// When each operation is meant to start, whatever the server does.
//
// At a fixed rate the n-th operation is due at begin + n/rate. When the server is slow, operations
// go out late but keep the start they were meant to have, and their latency is counted from it:
// a stall is seen by everything that should have started during it (no coordinated omission).
// Saturating, an operation is due whenever there is room for one.
//
// Pure: times come in as arguments. One per thread; `phase` spreads the threads' arrivals.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace orrery::bench {

using LoadClock = std::chrono::steady_clock;
using LoadTime = LoadClock::time_point;

struct ArrivalPlan {
  LoadTime begin;
  LoadTime end;                     // nothing is due at or after this
  double per_second = 0;            // 0: saturating
  double phase = 0;                 // 0 to 1: shifts all starts by this part of an interval
  uint64_t count_max = UINT64_MAX;  // no more operations than this
};

class ArrivalSchedule {
 public:
  explicit ArrivalSchedule(const ArrivalPlan& plan) : plan_(plan) {}

  // The intended start of the next operation if it is due by `now`, which is then taken.
  std::optional<LoadTime> TakeDue(LoadTime now);
  // When the next is due; nothing once all are taken. Saturating: the begin.
  std::optional<LoadTime> NextStart() const;

  uint64_t taken() const { return taken_; }

 private:
  const ArrivalPlan plan_;
  uint64_t taken_ = 0;
};

}  // namespace orrery::bench
