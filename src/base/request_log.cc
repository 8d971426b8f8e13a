#include "base/request_log.h"

#include <atomic>

#include "base/log.h"

namespace orrery {
namespace {

std::atomic<int64_t> slow_micros{0};
std::atomic<int64_t> expensive_hundredths{0};

bool IsPast(const std::atomic<int64_t>& limit, int64_t value) {
  const int64_t least = limit.load(std::memory_order_relaxed);
  return least > 0 && value >= least;
}

}  // namespace

void SetRequestLog(RequestLogLimits limits) {
  slow_micros.store(limits.slow.count());
  expensive_hundredths.store(limits.expensive.hundredths());
}

void LogIfNotable(std::string_view api, std::string_view operation, Micros took,
                  RequestUnits charge, bool failed) {
  const bool is_slow = IsPast(slow_micros, took.count());
  const bool is_expensive = IsPast(expensive_hundredths, charge.hundredths());
  if (!is_slow && !is_expensive) return;
  LogInfo("{} request: {} {}, {:.1f} ms, {} RU{}", is_slow ? "slow" : "expensive", api, operation,
          static_cast<double>(took.count()) / 1'000, charge.ToString(), failed ? ", failed" : "");
}

}  // namespace orrery
