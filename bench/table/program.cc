#include "table/program.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "load/http/http_run.h"
#include "load/load_program.h"
#include "table/table_options.h"
#include "table/table_setup.h"
#include "table/table_workload.h"

namespace orrery::bench {
namespace {

std::string TableStatusText(int32_t status) { return fmt::to_string(status); }

bool IsOfExistingEntities(TableWorkloadKind kind) {
  return kind == TableWorkloadKind::kRead || kind == TableWorkloadKind::kMerge;
}

// New entities and batches are numbered from the time on, so that no run meets those of another.
KeyChooser KeysOf(const TableOptions& options, Micros now, size_t thread) {
  const bool adds = options.workload == TableWorkloadKind::kInsert ||
                    options.workload == TableWorkloadKind::kBatch;
  if (!adds) return KeyChooser::Uniform(options.entities, thread + 1);
  return KeyChooser::Sequence(static_cast<uint64_t>(now.count()) + thread, options.threads);
}

Result<std::optional<LoadReport>> MeasureTable(const TableOptions& options) {
  const Micros now = SystemClock().Now();
  const EntityMaker entities(options.value_bytes);
  ORRERY_ASSIGN(const TableRequestMaker requests,
                TableRequestMaker::Create(
                    options, IsOfExistingEntities(options.workload) ? options.entities : 0, now));
  if (options.setup) {
    ORRERY_TRY(CreateTable(options, requests));
    ORRERY_TRY(LoadEntities(options, requests, entities));
  }
  if (options.workload == TableWorkloadKind::kNone) return std::nullopt;
  HttpPlan plan;
  plan.address = options.address;
  plan.connections = options.connections;
  plan.in_flight = options.in_flight;
  plan.threads = options.threads;
  plan.times.rate = options.rate;
  plan.times.warmup_seconds = options.warmup;
  plan.times.seconds = options.seconds;
  plan.times.server_pid = options.server_pid;
  plan.workload = [&](size_t thread) {
    return std::make_unique<TableWorkload>(options.workload, KeysOf(options, now, thread), requests,
                                           entities);
  };
  return RunHttpLoad(plan);
}

std::string TableHeadline(const TableOptions& options) {
  return fmt::format("{} x {} in flight, {}, {} entities, {} B values, {} s", options.connections,
                     options.in_flight, TableWorkloadName(options.workload), options.entities,
                     options.value_bytes, options.seconds);
}

std::string TableJsonFields(const TableOptions& options) {
  return fmt::format(
      R"("workload":"{}","connections":{},"in_flight":{},"threads":{},"rate":{},"seconds":{},"entities":{},"value_bytes":{})",
      TableWorkloadName(options.workload), options.connections, options.in_flight, options.threads,
      options.rate, options.seconds, options.entities, options.value_bytes);
}

}  // namespace

int RunTableProgram(std::span<const std::string_view> words) {
  return RunLoadProgram<TableOptions>({.name = "table",
                                       .parse = ParseTableOptions,
                                       .usage = TableUsage,
                                       .measure = MeasureTable,
                                       .headline = TableHeadline,
                                       .json_fields = TableJsonFields,
                                       .code_text = TableStatusText},
                                      words);
}

}  // namespace orrery::bench
