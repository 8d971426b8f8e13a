#include "sql/program.h"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "base/clock.h"
#include "load/load_program.h"
#include "sql/container_setup.h"
#include "sql/direct_request_maker.h"
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
  ORRERY_ASSIGN(RequestMaker requests,
                RequestMaker::Create(options, reads ? options.documents : 0, now));
  if (options.setup) {
    ORRERY_TRY(CreateContainer(options, requests));
    ORRERY_TRY(LoadDocuments(options, requests, documents));
  }
  if (options.workload == SqlWorkloadKind::kNone) return std::nullopt;
  const bool direct = options.direct_port != 0;
  SqlPlan plan;
  plan.address = options.address;
  plan.direct = direct;
  if (direct) plan.address.port = options.direct_port;
  plan.connections = options.connections;
  plan.in_flight = options.in_flight;
  plan.threads = options.threads;
  plan.times.rate = options.rate;
  plan.times.warmup_seconds = options.warmup;
  plan.times.seconds = options.seconds;
  plan.times.server_pid = options.server_pid;
  std::optional<DirectRequestMaker> direct_requests;
  if (direct) direct_requests.emplace(options, std::move(requests));
  const RequestMaker& sent = direct ? *direct_requests : requests;
  plan.workload = [&](size_t thread) {
    return SqlWorkload(options.workload,
                       options.workload == SqlWorkloadKind::kCreate
                           ? NewNumbers(now, thread, options.threads)
                           : KeyChooser::Uniform(options.documents, thread + 1),
                       sent, documents);
  };
  return RunSqlLoad(plan);
}

std::string SqlHeadline(const SqlOptions& options) {
  return fmt::format("{} x {} in flight, {}, {} documents, {} B values, {} s", options.connections,
                     options.in_flight, SqlWorkloadName(options.workload), options.documents,
                     options.value_bytes, options.seconds);
}

std::string SqlJsonFields(const SqlOptions& options) {
  return fmt::format(
      R"("workload":"{}","connections":{},"in_flight":{},"threads":{},"rate":{},"seconds":{},"documents":{},"value_bytes":{})",
      SqlWorkloadName(options.workload), options.connections, options.in_flight, options.threads,
      options.rate, options.seconds, options.documents, options.value_bytes);
}

}  // namespace

int RunSqlProgram(std::span<const std::string_view> words) {
  return RunLoadProgram<SqlOptions>({.name = "sql",
                                     .parse = ParseSqlOptions,
                                     .usage = SqlUsage,
                                     .measure = Measure,
                                     .headline = SqlHeadline,
                                     .json_fields = SqlJsonFields,
                                     .code_text = StatusText},
                                    words);
}

}  // namespace orrery::bench
