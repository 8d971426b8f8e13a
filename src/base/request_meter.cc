#include "base/request_meter.h"

#include <algorithm>
#include <vector>

#include "base/request_log.h"

namespace orrery {
namespace {

template <typename Bounds>
size_t BucketOf(const Bounds& bounds, int64_t value) {
  return static_cast<size_t>(std::ranges::lower_bound(bounds, value) - bounds.begin());
}

}  // namespace

std::string_view RequestOperationName(RequestOperation operation) {
  switch (operation) {
    case RequestOperation::kRead:
      return "read";
    case RequestOperation::kQuery:
      return "query";
    case RequestOperation::kWrite:
      return "write";
    case RequestOperation::kBatch:
      return "batch";
    case RequestOperation::kScript:
      return "script";
    case RequestOperation::kOther:
      break;
  }
  return "other";
}

RequestMeter::RequestMeter(MetricsRegistry& metrics, std::string_view api)
    : api_(api),
      shards_(std::make_unique<std::array<Shard, kThreadShards>>()),
      registration_(metrics.AddCollector([this](MetricsText& text) { Collect(text); })) {}

void RequestMeter::Note(RequestOperation operation, Micros took, RequestUnits charge, bool failed) {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  Tally& tally = (*shards_)[ThreadShard()].tallies[static_cast<size_t>(operation)];
  tally.by_time[BucketOf(kMicros, took.count())].fetch_add(1, kRelaxed);
  tally.by_charge[BucketOf(kHundredths, charge.hundredths())].fetch_add(1, kRelaxed);
  tally.micros.fetch_add(took.count(), kRelaxed);
  tally.hundredths.fetch_add(charge.hundredths(), kRelaxed);
  if (failed) tally.failed.fetch_add(1, kRelaxed);
  LogIfNotable(api_, RequestOperationName(operation), took, charge, failed);
}

void RequestMeter::Collect(MetricsText& text) const {
  std::vector<double> seconds;
  std::vector<double> units;
  for (const int64_t micros : kMicros) seconds.push_back(static_cast<double>(micros) / 1e6);
  for (const int64_t hundredths : kHundredths)
    units.push_back(static_cast<double>(hundredths) / 100);
  for (size_t operation = 0; operation < kRequestOperations; ++operation) {
    std::vector<uint64_t> by_time(kMicros.size() + 1);
    std::vector<uint64_t> by_charge(kHundredths.size() + 1);
    int64_t micros = 0;
    int64_t hundredths = 0;
    uint64_t failed = 0;
    for (const Shard& shard : *shards_) {
      const Tally& tally = shard.tallies[operation];
      for (size_t i = 0; i < by_time.size(); ++i) by_time[i] += tally.by_time[i].load();
      for (size_t i = 0; i < by_charge.size(); ++i) by_charge[i] += tally.by_charge[i].load();
      micros += tally.micros.load();
      hundredths += tally.hundredths.load();
      failed += tally.failed.load();
    }
    const MetricLabels labels{
        {"api", api_},
        {"operation", std::string(RequestOperationName(static_cast<RequestOperation>(operation)))}};
    text.AddHistogram("orrery_request_duration_seconds", "Time from a request to its answer.",
                      labels, seconds, by_time, static_cast<double>(micros) / 1e6);
    text.AddHistogram("orrery_request_charge_units", "Request units that requests were charged.",
                      labels, units, by_charge, static_cast<double>(hundredths) / 100);
    text.AddCounter("orrery_requests_failed_total", "Requests that were answered with an error.",
                    labels, static_cast<double>(failed));
  }
}

}  // namespace orrery
