// A RequestMeter counts the requests of one API by what they did: how long they took and what they
// were charged, as histograms of /metrics.
//
//   orrery_request_duration_seconds{api,operation}    orrery_request_charge_units{api,operation}
//   orrery_requests_failed_total{api,operation}
//
// Counting is a few additions to memory of the thread's own. Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/metrics.h"
#include "base/request_units.h"
#include "base/thread_shard.h"

namespace orrery {

enum class RequestOperation : uint8_t { kRead, kQuery, kWrite, kBatch, kScript, kOther };
inline constexpr size_t kRequestOperations = 6;
// "read", "query", ...
std::string_view RequestOperationName(RequestOperation operation);

class RequestMeter {
 public:
  // `metrics` must outlive it.
  RequestMeter(MetricsRegistry& metrics, std::string_view api);
  RequestMeter(const RequestMeter&) = delete;
  RequestMeter& operator=(const RequestMeter&) = delete;

  void Note(RequestOperation operation, Micros took, RequestUnits charge, bool failed);

 private:
  // Inclusive upper ends; one more bucket is for what is above all.
  static constexpr std::array<int64_t, 14> kMicros = {
      50,     100,    250,    500,     1'000,   2'500,     5'000,
      10'000, 25'000, 50'000, 100'000, 500'000, 2'500'000, 10'000'000};
  static constexpr std::array<int64_t, 11> kHundredths = {
      100, 200, 500, 1'000, 2'500, 5'000, 10'000, 50'000, 100'000, 500'000, 2'000'000};

  struct Tally {
    std::array<std::atomic<uint64_t>, kMicros.size() + 1> by_time{};
    std::array<std::atomic<uint64_t>, kHundredths.size() + 1> by_charge{};
    std::atomic<int64_t> micros{0};
    std::atomic<int64_t> hundredths{0};
    std::atomic<uint64_t> failed{0};
  };
  struct alignas(kCacheLineBytes) Shard {
    std::array<Tally, kRequestOperations> tallies;
  };

  void Collect(MetricsText& text) const;

  const std::string api_;
  const std::unique_ptr<std::array<Shard, kThreadShards>> shards_;
  MetricsRegistry::Registration registration_;  // last: it uses all of the above
};

}  // namespace orrery
