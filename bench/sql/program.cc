#include "sql/program.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <optional>
#include <string>

#include "base/clock.h"
#include "load/flags.h"
#include "load/load_text.h"
#include "sql/container_setup.h"
#include "sql/sql_options.h"
#include "sql/sql_run.h"

namespace orrery::bench {
namespace {

std::string StatusText(int32_t status) { return fmt::to_string(status); }

// Numbers of documents to create: from the time on, so that no run meets those of another.
KeyChooser NewNumbers(Micros now, size_t thread, size_t threads) {
  return KeyChooser::Sequence(static_cast<uint64_t>(now.count()) + thread, threads);
}

Result<std::optional<LoadReport>> Measure(const SqlOptions& options) {
  const Micros now = SystemClock().Now();
  const DocumentMaker documents(options.value_bytes);
  const bool reads = options.workload == SqlWorkloadKind::kRead;
  ORRERY_ASSIGN(const RequestMaker requests,
                RequestMaker::Create(options, reads ? options.documents : 0, now));
  if (options.setup) {
    ORRERY_TRY(CreateContainer(options, requests));
    ORRERY_TRY(LoadDocuments(options, requests, documents));
  }
  if (options.workload == SqlWorkloadKind::kNone) return std::nullopt;
  SqlPlan plan;
  plan.address = options.address;
  plan.connections = options.connections;
  plan.in_flight = options.in_flight;
  plan.threads = options.threads;
  plan.times.rate = options.rate;
  plan.times.warmup_seconds = options.warmup;
  plan.times.seconds = options.seconds;
  plan.times.server_pid = options.server_pid;
  plan.workload = [&](size_t thread) {
    return SqlWorkload(options.workload,
                       options.workload == SqlWorkloadKind::kCreate
                           ? NewNumbers(now, thread, options.threads)
                           : KeyChooser::Uniform(options.documents, thread + 1),
                       requests, documents);
  };
  return RunSqlLoad(plan);
}

std::string ReportText(const SqlOptions& options, const LoadReport& report) {
  return fmt::format("{} x {} in flight, {}, {} documents, {} B values, {} s\n{}",
                     options.connections, options.in_flight, SqlWorkloadName(options.workload),
                     options.documents, options.value_bytes, options.seconds,
                     LoadText(report, StatusText));
}

std::string ReportJson(const SqlOptions& options, const std::optional<LoadReport>& report) {
  return fmt::format(
      R"({{"workload":"{}","connections":{},"in_flight":{},"threads":{},"rate":{},"seconds":{},"documents":{},"value_bytes":{}{}{}}})"
      "\n",
      SqlWorkloadName(options.workload), options.connections, options.in_flight, options.threads,
      options.rate, options.seconds, options.documents, options.value_bytes, report ? "," : "",
      report ? LoadJson(*report, StatusText) : "");
}

}  // namespace

int RunSqlProgram(std::span<const std::string_view> words) {
  if (FlagSet::WantsHelp(words)) {
    fmt::print("{}", SqlUsage());
    return 0;
  }
  const auto options = ParseSqlOptions(words);
  if (!options.has_value()) {
    fmt::print(stderr, "sql: {}\n{}", options.error().message(), SqlUsage());
    return 2;
  }
  const auto report = Measure(*options);
  if (!report.has_value()) {
    fmt::print(stderr, "sql: {}\n", report.error().message());
    return 1;
  }
  if (options->json) {
    fmt::print("{}", ReportJson(*options, *report));
  } else if (*report) {
    fmt::print("{}", ReportText(*options, **report));
  }
  const bool failed = *report && (*report)->tally.failures() > 0;
  if (failed) fmt::print(stderr, "sql: {}\n", (*report)->tally.first_problem);
  return failed ? 1 : 0;
}

}  // namespace orrery::bench
