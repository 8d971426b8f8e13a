#include "gremlin/program.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "gremlin/gremlin_exchange.h"
#include "gremlin/gremlin_options.h"
#include "gremlin/traversal_maker.h"
#include "load/framed/framed_run.h"
#include "load/load_program.h"

namespace orrery::bench {
namespace {

constexpr double kGremlinLoadSecondsMax = 1'800;

std::string GremlinCodeText(int32_t code) { return fmt::to_string(code); }

Status LoadGremlin(const GremlinOptions& options, const TraversalMaker& traversals,
                   GremlinWorkloadKind kind, uint64_t first, uint64_t count) {
  FramedPlan plan;
  plan.address = options.address;
  plan.connections = options.load_connections;
  plan.times.seconds = kGremlinLoadSecondsMax;
  plan.times.count_max = count;
  plan.shake_hands = ShakeGremlinHands;
  plan.exchange = [&](size_t) {
    return std::make_unique<GremlinExchange>(kind, KeyChooser::Sequence(first, 1), traversals);
  };
  ORRERY_ASSIGN(const LoadReport report, RunFramedLoad(plan));
  if (report.tally.answers != count) {
    return Fail(Code::kUnavailable,
                fmt::format("only {} of {} requests of the load were answered well: {}",
                            report.tally.answers, count, report.tally.first_problem));
  }
  return {};
}

Status MakeGraph(const GremlinOptions& options, const TraversalMaker& traversals) {
  ORRERY_TRY(LoadGremlin(options, traversals, GremlinWorkloadKind::kVertices, 0,
                         traversals.vertex_batches()));
  ORRERY_TRY(LoadGremlin(options, traversals, GremlinWorkloadKind::kAddVertex,
                         traversals.vertices(), 1));  // the hub
  ORRERY_TRY(
      LoadGremlin(options, traversals, GremlinWorkloadKind::kEdges, 0, traversals.edge_batches()));
  return LoadGremlin(options, traversals, GremlinWorkloadKind::kHubEdges, 0,
                     TraversalMaker::kHubBatches);
}

// New vertices are numbered from the time on, so that no run meets those of another.
KeyChooser KeysOf(const GremlinOptions& options, Micros now, size_t thread) {
  if (options.workload == GremlinWorkloadKind::kAddVertex)
    return KeyChooser::Sequence(
        (static_cast<uint64_t>(now.count()) & ((uint64_t{1} << 47) - 1)) + thread, options.threads);
  if (options.workload == GremlinWorkloadKind::kEdges)
    return KeyChooser::Uniform(
        options.vertices * TraversalMaker::kOfOneVertex / TraversalMaker::kOfOneBatch, thread + 1);
  return KeyChooser::Uniform(options.vertices, thread + 1);
}

Result<std::optional<LoadReport>> MeasureGremlin(const GremlinOptions& options) {
  const Micros now = SystemClock().Now();
  const TraversalMaker traversals(options);
  if (options.setup) ORRERY_TRY(MakeGraph(options, traversals));
  if (options.workload == GremlinWorkloadKind::kNone) return std::nullopt;
  FramedPlan plan;
  plan.address = options.address;
  plan.connections = options.connections;
  plan.in_flight = options.in_flight;
  plan.threads = options.threads;
  plan.times.rate = options.rate;
  plan.times.warmup_seconds = options.warmup;
  plan.times.seconds = options.seconds;
  plan.times.server_pid = options.server_pid;
  plan.shake_hands = ShakeGremlinHands;
  plan.exchange = [&](size_t thread) {
    return std::make_unique<GremlinExchange>(options.workload, KeysOf(options, now, thread),
                                             traversals);
  };
  return RunFramedLoad(plan);
}

std::string GremlinHeadline(const GremlinOptions& options) {
  return fmt::format("{} x {} in flight, {}, {} vertices, {} s", options.connections,
                     options.in_flight, GremlinWorkloadName(options.workload), options.vertices,
                     options.seconds);
}

std::string GremlinJsonFields(const GremlinOptions& options) {
  return fmt::format(
      R"("workload":"{}","connections":{},"in_flight":{},"threads":{},"rate":{},"seconds":{},"vertices":{},"value_bytes":{})",
      GremlinWorkloadName(options.workload), options.connections, options.in_flight,
      options.threads, options.rate, options.seconds, options.vertices, options.value_bytes);
}

}  // namespace

int RunGremlinProgram(std::span<const std::string_view> words) {
  return RunLoadProgram<GremlinOptions>({.name = "gremlin",
                                         .parse = ParseGremlinOptions,
                                         .usage = GremlinUsage,
                                         .measure = MeasureGremlin,
                                         .headline = GremlinHeadline,
                                         .json_fields = GremlinJsonFields,
                                         .code_text = GremlinCodeText},
                                        words);
}

}  // namespace orrery::bench
