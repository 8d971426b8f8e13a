#include "mongo/mongo_options.h"

#include "load/flags.h"
#include "mongo/command_maker.h"

namespace orrery::bench {
namespace {

constexpr uint64_t kMongoInFlightMax = 1'024;
constexpr uint64_t kMongoConnectionsMax = 20'000;
constexpr uint64_t kMongoThreadsMax = 64;
constexpr uint64_t kMongoDocumentsMax = 100'000'000;
constexpr uint64_t kMongoValueBytesMax = 1 << 20;
constexpr uint64_t kMongoPidMax = 1 << 22;
constexpr double kMongoRateMax = 1e8;
constexpr double kMongoSecondsMax = 3'600;
constexpr double kMongoSecondsMin = 0.001;

FlagSet FlagsOf(MongoOptions& options, bool& buffered) {
  FlagSet flags(
      "usage: orrery-bench mongo [flags]: drives a server of MongoDB's protocol and measures it");
  flags.AddText("--host", options.address.host, "the server's name or address");
  flags.AddNumber("--port", options.address.port, 1, 65'535, "its port, which asks for no login");
  flags.AddSwitch("--tls", options.address.tls, "speak TLS; any certificate is taken");
  flags.AddText("--database", options.database, "its name");
  flags.AddText("--collection", options.collection, "its name");
  flags.AddNumber("--connections", options.connections, 1, kMongoConnectionsMax,
                  "to spread load over");
  flags.AddNumber("--in-flight", options.in_flight, 1, kMongoInFlightMax,
                  "commands on a connection, pipelined");
  flags.AddNumber("--threads", options.threads, 1, kMongoThreadsMax,
                  "event loops of the generator");
  flags.AddReal("--rate", options.rate, 0, kMongoRateMax, "arrivals a second; 0 saturates");
  flags.AddReal("--seconds", options.seconds, kMongoSecondsMin, kMongoSecondsMax, "measured");
  flags.AddReal("--warmup", options.warmup, 0, kMongoSecondsMax, "seconds before that");
  flags.AddNumber("--documents", options.documents, CommandMaker::kOfOneBatch, kMongoDocumentsMax,
                  "in the collection");
  flags.AddNumber("--value-bytes", options.value_bytes, 1, kMongoValueBytesMax, "of each document");
  flags.AddChoice("--workload", options.workload,
                  {"find", "insert", "update", "many", "indexed", "group", "none"},
                  "what to send; find, update: by _id; many: 100 inserts in a command; indexed: 10 "
                  "documents by an index; group: $match and $group over all");
  flags.AddSwitch("--buffered", buffered, "writes do not wait for the disk (j: false)");
  flags.AddSwitch("--setup", options.setup,
                  "first drop the collection, make its index, and load all documents");
  flags.AddNumber("--pid", options.server_pid, 0, kMongoPidMax,
                  "the server's process: sample its CPU and memory");
  flags.AddSwitch("--json", options.json, "print one JSON object");
  return flags;
}

}  // namespace

Result<MongoOptions> ParseMongoOptions(std::span<const std::string_view> words) {
  MongoOptions options;
  bool buffered = false;
  ORRERY_TRY(FlagsOf(options, buffered).Parse(words));
  options.journal = !buffered;
  if (options.connections < options.threads) {
    return Fail(Code::kInvalidArgument, "--connections: every thread needs one");
  }
  if (options.documents % CommandMaker::kOfOneBatch != 0) {
    return Fail(Code::kInvalidArgument, "--documents: must be a multiple of 100");
  }
  return options;
}

std::string MongoUsage() {
  MongoOptions options;
  bool buffered = false;
  return FlagsOf(options, buffered).Usage();
}

std::string_view MongoWorkloadName(MongoWorkloadKind kind) {
  constexpr std::string_view kNames[] = {"find",    "insert", "update", "many",
                                         "indexed", "group",  "none"};
  return kNames[static_cast<size_t>(kind)];
}

}  // namespace orrery::bench
