#include "cql/program.h"

#include <fmt/core.h>

#include <chrono>
#include <thread>

#include "cql/cql_options.h"
#include "cql/idle_connections.h"
#include "cql/load_run.h"
#include "cql/report_text.h"
#include "cql/table_setup.h"
#include "load/flags.h"

namespace orrery::bench {
namespace {

KeyChooser ChooserOf(const CqlOptions& options, size_t thread) {
  const uint64_t seed = thread + 1;
  return options.distribution == Distribution::kZipf ? KeyChooser::Zipf(options.keys, seed)
                                                     : KeyChooser::Uniform(options.keys, seed);
}

LoadPlan PlanOf(const CqlOptions& options) {
  LoadPlan plan;
  plan.target = options.target;
  plan.connections = options.connections;
  plan.in_flight = options.in_flight;
  plan.threads = options.threads;
  plan.times.rate = options.rate;
  plan.times.warmup_seconds = options.warmup;
  plan.times.seconds = options.seconds;
  plan.workload = options.workload;
  plan.keys = [&options](size_t thread) { return ChooserOf(options, thread); };
  plan.times.server_pid = options.server_pid;
  return plan;
}

Result<IdleCost> HoldIdle(const CqlOptions& options, IdleConnections& idle) {
  IdleCost cost{options.idle_connections, 0, 0};
  const bool sampled = options.server_pid != 0;
  if (sampled) {
    ORRERY_ASSIGN(const ProcessUsage before, UsageOf(options.server_pid));
    cost.resident_bytes_before = before.resident_bytes;
  }
  ORRERY_TRY(idle.Open(options.target, options.idle_connections));
  if (options.workload == WorkloadKind::kNone) {
    std::this_thread::sleep_for(std::chrono::duration<double>(options.seconds));
  }
  if (sampled) {
    ORRERY_ASSIGN(const ProcessUsage after, UsageOf(options.server_pid));
    cost.resident_bytes_after = after.resident_bytes;
  }
  return cost;
}

Result<CqlReport> Measure(const CqlOptions& options) {
  const RowMaker rows(options.value_bytes);
  CqlReport report;
  Statements statements;
  if (options.setup) ORRERY_TRY(CreateTable(options));
  if (options.setup || options.workload != WorkloadKind::kNone) {
    ORRERY_ASSIGN(statements, PrepareStatements(options));
  }
  if (options.setup) ORRERY_TRY(LoadRows(options, statements, rows));
  IdleConnections idle;
  if (options.idle_connections > 0) {
    ORRERY_ASSIGN(report.idle, HoldIdle(options, idle));
  }
  if (options.workload != WorkloadKind::kNone) {
    ORRERY_ASSIGN(report.load, RunLoad(PlanOf(options), statements, rows));
  }
  return report;
}

}  // namespace

int RunCqlProgram(std::span<const std::string_view> words) {
  if (FlagSet::WantsHelp(words)) {
    fmt::print("{}", CqlUsage());
    return 0;
  }
  const auto options = ParseCqlOptions(words);
  if (!options.has_value()) {
    fmt::print(stderr, "cql: {}\n{}", options.error().message(), CqlUsage());
    return 2;
  }
  const auto report = Measure(*options);
  if (!report.has_value()) {
    fmt::print(stderr, "cql: {}\n", report.error().message());
    return 1;
  }
  fmt::print("{}", options->json ? ReportJson(*options, *report) : ReportText(*options, *report));
  return report->load && report->load->tally.failures() > 0 ? 1 : 0;
}

}  // namespace orrery::bench
