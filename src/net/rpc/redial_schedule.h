// A RedialSchedule says when to try again to connect to a peer: soon after a connection was lost,
// then ever later while it does not work. Pure: no clock, no I/O.
#pragma once

#include <algorithm>
#include <chrono>

#include "base/clock.h"

namespace orrery::net {

struct RedialTimes {
  std::chrono::milliseconds first{50};
  std::chrono::milliseconds longest{2'000};
};

class RedialSchedule {
 public:
  explicit RedialSchedule(const RedialTimes& times) : times_(times), pause_(times.first) {}

  // Not before; the past if at once.
  Micros next() const { return next_; }

  // An attempt failed.
  void OnFailure(Micros now) {
    next_ = now + pause_;
    pause_ = std::min(pause_ * 2, times_.longest);
  }
  // A connection that worked is over.
  void OnLoss(Micros now) {
    next_ = now + times_.first;
    pause_ = times_.first;
  }
  // The peer is somewhere else now: what was tried before says nothing.
  void Reset() { *this = RedialSchedule(times_); }

 private:
  RedialTimes times_;
  std::chrono::milliseconds pause_;
  Micros next_ = Micros::min();
};

}  // namespace orrery::net
