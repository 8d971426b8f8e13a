#include "cql/load_run.h"

#include <memory>
#include <thread>
#include <vector>

#include "cql/load_thread.h"

namespace orrery::bench {
namespace {

// Between here and the first arrival all threads start.
constexpr std::chrono::milliseconds kStartDelay{50};

std::chrono::nanoseconds Seconds(double seconds) {
  return std::chrono::nanoseconds(static_cast<int64_t>(seconds * 1e9));
}

// The `index`-th of `parts` nearly equal parts of `whole`.
uint64_t ShareOf(uint64_t whole, size_t index, size_t parts) {
  return whole / parts + (index < whole % parts ? 1 : 0);
}

UsageInWindow Between(const ProcessUsage& before, const ProcessUsage& after) {
  return {after.cpu_seconds - before.cpu_seconds, before.resident_bytes, after.resident_bytes};
}

Result<std::optional<ProcessUsage>> Sample(uint64_t pid) {
  if (pid == 0) return std::optional<ProcessUsage>();
  ORRERY_ASSIGN(const ProcessUsage usage, UsageOf(pid));
  return std::optional(usage);
}

ArrivalPlan ArrivalsOf(const LoadPlan& plan, LoadTime begin, size_t thread) {
  const auto threads = static_cast<double>(plan.threads);
  ArrivalPlan arrivals;
  arrivals.begin = begin;
  arrivals.end = begin + Seconds(plan.warmup_seconds + plan.seconds);
  arrivals.per_second = plan.rate / threads;
  arrivals.phase = static_cast<double>(thread) / threads;
  arrivals.count_max =
      plan.count_max == UINT64_MAX ? UINT64_MAX : ShareOf(plan.count_max, thread, plan.threads);
  return arrivals;
}

}  // namespace

Result<LoadReport> RunLoad(const LoadPlan& plan, const Statements& statements,
                           const RowMaker& rows) {
  std::vector<std::unique_ptr<LoadThread>> loops;
  for (size_t i = 0; i < plan.threads; ++i) {
    loops.push_back(std::make_unique<LoadThread>(
        Workload(plan.workload, plan.keys(i), statements, rows), plan.in_flight));
    ORRERY_TRY(loops.back()->Connect(plan.target, ShareOf(plan.connections, i, plan.threads)));
  }
  const LoadTime begin = LoadClock::now() + kStartDelay;
  const LoadTime measured_from = begin + Seconds(plan.warmup_seconds);
  std::vector<std::jthread> threads;
  for (size_t i = 0; i < plan.threads; ++i) {
    threads.emplace_back([&loop = *loops[i], arrivals = ArrivalsOf(plan, begin, i), measured_from] {
      loop.Run(arrivals, measured_from);
    });
  }

  LoadReport report;
  report.seconds = plan.seconds;
  Status sampled;
  if (plan.count_max == UINT64_MAX) {
    std::this_thread::sleep_until(measured_from);
    const ProcessUsage client_before = UsageOfThisProcess();
    const auto server_before = Sample(plan.server_pid);
    std::this_thread::sleep_until(measured_from + Seconds(plan.seconds));
    report.client = Between(client_before, UsageOfThisProcess());
    const auto server_after = Sample(plan.server_pid);
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
