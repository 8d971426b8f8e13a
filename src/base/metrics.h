// Counters, gauges and histograms with labels, kept in a MetricsRegistry that is passed to
// constructors and that /metrics renders.
//
// Get...() takes a lock and may allocate: call it once and keep the reference, which stays valid
// for the registry's life. Adding, setting and observing through the reference is lock-free.
// Values that come and go (one per partition, say) are not registered: a collector emits them
// anew at each scrape.
//
// Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/metrics_text.h"
#include "base/mutex.h"
#include "base/thread_shard.h"

namespace orrery {

// Threads add to cache lines of their own.
class Counter {
 public:
  void Add(uint64_t by = 1) {
    parts_[ThreadShard()].value.fetch_add(by, std::memory_order_relaxed);
  }
  uint64_t value() const {
    uint64_t sum = 0;
    for (const Part& part : parts_) sum += part.value.load(std::memory_order_relaxed);
    return sum;
  }

 private:
  struct alignas(kCacheLineBytes) Part {
    std::atomic<uint64_t> value{0};
  };
  std::array<Part, kThreadShards> parts_;
};

class alignas(kCacheLineBytes) Gauge {
 public:
  void Set(double value) { value_.store(value, std::memory_order_relaxed); }
  void Add(double by) { value_.fetch_add(by, std::memory_order_relaxed); }
  double value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<double> value_{0};
};

class alignas(kCacheLineBytes) Histogram {
 public:
  // REQUIRES: `bounds` rise strictly. Each is the inclusive upper end of its bucket.
  explicit Histogram(std::vector<double> bounds);

  void Observe(double value);

  const std::vector<double>& bounds() const { return bounds_; }
  // One count per bucket, the last for values above every bound. Not one instant's picture while
  // others observe.
  std::vector<uint64_t> Counts() const;
  double sum() const { return sum_.load(std::memory_order_relaxed); }

 private:
  const std::vector<double> bounds_;
  std::vector<std::atomic<uint64_t>> counts_;  // never resized
  std::atomic<double> sum_{0};
};

// Seconds, from 100 microseconds to 10 seconds.
std::vector<double> LatencyBounds();

class MetricsRegistry {
 public:
  // Runs at each scrape, on the scraper's thread. May take its owner's locks; must not render,
  // nor destroy its own registration.
  using Collector = std::function<void(MetricsText&)>;

  // Keeps a collector registered. The destructor waits for a scrape that is running it, so the
  // collector may refer to whatever its registration's owner owns.
  class Registration {
   public:
    Registration() = default;
    Registration(Registration&&) noexcept = default;
    Registration& operator=(Registration&& other) noexcept;
    ~Registration();

   private:
    friend class MetricsRegistry;
    struct Slot;
    explicit Registration(std::shared_ptr<Slot> slot) : slot_(std::move(slot)) {}
    void Release();
    std::shared_ptr<Slot> slot_;
  };

  MetricsRegistry();
  ~MetricsRegistry();

  // The metric of that name and those labels, made at the first call.
  // REQUIRES: a name is always used with the same kind (and bounds).
  Counter& GetCounter(std::string_view name, std::string_view help, MetricLabels labels = {})
      EXCLUDES(mutex_);
  Gauge& GetGauge(std::string_view name, std::string_view help, MetricLabels labels = {})
      EXCLUDES(mutex_);
  Histogram& GetHistogram(std::string_view name, std::string_view help, std::vector<double> bounds,
                          MetricLabels labels = {}) EXCLUDES(mutex_);

  [[nodiscard]] Registration AddCollector(Collector collector) EXCLUDES(mutex_);

  // The text of /metrics.
  std::string Render() EXCLUDES(mutex_);

 private:
  struct Family;
  Family& GetFamily(MetricKind kind, std::string_view name, std::string_view help) REQUIRES(mutex_);

  Mutex mutex_;
  std::map<std::string, std::unique_ptr<Family>, std::less<>> families_ GUARDED_BY(mutex_);
  std::vector<std::shared_ptr<Registration::Slot>> collectors_ GUARDED_BY(mutex_);
};

}  // namespace orrery
