#include "cql/cql_options.h"

#include <fmt/format.h>

#include <vector>

#include "load/flags.h"

namespace orrery::bench {
namespace {

constexpr uint64_t kConnectionsMax = 100'000;
constexpr uint64_t kThreadsMax = 64;
constexpr uint64_t kKeysMax = 1'000'000'000;
constexpr uint64_t kValueBytesMax = 16 << 20;
constexpr uint64_t kPidMax = 1 << 22;
constexpr double kRateMax = 1e8;
constexpr double kSecondsMax = 86'400;
constexpr double kSecondsMin = 0.001;

FlagSet FlagsOf(CqlOptions& options) {
  FlagSet flags("usage: orrery-bench cql [flags]: drives a CQL server and measures it");
  Target& target = options.target;
  flags.AddText("--host", target.host, "the server's name or address");
  flags.AddNumber("--port", target.port, 1, 65'535, "its port");
  flags.AddText("--user", target.user, "for SASL PLAIN, if the server asks");
  flags.AddText("--password", target.password, "likewise");
  flags.AddNumber("--protocol", target.protocol, 4, 5, "native protocol version");
  flags.AddSwitch("--tls", target.tls, "speak TLS; any certificate is taken");
  flags.AddNumber("--connections", options.connections, 1, kConnectionsMax, "to spread load over");
  flags.AddNumber("--in-flight", options.in_flight, 1, kStreamsMax, "requests on a connection");
  flags.AddNumber("--threads", options.threads, 1, kThreadsMax, "event loops of the generator");
  flags.AddReal("--rate", options.rate, 0, kRateMax, "arrivals a second; 0 saturates");
  flags.AddReal("--seconds", options.seconds, kSecondsMin, kSecondsMax, "measured");
  flags.AddReal("--warmup", options.warmup, 0, kSecondsMax, "seconds before that");
  flags.AddNumber("--keys", options.keys, 1, kKeysMax, "rows in the table");
  flags.AddNumber("--value-bytes", options.value_bytes, 1, kValueBytesMax, "of each row");
  flags.AddChoice("--workload", options.workload, {"read", "insert", "mixed", "none"},
                  "what to send; mixed is half of each");
  flags.AddChoice("--distribution", options.distribution, {"uniform", "zipf"}, "of the keys");
  flags.AddText("--table", options.table, "keyspace.table");
  flags.AddText("--table-with", options.table_with, "options for CREATE TABLE ... WITH");
  flags.AddSwitch("--setup", options.setup, "first make keyspace and table, and load all rows");
  flags.AddNumber("--idle-connections", options.idle_connections, 0, kConnectionsMax,
                  "opened before and held through the run");
  flags.AddNumber("--pid", options.server_pid, 0, kPidMax,
                  "the server's process: sample its CPU and memory");
  flags.AddSwitch("--json", options.json, "print one JSON object");
  return flags;
}

}  // namespace

Result<CqlOptions> ParseCqlOptions(std::span<const std::string_view> words) {
  CqlOptions options;
  ORRERY_TRY(FlagsOf(options).Parse(words));
  if (options.connections < options.threads) {
    return Fail(Code::kInvalidArgument, "--connections: every thread needs one");
  }
  const size_t dot = options.table.find('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == options.table.size()) {
    return Fail(Code::kInvalidArgument, "--table: needs the form keyspace.table");
  }
  return options;
}

std::string CqlUsage() {
  CqlOptions options;
  return FlagsOf(options).Usage();
}

std::string_view WorkloadName(WorkloadKind kind) {
  constexpr std::string_view kNames[] = {"read", "insert", "mixed", "none"};
  return kNames[static_cast<size_t>(kind)];
}

}  // namespace orrery::bench
