// Commands that ask about the server itself: versions, statistics, parameters.
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <thread>

#include "api/mongo/command/command_table.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/command/write_reply.h"
#include "api/mongo/executor/read/collection_size.h"

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
  reply.OpenObject("repl").AppendString("setName", services.options.set_name);
  reply.AppendBool("isWritablePrimary", true).AppendString("me", context.client->local).Close();
  reply.OpenObject("storageEngine").AppendString("name", "wiredTiger");
  reply.AppendBool("supportsCommittedReads", true).AppendBool("persistent", true);
  reply.AppendBool("supportsSnapshotReadConcern", false).Close();
  return reply;
}

CommandReply GetParameter(CommandContext& context) {
  model::DocumentBuilder reply;
  const bool all = context.command.target().kind() == model::Kind::kString &&
                   context.command.target().AsString() == "*";
  const auto wants = [&](std::string_view name) {
    return all || context.body().Find(name).has_value();
  };
  bool found = false;
  if (wants("featureCompatibilityVersion")) {
    reply.OpenObject("featureCompatibilityVersion").AppendString("version", "7.0").Close();
    found = true;
  }
  if (wants("authenticationMechanisms")) {
    reply.OpenArray("authenticationMechanisms").AppendString("0", "SCRAM-SHA-1");
    reply.AppendString("1", "SCRAM-SHA-256").Close();
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
  const CollectionSize size = collection == nullptr
                                  ? CollectionSize()
                                  : SizeOf(context.services.gateway, *collection->container);
  model::DocumentBuilder reply;
  reply.AppendString("ns", name.ToString());
  AppendCount(reply, "size", size.bytes / unit);
  AppendCount(reply, "count", size.documents);
  if (size.documents > 0) AppendCount(reply, "avgObjSize", size.bytes / size.documents);
  AppendCount(reply, "storageSize", size.bytes / unit);
  AppendCount(reply, "totalSize", size.bytes / unit);
  reply.AppendBool("capped", false);
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
