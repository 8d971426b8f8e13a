// An ArrivalDeadline says until when a message that has begun to come in must be there.
//
// A sender has `grace` from the first byte on. Each byte that arrives earns it
// 1/bytes_per_second_min seconds more, but never more than `grace` from now: one that keeps up the
// rate has all the time it needs, one that sends much and then stalls is over after `grace`, and
// one that sends a byte now and then is over soon after it. A message of n bytes so takes at most
// grace + n / bytes_per_second_min.
//
// Pure. Not thread-safe.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace orrery::net {

struct ArrivalRate {
  std::chrono::milliseconds grace;
  size_t bytes_per_second_min;  // > 0
};

class ArrivalDeadline {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit ArrivalDeadline(const ArrivalRate& rate) : rate_(rate) {}

  // A message's first bytes are there.
  void Start(Time now) { deadline_ = now + rate_.grace; }
  // `bytes` more of it have come. REQUIRES: running().
  void Earn(Time now, size_t bytes) {
    const std::chrono::nanoseconds earned(bytes * std::nano::den / rate_.bytes_per_second_min);
    deadline_ = std::min<Time>(deadline_ + earned, now + rate_.grace);
  }
  // The message is complete.
  void Stop() { deadline_ = Time::max(); }

  bool running() const { return deadline_ != Time::max(); }
  // Time::max() when no message is coming in.
  Time deadline() const { return deadline_; }

 private:
  const ArrivalRate rate_;
  Time deadline_ = Time::max();
};

}  // namespace orrery::net
