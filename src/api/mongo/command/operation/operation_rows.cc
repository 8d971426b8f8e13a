#include "api/mongo/command/operation/operation_rows.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include "api/mongo/command/operation/operation_facts.h"
#include "api/mongo/command/operation/operation_registry.h"
#include "api/mongo/command/session/session_arguments.h"
#include "api/mongo/executor/retry/retry_statements.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

std::string TimeText(int64_t unix_ms) {
  return fmt::format("{:%Y-%m-%dT%H:%M}:{:02}.{:03}+00:00",
                     fmt::gmtime(static_cast<time_t>(unix_ms / 1000)), unix_ms / 1000 % 60,
                     unix_ms % 1000);
}

// Appends how far the build of a collection's indexes is, as the command that waits for it shows.
void AppendBuildProgress(const CommandContext& context, const Operation& operation,
                         model::DocumentBuilder& row) {
  const Command& command = operation.context->command;
  if (command.name() != "createIndexes" || command.target().kind() != model::Kind::kString) return;
  const CollectionPtr collection = context.services.collections.Find(
      {command.database(), std::string(command.target().AsString())});
  if (collection == nullptr) return;
  const auto done = context.services.gateway.catalog().IndexProgress(collection->container->id);
  if (!done.has_value()) return;
  row.AppendString("msg", fmt::format("Index Build: {} %", *done));
  row.OpenObject("progress").AppendInt32("done", *done).AppendInt32("total", 100).Close();
}

}  // namespace

std::string HostAndPort(const CommandContext& context) {
  char name[256] = {};
  gethostname(name, sizeof(name) - 1);
  const std::string& local = context.client->local;
  const size_t colon = local.rfind(':');
  return std::string(name) + (colon == std::string::npos ? "" : local.substr(colon));
}

std::vector<model::Document> OperationRows(const CommandContext& context, bool own_only) {
  const MongoServices& services = context.services;
  const Micros now = services.clock.Monotonic();
  const std::string host = HostAndPort(context);
  const std::string time = TimeText(services.now_ms());
  std::vector<model::Document> rows;
  for (const Operation& operation : services.operations.List()) {
    const CommandContext& command = *operation.context;
    const Client& client = *command.client;
    if (own_only && command.owner != context.owner) continue;
    const OperationFacts facts = FactsOf(command.command);
    const int64_t micros = (now - operation.begin).count();
    model::DocumentBuilder row;
    row.AppendString("type", "op").AppendString("host", host);
    row.AppendString("desc", fmt::format("conn{}", client.id));
    row.AppendInt32("connectionId", client.id).AppendString("client", client.remote);
    row.AppendBool("active", true).AppendString("currentOpTime", time);
    if (!command.session.empty()) {
      row.OpenObject("lsid");
      row.Append("id", model::Value::Binary(command.session.substr(0, kSessionIdBytes), 4));
      row.Append("uid", model::Value::Binary(command.session.substr(kSessionIdBytes))).Close();
    }
    row.AppendInt32("opid", operation.id);
    row.AppendInt64("secs_running", micros / 1'000'000).AppendInt64("microsecs_running", micros);
    row.AppendString("op", NameOfKind(facts.kind));
    row.AppendString("ns", facts.NamespaceIn(command.database()));
    row.AppendDocument("command", command.body());
    AppendBuildProgress(context, operation, row);
    if (command.killed.load(std::memory_order_relaxed)) row.AppendBool("killPending", true);
    row.AppendInt32("numYields", 0).AppendBool("waitingForLock", false);
    rows.push_back(std::move(row).Finish());
  }
  return rows;
}

std::vector<model::Document> SessionRows(const CommandContext& context, bool own_only) {
  const MongoServices& services = context.services;
  const std::string own = UserDigest(context.client->owner());
  const Micros now = services.clock.Monotonic();
  std::vector<model::Document> rows;
  for (const auto& [session, used] : services.sessions.List()) {
    if (own_only && !session.ends_with(own)) continue;
    model::DocumentBuilder row;
    row.OpenObject("_id");
    row.Append("id", model::Value::Binary(session.substr(0, kSessionIdBytes), 4));
    row.Append("uid", model::Value::Binary(session.substr(kSessionIdBytes))).Close();
    const int64_t idle_ms = (now - used).count() / 1'000;
    row.Append("lastUse", model::Value::DateTime(services.now_ms() - idle_ms));
    rows.push_back(std::move(row).Finish());
  }
  return rows;
}

}  // namespace orrery::mongo
