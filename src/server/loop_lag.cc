#include "server/loop_lag.h"

#include <algorithm>

namespace orrery::server {

LoopLag::LoopLag(net::EventLoops& loops, MetricsRegistry& metrics)
    : loops_(loops),
      highest_(std::make_shared<std::atomic<int64_t>>(0)),
      lag_(metrics.GetGauge("orrery_event_loop_lag_seconds",
                            "How long the slowest event loop left a task waiting, last second.")),
      lags_(metrics.GetHistogram("orrery_event_loop_lags_seconds",
                                 "How long event loops left a task waiting.", LatencyBounds())) {}

void LoopLag::Tick() {
  const int64_t micros = highest_->exchange(0);
  lag_.Set(static_cast<double>(micros) / 1e6);
  for (size_t i = 0; i < loops_.size(); ++i) {
    const auto posted = std::chrono::steady_clock::now();
    loops_.Post(i, [posted, highest = highest_, lags = &lags_] {
      const auto waited = std::chrono::duration_cast<std::chrono::microseconds>(
                              std::chrono::steady_clock::now() - posted)
                              .count();
      int64_t known = highest->load();
      while (known < waited && !highest->compare_exchange_weak(known, waited)) {
      }
      lags->Observe(static_cast<double>(waited) / 1e6);
    });
  }
}

}  // namespace orrery::server
