#include "sql/sql_options.h"

#include <vector>

#include "gateway/account/accounts.h"
#include "load/flags.h"
#include "sql/document_maker.h"

namespace orrery::bench {
namespace {

constexpr uint64_t kInFlightMax = 1'024;
constexpr uint64_t kConnectionsMax = 10'000;
constexpr uint64_t kThreadsMax = 64;
constexpr uint64_t kDocumentsMax = 100'000'000;
constexpr uint64_t kValueBytesMax = 1 << 20;
constexpr uint64_t kThroughputMax = 1'000'000'000;
constexpr uint64_t kPidMax = 1 << 22;
constexpr double kRateMax = 1e8;
// Signatures are made once, and hold for 15 minutes.
constexpr double kSecondsMax = 400;
constexpr double kSecondsMin = 0.001;

FlagSet FlagsOf(SqlOptions& options) {
  FlagSet flags("usage: orrery-bench sql [flags]: drives a server of the SQL API and measures it");
  flags.AddText("--host", options.address.host, "the server's name or address");
  flags.AddNumber("--port", options.address.port, 1, 65'535, "its port");
  flags.AddNumber("--direct-port", options.direct_port, 0, 65'535,
                  "send the load to this port, in Direct mode (RNTBD); 0: over HTTP");
  flags.AddSwitch("--tls", options.address.tls, "speak TLS; any certificate is taken");
  flags.AddText("--key", options.key, "the account's key; without it the emulator's");
  flags.AddText("--database", options.database, "its name: letters, digits, _ and -");
  flags.AddText("--container", options.container, "likewise");
  flags.AddNumber("--connections", options.connections, 1, kConnectionsMax, "to spread load over");
  flags.AddNumber("--in-flight", options.in_flight, 1, kInFlightMax,
                  "requests on a connection, pipelined");
  flags.AddNumber("--threads", options.threads, 1, kThreadsMax, "event loops of the generator");
  flags.AddReal("--rate", options.rate, 0, kRateMax, "arrivals a second; 0 saturates");
  flags.AddReal("--seconds", options.seconds, kSecondsMin, kSecondsMax, "measured");
  flags.AddReal("--warmup", options.warmup, 0, kSecondsMax, "seconds before that");
  flags.AddNumber("--documents", options.documents, DocumentMaker::kOfOneKey, kDocumentsMax,
                  "in the container");
  flags.AddNumber("--value-bytes", options.value_bytes, 1, kValueBytesMax, "of each document");
  flags.AddChoice("--workload", options.workload,
                  {"read", "create", "query", "find", "top", "scan", "none"},
                  "what to send; query: in one logical partition; find, top, scan: over all, by an "
                  "indexed property, the first 10 in order, a page that no index serves");
  flags.AddSwitch("--setup", options.setup, "first make the container, and load all documents");
  flags.AddNumber("--load-batch", options.load_batch, 1, DocumentMaker::kOfOneKey,
                  "documents in a request of the load; 1 uses no batches");
  flags.AddNumber("--throughput", options.throughput, 0, kThroughputMax,
                  "RU/s of the container that is made; 0 for none of its own");
  flags.AddNumber("--pid", options.server_pid, 0, kPidMax,
                  "the server's process: sample its CPU and memory");
  flags.AddSwitch("--json", options.json, "print one JSON object");
  return flags;
}

}  // namespace

Result<SqlOptions> ParseSqlOptions(std::span<const std::string_view> words) {
  SqlOptions options;
  ORRERY_TRY(FlagsOf(options).Parse(words));
  if (options.key.empty()) options.key = gateway::kWellKnownKey;
  if (options.connections < options.threads) {
    return Fail(Code::kInvalidArgument, "--connections: every thread needs one");
  }
  if (options.documents % options.load_batch != 0) {
    return Fail(Code::kInvalidArgument, "--documents: must be a multiple of --load-batch");
  }
  return options;
}

std::string SqlUsage() {
  SqlOptions options;
  return FlagsOf(options).Usage();
}

std::string_view SqlWorkloadName(SqlWorkloadKind kind) {
  constexpr std::string_view kNames[] = {"read", "create", "query", "find", "top", "scan", "none"};
  return kNames[static_cast<size_t>(kind)];
}

}  // namespace orrery::bench
