// A LoopLag measures how long the event loops leave a task waiting: what every request waits at
// least. One look a second for each loop.
//
// Tick() by one thread; the loops must outlive it, and be stopped before it goes.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <memory>

#include "base/metrics.h"
#include "net/event_loops.h"

namespace orrery::server {

class LoopLag {
 public:
  LoopLag(net::EventLoops& loops, MetricsRegistry& metrics);

  void Tick();

 private:
  net::EventLoops& loops_;
  // Shared with tasks that a loop has not run yet.
  const std::shared_ptr<std::atomic<int64_t>> highest_;  // microseconds, since the last look
  Gauge& lag_;
  Histogram& lags_;
};

}  // namespace orrery::server
