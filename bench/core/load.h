// Keeps a fixed number of writes in flight against a gateway.
#pragma once

#include <atomic>
#include <functional>
#include <semaphore>
#include <thread>
#include <vector>

#include "core/fixture.h"

namespace orrery::bench {

struct LoadResult {
  uint64_t done = 0;
  uint64_t failed = 0;
  double seconds = 0;
  double worst_latency_s = 0;
  double rate() const { return static_cast<double>(done) / seconds; }
};

// `next` makes the request with the given number; `count` of them are sent with `in_flight`
// outstanding. `sample` (may be null) is called with each response.
inline LoadResult RunLoad(
    gateway::Gateway& gateway, uint64_t first, uint64_t count, size_t in_flight,
    const std::function<gateway::WriteRequest(uint64_t)>& next,
    const std::function<void(const gateway::WriteResponse&)>& sample = nullptr) {
  std::counting_semaphore<> slots(static_cast<std::ptrdiff_t>(in_flight));
  std::atomic<uint64_t> failed{0};
  std::atomic<int64_t> worst_us{0};
  const double start = Now();
  for (uint64_t i = 0; i < count; ++i) {
    gateway::WriteRequest request = next(first + i);
    slots.acquire();
    const double sent = Now();
    gateway.Write(std::move(request), [&, sent](const gateway::WriteResponse& response) {
      if (!response.status.has_value()) ++failed;
      const auto took = static_cast<int64_t>((Now() - sent) * 1e6);
      int64_t seen = worst_us.load();
      while (took > seen && !worst_us.compare_exchange_weak(seen, took)) {
      }
      if (sample) sample(response);
      slots.release();
    });
  }
  for (size_t i = 0; i < in_flight; ++i) slots.acquire();
  return {count, failed.load(), Now() - start, static_cast<double>(worst_us.load()) / 1e6};
}

}  // namespace orrery::bench
