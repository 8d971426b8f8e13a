// A RetryBudget limits how often and for how long a request looks again for the owner of its
// partition: while a partition is between two owners, or this node's topology is behind the
// owner's, the request waits a little and looks again.
//
// Lives for one request. `clock` must outlive it.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/clock.h"

namespace orrery::gateway {

class RetryBudget {
 public:
  static constexpr std::chrono::seconds kTimeMax{10};
  static constexpr int kRetriesMax = 250;
  static constexpr std::chrono::milliseconds kFirstPause{2};
  static constexpr std::chrono::milliseconds kPauseMax{50};

  explicit RetryBudget(const Clock& clock)
      : clock_(clock), deadline_(clock.Monotonic() + kTimeMax) {}

  // Returns how long to wait before the next look; nullopt when it is time to give up.
  std::optional<std::chrono::milliseconds> NextPause() {
    const std::chrono::milliseconds pause = pause_;
    if (retries_ >= kRetriesMax || clock_.Monotonic() + pause > deadline_) return std::nullopt;
    ++retries_;
    pause_ = std::min(pause_ * 2, kPauseMax);
    return pause;
  }

 private:
  const Clock& clock_;
  const Micros deadline_;
  std::chrono::milliseconds pause_ = kFirstPause;
  int retries_ = 0;
};

}  // namespace orrery::gateway
