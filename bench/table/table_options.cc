#include "table/table_options.h"

#include "load/flags.h"
#include "table/entity_maker.h"

namespace orrery::bench {
namespace {

// The published key of the development account, the same in every emulator.
constexpr std::string_view kDevelopmentKey =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
constexpr uint64_t kTableInFlightMax = 1'024;
constexpr uint64_t kTableConnectionsMax = 10'000;
constexpr uint64_t kTableThreadsMax = 64;
constexpr uint64_t kEntitiesMax = 100'000'000;
constexpr uint64_t kPropertyBytesMax = 32 << 10;  // of UTF-16: 64 KB
constexpr uint64_t kTableThroughputMax = 1'000'000'000;
constexpr uint64_t kTablePidMax = 1 << 22;
constexpr double kTableRateMax = 1e8;
// Signatures are made once, and hold for 15 minutes.
constexpr double kTableSecondsMax = 400;
constexpr double kTableSecondsMin = 0.001;

FlagSet FlagsOf(TableOptions& options) {
  FlagSet flags(
      "usage: orrery-bench table [flags]: drives a server of the Table API and measures it");
  flags.AddText("--host", options.address.host, "the server's name or address");
  flags.AddNumber("--port", options.address.port, 1, 65'535, "its port");
  flags.AddSwitch("--tls", options.address.tls, "speak TLS; any certificate is taken");
  flags.AddText("--account", options.account, "its name, which begins every path");
  flags.AddText("--key", options.key, "the account's key; without it the development account's");
  flags.AddText("--table", options.table, "its name: letters and digits");
  flags.AddNumber("--connections", options.connections, 1, kTableConnectionsMax,
                  "to spread load over");
  flags.AddNumber("--in-flight", options.in_flight, 1, kTableInFlightMax,
                  "requests on a connection, pipelined");
  flags.AddNumber("--threads", options.threads, 1, kTableThreadsMax,
                  "event loops of the generator");
  flags.AddReal("--rate", options.rate, 0, kTableRateMax, "arrivals a second; 0 saturates");
  flags.AddReal("--seconds", options.seconds, kTableSecondsMin, kTableSecondsMax, "measured");
  flags.AddReal("--warmup", options.warmup, 0, kTableSecondsMax, "seconds before that");
  flags.AddNumber("--entities", options.entities, EntityMaker::kOfOnePartition, kEntitiesMax,
                  "in the table");
  flags.AddNumber("--value-bytes", options.value_bytes, 1, kPropertyBytesMax, "of each entity");
  flags.AddChoice("--workload", options.workload,
                  {"read", "insert", "merge", "batch", "query", "find", "page", "none"},
                  "what to send; batch: 100 upserts; query: in one partition; find: over all, by "
                  "an indexed property; page: the first 1,000 in order");
  flags.AddSwitch("--setup", options.setup, "first make the table, and load all entities");
  flags.AddNumber("--throughput", options.throughput, 0, kTableThroughputMax,
                  "RU/s of the table that is made; 0 for none of its own");
  flags.AddNumber("--pid", options.server_pid, 0, kTablePidMax,
                  "the server's process: sample its CPU and memory");
  flags.AddSwitch("--json", options.json, "print one JSON object");
  return flags;
}

}  // namespace

Result<TableOptions> ParseTableOptions(std::span<const std::string_view> words) {
  TableOptions options;
  ORRERY_TRY(FlagsOf(options).Parse(words));
  if (options.key.empty()) options.key = kDevelopmentKey;
  if (options.connections < options.threads) {
    return Fail(Code::kInvalidArgument, "--connections: every thread needs one");
  }
  if (options.entities % EntityMaker::kOfOnePartition != 0) {
    return Fail(Code::kInvalidArgument, "--entities: must be a multiple of 100");
  }
  return options;
}

std::string TableUsage() {
  TableOptions options;
  return FlagsOf(options).Usage();
}

std::string_view TableWorkloadName(TableWorkloadKind kind) {
  constexpr std::string_view kNames[] = {"read",  "insert", "merge", "batch",
                                         "query", "find",   "page",  "none"};
  return kNames[static_cast<size_t>(kind)];
}

}  // namespace orrery::bench
