#include "base/cluster_clock.h"

#include <algorithm>

namespace orrery {
namespace {

constexpr int64_t kMicrosPerSecond = 1'000'000;

}  // namespace

uint64_t TimestampOf(Micros time) {
  const auto micros = static_cast<uint64_t>(std::max<int64_t>(time.count(), 0));
  return (micros / kMicrosPerSecond) << 32 | (micros % kMicrosPerSecond + 1);
}

Micros TimeOfTimestamp(uint64_t timestamp) {
  const auto seconds = static_cast<int64_t>(timestamp >> 32);
  const auto increment = static_cast<int64_t>(timestamp & UINT32_MAX);
  return Micros(seconds * kMicrosPerSecond +
                std::clamp<int64_t>(increment - 1, 0, kMicrosPerSecond));
}

void ClusterClock::Restore(Micros time) {
  int64_t last = last_.load(std::memory_order_relaxed);
  while (last < time.count() &&
         !last_.compare_exchange_weak(last, time.count(), std::memory_order_acq_rel,
                                      std::memory_order_relaxed)) {
  }
}

bool ClusterClock::Observe(Micros time) {
  if (time <= Latest()) return true;
  if (time > wall_.Now() + kDriftMax) return false;
  Restore(time);
  return true;
}

}  // namespace orrery
