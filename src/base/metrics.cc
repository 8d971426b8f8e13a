#include "base/metrics.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/check.h"

namespace orrery {

Histogram::Histogram(std::vector<double> bounds)
    : bounds_(std::move(bounds)), counts_(bounds_.size() + 1) {
  ORRERY_CHECK(std::ranges::adjacent_find(bounds_, std::greater_equal<>()) == bounds_.end());
}

void Histogram::Observe(double value) {
  const auto bucket = std::ranges::lower_bound(bounds_, value) - bounds_.begin();
  counts_[static_cast<size_t>(bucket)].fetch_add(1, std::memory_order_relaxed);
  sum_.fetch_add(value, std::memory_order_relaxed);
}

std::vector<uint64_t> Histogram::Counts() const {
  std::vector<uint64_t> counts;
  counts.reserve(counts_.size());
  for (const auto& count : counts_) counts.push_back(count.load(std::memory_order_relaxed));
  return counts;
}

std::vector<double> LatencyBounds() {
  return {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
          0.05,   0.1,     0.25,   0.5,   1,      2.5,   5,    10};
}

struct MetricsRegistry::Family {
  MetricKind kind;
  std::string help;
  // Only the map of the family's kind is used. Nodes of a map never move.
  std::map<MetricLabels, Counter> counters;
  std::map<MetricLabels, Gauge> gauges;
  std::map<MetricLabels, Histogram> histograms;
};

// The slot's own lock is held while its collector runs: that is what makes a registration's
// destructor wait.
struct MetricsRegistry::Registration::Slot {
  Mutex mutex;
  Collector collector GUARDED_BY(mutex);
};

MetricsRegistry::Registration& MetricsRegistry::Registration::operator=(
    Registration&& other) noexcept {
  if (this != &other) {
    Release();
    slot_ = std::move(other.slot_);
  }
  return *this;
}

MetricsRegistry::Registration::~Registration() { Release(); }

void MetricsRegistry::Registration::Release() {
  if (!slot_) return;
  Collector released;
  {
    MutexLock lock(slot_->mutex);
    released.swap(slot_->collector);
  }
  slot_.reset();
}

MetricsRegistry::MetricsRegistry() = default;
MetricsRegistry::~MetricsRegistry() = default;

MetricsRegistry::Family& MetricsRegistry::GetFamily(MetricKind kind, std::string_view name,
                                                    std::string_view help) {
  auto found = families_.find(name);
  if (found == families_.end()) {
    auto family = std::make_unique<Family>();
    family->kind = kind;
    family->help = help;
    found = families_.emplace(std::string(name), std::move(family)).first;
  }
  ORRERY_CHECK(found->second->kind == kind);
  return *found->second;
}

Counter& MetricsRegistry::GetCounter(std::string_view name, std::string_view help,
                                     MetricLabels labels) {
  MutexLock lock(mutex_);
  return GetFamily(MetricKind::kCounter, name, help)
      .counters.try_emplace(std::move(labels))
      .first->second;
}

Gauge& MetricsRegistry::GetGauge(std::string_view name, std::string_view help,
                                 MetricLabels labels) {
  MutexLock lock(mutex_);
  return GetFamily(MetricKind::kGauge, name, help)
      .gauges.try_emplace(std::move(labels))
      .first->second;
}

Histogram& MetricsRegistry::GetHistogram(std::string_view name, std::string_view help,
                                         std::vector<double> bounds, MetricLabels labels) {
  MutexLock lock(mutex_);
  auto& histograms = GetFamily(MetricKind::kHistogram, name, help).histograms;
  auto& histogram = histograms.try_emplace(std::move(labels), bounds).first->second;
  ORRERY_CHECK(histogram.bounds() == bounds);
  return histogram;
}

MetricsRegistry::Registration MetricsRegistry::AddCollector(Collector collector) {
  auto slot = std::make_shared<Registration::Slot>();
  {
    MutexLock lock(slot->mutex);
    slot->collector = std::move(collector);
  }
  MutexLock lock(mutex_);
  // Slots whose registration is gone are held by this list alone.
  std::erase_if(collectors_, [](const auto& old) { return old.use_count() == 1; });
  collectors_.push_back(slot);
  return Registration(std::move(slot));
}

std::string MetricsRegistry::Render() {
  MetricsText text;
  std::vector<std::shared_ptr<Registration::Slot>> collectors;
  {
    MutexLock lock(mutex_);
    for (const auto& [name, family] : families_) {
      for (const auto& [labels, counter] : family->counters) {
        text.AddCounter(name, family->help, labels, static_cast<double>(counter.value()));
      }
      for (const auto& [labels, gauge] : family->gauges) {
        text.AddGauge(name, family->help, labels, gauge.value());
      }
      for (const auto& [labels, histogram] : family->histograms) {
        text.AddHistogram(name, family->help, labels, histogram.bounds(), histogram.Counts(),
                          histogram.sum());
      }
    }
    collectors = collectors_;
  }
  for (const auto& slot : collectors) {
    MutexLock lock(slot->mutex);
    if (slot->collector) slot->collector(text);
  }
  return text.Render();
}

}  // namespace orrery
