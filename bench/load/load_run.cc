#include "load/load_run.h"

#include <thread>
#include <vector>

#include "load/load_thread.h"

namespace orrery::bench {
namespace {

// Between here and the first arrival all threads start.
constexpr std::chrono::milliseconds kStartDelay{50};

std::chrono::nanoseconds Seconds(double seconds) {
  return std::chrono::nanoseconds(static_cast<int64_t>(seconds * 1e9));
}

UsageInWindow Between(const ProcessUsage& before, const ProcessUsage& after) {
  return {after.cpu_seconds - before.cpu_seconds, before.resident_bytes, after.resident_bytes};
}

Result<std::optional<ProcessUsage>> Sample(uint64_t pid) {
  if (pid == 0) return std::optional<ProcessUsage>();
  ORRERY_ASSIGN(const ProcessUsage usage, UsageOf(pid));
  return std::optional(usage);
}

ArrivalPlan ArrivalsOf(const LoadTimes& times, LoadTime begin, size_t thread, size_t count) {
  const auto threads = static_cast<double>(count);
  ArrivalPlan arrivals;
  arrivals.begin = begin;
  arrivals.end = begin + Seconds(times.warmup_seconds + times.seconds);
  arrivals.per_second = times.rate / threads;
  arrivals.phase = static_cast<double>(thread) / threads;
  arrivals.count_max =
      times.count_max == UINT64_MAX ? UINT64_MAX : ShareOf(times.count_max, thread, count);
  return arrivals;
}

}  // namespace

uint64_t ShareOf(uint64_t whole, size_t index, size_t parts) {
  return whole / parts + (index < whole % parts ? 1 : 0);
}

Result<LoadReport> RunThreads(std::span<const std::unique_ptr<LoadThread>> loops,
                              const LoadTimes& times) {
  const LoadTime begin = LoadClock::now() + kStartDelay;
  const LoadTime measured_from = begin + Seconds(times.warmup_seconds);
  std::vector<std::jthread> threads;
  for (size_t i = 0; i < loops.size(); ++i) {
    threads.emplace_back([&loop = *loops[i], arrivals = ArrivalsOf(times, begin, i, loops.size()),
                          measured_from] { loop.Run(arrivals, measured_from); });
  }

  LoadReport report;
  report.seconds = times.seconds;
  Status sampled;
  if (times.count_max == UINT64_MAX) {
    std::this_thread::sleep_until(measured_from);
    const ProcessUsage client_before = UsageOfThisProcess();
    const auto server_before = Sample(times.server_pid);
    std::this_thread::sleep_until(measured_from + Seconds(times.seconds));
    report.client = Between(client_before, UsageOfThisProcess());
    const auto server_after = Sample(times.server_pid);
    if (!server_before.has_value() || !server_after.has_value()) {
      sampled = Fail((server_before.has_value() ? server_after : server_before).error());
    } else if (*server_before) {
      report.server = Between(**server_before, **server_after);
    }
  }
  threads.clear();  // joins
  ORRERY_TRY(sampled);
  for (const auto& loop : loops) report.tally.Merge(loop->tally());
  return report;
}

}  // namespace orrery::bench
