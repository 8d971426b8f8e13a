#include "mongo/program.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "load/framed/framed_run.h"
#include "load/load_program.h"
#include "mongo/mongo_exchange.h"
#include "mongo/mongo_options.h"
#include "mongo/mongo_setup.h"

namespace orrery::bench {
namespace {

std::string MongoCodeText(int32_t code) { return fmt::to_string(code); }

// New documents and batches are numbered from the time on, so that no run meets those of another.
KeyChooser KeysOf(const MongoOptions& options, Micros now, size_t thread) {
  const bool adds = options.workload == MongoWorkloadKind::kInsert ||
                    options.workload == MongoWorkloadKind::kMany;
  if (!adds) return KeyChooser::Uniform(options.documents, thread + 1);
  return KeyChooser::Sequence(static_cast<uint64_t>(now.count()) + thread, options.threads);
}

Result<std::optional<LoadReport>> MeasureMongo(const MongoOptions& options) {
  const Micros now = SystemClock().Now();
  const CommandMaker commands(options);
  if (options.setup) {
    ORRERY_TRY(MakeCollection(options, commands));
    ORRERY_TRY(LoadDocuments(options, commands));
  }
  if (options.workload == MongoWorkloadKind::kNone) return std::nullopt;
  FramedPlan plan;
  plan.address = options.address;
  plan.connections = options.connections;
  plan.in_flight = options.in_flight;
  plan.threads = options.threads;
  plan.times.rate = options.rate;
  plan.times.warmup_seconds = options.warmup;
  plan.times.seconds = options.seconds;
  plan.times.server_pid = options.server_pid;
  plan.exchange = [&](size_t thread) {
    return std::make_unique<MongoExchange>(options.workload, KeysOf(options, now, thread),
                                           options.documents, commands);
  };
  return RunFramedLoad(plan);
}

std::string MongoHeadline(const MongoOptions& options) {
  return fmt::format("{} x {} in flight, {}, {} documents, {} B values, {} s", options.connections,
                     options.in_flight, MongoWorkloadName(options.workload), options.documents,
                     options.value_bytes, options.seconds);
}

std::string MongoJsonFields(const MongoOptions& options) {
  return fmt::format(
      R"("workload":"{}","connections":{},"in_flight":{},"threads":{},"rate":{},"seconds":{},"documents":{},"value_bytes":{})",
      MongoWorkloadName(options.workload), options.connections, options.in_flight, options.threads,
      options.rate, options.seconds, options.documents, options.value_bytes);
}

}  // namespace

int RunMongoProgram(std::span<const std::string_view> words) {
  return RunLoadProgram<MongoOptions>({.name = "mongo",
                                       .parse = ParseMongoOptions,
                                       .usage = MongoUsage,
                                       .measure = MeasureMongo,
                                       .headline = MongoHeadline,
                                       .json_fields = MongoJsonFields,
                                       .code_text = MongoCodeText},
                                      words);
}

}  // namespace orrery::bench
