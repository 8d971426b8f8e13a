// Commands that ask about the server itself: versions, statistics, parameters.
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "api/mongo/command/command_table.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/command/operation/operation_counters.h"
#include "api/mongo/command/operation/operation_registry.h"
#include "api/mongo/command/operation/server_parameters.h"
#include "api/mongo/command/write_reply.h"
#include "api/mongo/executor/read/collection_size.h"

#include "api/mongo/catalog/capped_form.h"

namespace orrery::mongo {
namespace {

CommandReply BuildInfo(CommandContext& context) {
  model::DocumentBuilder reply;
  reply.AppendString("version", kMongoVersion);
  reply.AppendString("gitVersion", "orrery-" + context.services.options.server_version);
  reply.OpenArray("modules").Close().AppendString("allocator", "jemalloc");
  reply.AppendString("javascriptEngine", "mozjs").AppendString("sysInfo", "deprecated");
  reply.OpenArray("versionArray");
  size_t i = 0;
  for (const int part : {7, 0, 14, 0}) reply.AppendInt32(std::to_string(i++), part);
  reply.Close().OpenObject("openssl").AppendString("running", "OpenSSL 3").Close();
  reply.AppendInt32("bits", 64).AppendBool("debug", false);
  reply.AppendInt32("maxBsonObjectSize", static_cast<int32_t>(kBsonBytesMax));
  reply.OpenArray("storageEngines").AppendString("0", "wiredTiger").Close();
  reply.OpenObject("orrery").AppendString("version", context.services.options.server_version);
  reply.Close();
  return reply;
}

std::string HostName() {
  char name[256] = {};
  gethostname(name, sizeof(name) - 1);
  return name;
}

CommandReply HostInfo(CommandContext& context) {
  utsname names{};
  uname(&names);
  model::DocumentBuilder reply;
  reply.OpenObject("system");
  reply.Append("currentTime", model::Value::DateTime(context.services.now_ms()));
  reply.AppendString("hostname", HostName()).AppendInt32("cpuAddrSize", 64);
  const int64_t pages = sysconf(_SC_PHYS_PAGES);
  reply.AppendInt64("memSizeMB", (pages * sysconf(_SC_PAGESIZE)) >> 20);
  reply.AppendInt32("numCores", static_cast<int32_t>(std::thread::hardware_concurrency()));
  reply.AppendString("cpuArch", names.machine).AppendBool("numaEnabled", false).Close();
  reply.OpenObject("os").AppendString("type", names.sysname).AppendString("name", "Linux");
  reply.AppendString("version", names.release).Close().OpenObject("extra").Close();
  return reply;
}

CommandReply WhatsMyUri(CommandContext& context) {
  model::DocumentBuilder reply;
  reply.AppendString("you", context.client->remote);
  return reply;
}

// Resident and virtual memory, in megabytes.
std::pair<int64_t, int64_t> MemoryMegabytes() {
  std::ifstream file("/proc/self/statm");
  int64_t pages = 0;
  int64_t resident = 0;
  file >> pages >> resident;
  const int64_t page = sysconf(_SC_PAGESIZE);
  return {(resident * page) >> 20, (pages * page) >> 20};
}

// The figures that mongostat and monitoring programs read.
void AppendTraffic(const CommandContext& context, model::DocumentBuilder& reply) {
  const MongoServices& services = context.services;
  const OperationCounters::Traffic& traffic = services.counters.traffic();
  const auto count = [](const std::atomic<int64_t>& counter) {
    return counter.load(std::memory_order_relaxed);
  };
  const auto running = static_cast<int32_t>(services.operations.List().size());
  const int64_t connections = count(traffic.connections);
  reply.OpenObject("connections").AppendInt64("current", connections);
  reply.AppendInt64("available",
                    std::max<int64_t>(0, static_cast<int64_t>(kMongoConnectionsMax) - connections));
  reply.AppendInt64("totalCreated", count(traffic.connections_made));
  reply.AppendInt32("active", running).Close();
  reply.OpenObject("network").AppendInt64("bytesIn", count(traffic.bytes_in));
  reply.AppendInt64("bytesOut", count(traffic.bytes_out));
  reply.AppendInt64("numRequests", count(traffic.requests)).Close();
  static constexpr std::pair<std::string_view, OperationKind> kKinds[] = {
      {"insert", OperationKind::kInsert},   {"query", OperationKind::kQuery},
      {"update", OperationKind::kUpdate},   {"delete", OperationKind::kDelete},
      {"getmore", OperationKind::kGetMore}, {"command", OperationKind::kCommand}};
  reply.OpenObject("opcounters");
  for (const auto& [name, kind] : kKinds) reply.AppendInt64(name, services.counters.count(kind));
  reply.Close();
  const auto [resident, virtual_size] = MemoryMegabytes();
  reply.OpenObject("mem").AppendInt32("bits", 64).AppendInt64("resident", resident);
  reply.AppendInt64("virtual", virtual_size).AppendBool("supported", true).Close();
  // There is no lock that commands wait for: those that run are active.
  reply.OpenObject("globalLock").OpenObject("currentQueue").AppendInt32("total", 0);
  reply.AppendInt32("readers", 0).AppendInt32("writers", 0).Close();
  reply.OpenObject("activeClients").AppendInt32("total", running).Close().Close();
  reply.OpenObject("logicalSessionRecordCache");
  reply.AppendInt64("activeSessionsCount", static_cast<int64_t>(services.sessions.size())).Close();
  reply.OpenObject("metrics").OpenObject("cursor").OpenObject("open");
  reply.AppendInt64("total", static_cast<int64_t>(services.cursors.List().size()));
  reply.Close().Close().Close();
}

CommandReply ServerStatus(CommandContext& context) {
  const MongoServices& services = context.services;
  const int64_t uptime_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                                services.clock.Monotonic() - services.started)
                                .count();
  model::DocumentBuilder reply;
  reply.AppendString("host", HostName()).AppendString("version", kMongoVersion);
  reply.AppendString("process", "mongod").AppendInt64("pid", getpid());
  reply.AppendDouble("uptime", static_cast<double>(uptime_ms) / 1000);
  reply.AppendInt64("uptimeMillis", uptime_ms).AppendInt64("uptimeEstimate", uptime_ms / 1000);
  reply.Append("localTime", model::Value::DateTime(services.now_ms()));
  AppendTraffic(context, reply);
  reply.OpenObject("repl").AppendString("setName", services.options.set_name);
  reply.AppendBool("isWritablePrimary", true).AppendString("me", context.client->local).Close();
  reply.OpenObject("storageEngine").AppendString("name", "wiredTiger");
  reply.AppendBool("supportsCommittedReads", true).AppendBool("persistent", true);
  reply.AppendBool("supportsSnapshotReadConcern", false).Close();
  return reply;
}

// {value, settableAtRuntime, settableAtStartup}, or the value alone.
void AppendParameter(const ParameterInfo& parameter, bool is_detailed,
                     model::DocumentBuilder& reply) {
  if (!is_detailed) {
    reply.Append(parameter.name, parameter.value);
    return;
  }
  reply.OpenObject(parameter.name).Append("value", parameter.value);
  reply.AppendBool("settableAtRuntime", parameter.is_settable);
  reply.AppendBool("settableAtStartup", false).Close();
}

CommandReply GetParameter(CommandContext& context) {
  const model::ElementView target = context.command.target();
  bool all = target.kind() == model::Kind::kString && target.AsString() == "*";
  bool is_detailed = false;
  if (target.kind() == model::Kind::kObject) {
    const Fields options(target.AsDocument(), "getParameter", Fields::Of::kPart);
    MONGO_ASSIGN(is_detailed, options.Flag("showDetails"));
    MONGO_ASSIGN(all, options.Flag("allParameters"));
  }
  std::vector<ParameterInfo> known;
  if (context.services.parameters != nullptr) known = context.services.parameters->List();
  known.push_back({"featureCompatibilityVersion",
                   model::Value::Object({{"version", model::Value::String("7.0")}})});
  known.push_back(
      {"authenticationMechanisms", model::Value::Array({model::Value::String("SCRAM-SHA-1"),
                                                        model::Value::String("SCRAM-SHA-256")})});
  known.push_back({"transactionLifetimeLimitSeconds",
                   model::Value::Int32(static_cast<int32_t>(
                       context.services.sessions.transaction_lifetime().count())),
                   true});
  std::ranges::sort(known, {}, &ParameterInfo::name);
  model::DocumentBuilder reply;
  bool found = false;
  for (const ParameterInfo& parameter : known) {
    if (!all && !context.body().Find(parameter.name).has_value()) continue;
    AppendParameter(parameter, is_detailed, reply);
    found = true;
  }
  if (!found) return Refuse(ErrorCode::kInvalidOptions, "no option found to get");
  return reply;
}

CommandReply CollStats(CommandContext& context) {
  MONGO_ASSIGN(const Namespace name, context.command.CollectionOf());
  MONGO_ASSIGN(const std::optional<int64_t> scale,
               Fields(context.body(), "collStats").Integer("scale"));
  const int64_t unit = std::max<int64_t>(scale.value_or(1), 1);
  const CollectionPtr collection = context.services.collections.Find(name);
  CollectionSize size = collection == nullptr
                            ? CollectionSize()
                            : SizeOf(context.services.gateway, *collection->container);
  model::DocumentBuilder reply;
  reply.AppendString("ns", name.ToString());
  const bool is_capped = collection != nullptr && collection->form == DocumentForm::kCapped;
  if (is_capped) size.bytes -= size.documents * static_cast<int64_t>(kSequenceBytes);
  AppendCount(reply, "size", size.bytes / unit);
  AppendCount(reply, "count", size.documents);
  if (size.documents > 0) AppendCount(reply, "avgObjSize", size.bytes / size.documents);
  AppendCount(reply, "storageSize", size.bytes / unit);
  AppendCount(reply, "totalSize", size.bytes / unit);
  reply.AppendBool("capped", is_capped);
  if (is_capped) {
    const CappedLimits limits = CappedLimitsOf(collection->options);
    AppendCount(reply, "max", limits.documents_max == INT64_MAX ? 0 : limits.documents_max);
    AppendCount(reply, "maxSize", limits.bytes_max / unit);
  }
  reply.AppendInt32(
      "nindexes", collection == nullptr ? 0 : static_cast<int32_t>(collection->indexes.size() + 1));
  reply.AppendInt32("totalIndexSize", 0).OpenObject("indexSizes").Close();
  AppendCount(reply, "scaleFactor", unit);
  return reply;
}

CommandReply DbStats(CommandContext& context) {
  MONGO_ASSIGN(const std::optional<int64_t> scale,
               Fields(context.body(), "dbStats").Integer("scale"));
  const int64_t unit = std::max<int64_t>(scale.value_or(1), 1);
  CollectionSize sum;
  int32_t collections = 0;
  int32_t indexes = 0;
  for (const CollectionPtr& collection :
       context.services.collections.ListCollections(context.database())) {
    const CollectionSize size = SizeOf(context.services.gateway, *collection->container);
    sum.bytes += size.bytes;
    sum.documents += size.documents;
    ++collections;
    indexes += static_cast<int32_t>(collection->indexes.size() + 1);
  }
  model::DocumentBuilder reply;
  reply.AppendString("db", context.database()).AppendInt32("collections", collections);
  reply.AppendInt32(
      "views",
      static_cast<int32_t>(context.services.collections.ListViews(context.database()).size()));
  AppendCount(reply, "objects", sum.documents);
  reply.AppendDouble(
      "avgObjSize",
      sum.documents == 0 ? 0 : static_cast<double>(sum.bytes) / static_cast<double>(sum.documents));
  const auto scaled = static_cast<double>(sum.bytes) / static_cast<double>(unit);
  reply.AppendDouble("dataSize", scaled).AppendDouble("storageSize", scaled);
  reply.AppendInt32("indexes", indexes).AppendDouble("indexSize", 0);
  reply.AppendDouble("totalSize", scaled);
  AppendCount(reply, "scaleFactor", unit);
  return reply;
}

CommandReply GetCmdLineOpts(CommandContext& /*context*/) {
  model::DocumentBuilder reply;
  reply.OpenArray("argv").AppendString("0", "orrery").Close().OpenObject("parsed").Close();
  return reply;
}

CommandReply GetLog(CommandContext& context) {
  model::DocumentBuilder reply;
  const model::ElementView which = context.command.target();
  if (which.kind() == model::Kind::kString && which.AsString() == "*") {
    reply.OpenArray("names").AppendString("0", "global").AppendString("1", "startupWarnings");
    reply.Close();
    return reply;
  }
  reply.AppendInt32("totalLinesWritten", 0).OpenArray("log").Close();
  return reply;
}

CommandReply GetLastError(CommandContext& /*context*/) {
  model::DocumentBuilder reply;
  reply.AppendInt32("n", 0).Append("err", model::Value::Null());
  return reply;
}

}  // namespace

std::vector<CommandEntry> DiagnosticCommands() {
  const auto open = [](std::string_view name, CommandHandler handler) {
    return CommandEntry{
        .name = name, .action = Action::kNothing, .handler = handler, .on_loop = true};
  };
  const auto known = [](std::string_view name, CommandHandler handler, Action action) {
    return CommandEntry{.name = name, .action = action, .handler = handler};
  };
  return {open("buildInfo", BuildInfo),
          open("buildinfo", BuildInfo),
          open("whatsmyuri", WhatsMyUri),
          known("hostInfo", HostInfo, Action::kLogIn),
          known("serverStatus", ServerStatus, Action::kLogIn),
          known("getParameter", GetParameter, Action::kLogIn),
          known("getCmdLineOpts", GetCmdLineOpts, Action::kLogIn),
          known("getLog", GetLog, Action::kLogIn),
          known("getLastError", GetLastError, Action::kLogIn),
          known("getlasterror", GetLastError, Action::kLogIn),
          known("collStats", CollStats, Action::kRead),
          known("collstats", CollStats, Action::kRead),
          known("dbStats", DbStats, Action::kRead),
          known("dbstats", DbStats, Action::kRead)};
}

}  // namespace orrery::mongo
