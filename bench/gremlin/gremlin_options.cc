#include "gremlin/gremlin_options.h"

#include "gremlin/traversal_maker.h"
#include "load/flags.h"

namespace orrery::bench {
namespace {

constexpr uint64_t kGremlinInFlightMax = 64;
constexpr uint64_t kGremlinConnectionsMax = 20'000;
constexpr uint64_t kGremlinThreadsMax = 64;
constexpr uint64_t kGremlinVerticesMax = 100'000'000;
constexpr uint64_t kGremlinValueBytesMax = 1 << 20;
constexpr uint64_t kGremlinPidMax = 1 << 22;
constexpr double kGremlinRateMax = 1e8;
constexpr double kGremlinSecondsMax = 3'600;
constexpr double kGremlinSecondsMin = 0.001;

FlagSet FlagsOf(GremlinOptions& options) {
  FlagSet flags(
      "usage: orrery-bench gremlin [flags]: drives a Gremlin server over WebSocket and measures "
      "it");
  flags.AddText("--host", options.address.host, "the server's name or address");
  flags.AddNumber("--port", options.address.port, 1, 65'535, "its port, which asks for no login");
  flags.AddSwitch("--tls", options.address.tls, "speak TLS; any certificate is taken");
  flags.AddText("--graph", options.graph, "what the traversal source g is an alias of");
  flags.AddNumber("--connections", options.connections, 1, kGremlinConnectionsMax,
                  "to spread load over");
  flags.AddNumber("--in-flight", options.in_flight, 1, kGremlinInFlightMax,
                  "requests on a connection, pipelined");
  flags.AddNumber("--threads", options.threads, 1, kGremlinThreadsMax,
                  "event loops of the generator");
  flags.AddReal("--rate", options.rate, 0, kGremlinRateMax, "arrivals a second; 0 saturates");
  flags.AddReal("--seconds", options.seconds, kGremlinSecondsMin, kGremlinSecondsMax, "measured");
  flags.AddReal("--warmup", options.warmup, 0, kGremlinSecondsMax, "seconds before that");
  flags.AddNumber("--vertices", options.vertices, TraversalMaker::kHubEdges, kGremlinVerticesMax,
                  "in the graph, each with 5 edges to others, and one more with 1,000 that enter");
  flags.AddNumber("--value-bytes", options.value_bytes, 1, kGremlinValueBytesMax,
                  "of a property of each vertex");
  flags.AddChoice(
      "--workload", options.workload,
      {"vertex", "property", "addv", "hop1", "hop2", "hop3", "hub", "incoming", "range", "count",
       "vertices", "edges", "hubedges", "none"},
      "what to send; vertex: g.V(id); property: a property written; hop1 to hop3: out() once to "
      "three times, dedup, count; hub: in() of a vertex with 1,000 edges; incoming: in() of "
      "others; "
      "range: has() with a range that 10 vertices meet; count: g.V().count(); vertices, edges, "
      "hubedges: what --setup loads");
  flags.AddSwitch("--setup", options.setup, "first load the graph, which must be empty");
  flags.AddNumber("--load-connections", options.load_connections, 1, 64, "of --setup");
  flags.AddNumber("--pid", options.server_pid, 0, kGremlinPidMax,
                  "the server's process: sample its CPU and memory");
  flags.AddSwitch("--json", options.json, "print one JSON object");
  return flags;
}

}  // namespace

Result<GremlinOptions> ParseGremlinOptions(std::span<const std::string_view> words) {
  GremlinOptions options;
  ORRERY_TRY(FlagsOf(options).Parse(words));
  if (options.connections < options.threads)
    return Fail(Code::kInvalidArgument, "--connections: every thread needs one");
  if (options.vertices % TraversalMaker::kOfOneBatch != 0)
    return Fail(Code::kInvalidArgument, "--vertices: must be a multiple of 20");
  return options;
}

std::string GremlinUsage() {
  GremlinOptions options;
  return FlagsOf(options).Usage();
}

std::string_view GremlinWorkloadName(GremlinWorkloadKind kind) {
  constexpr std::string_view kNames[] = {"vertex",   "property", "addv",     "hop1",  "hop2",
                                         "hop3",     "hub",      "incoming", "range", "count",
                                         "vertices", "edges",    "hubedges", "none"};
  return kNames[static_cast<size_t>(kind)];
}

}  // namespace orrery::bench
