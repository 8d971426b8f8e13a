// hello and its older names: who the server is, what it can do, and the start of a login.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "api/mongo/command/command_table.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/command/handler/login.h"

namespace orrery::mongo {
namespace {

// Counts what a server tells of itself; nothing of that changes while it runs.
constexpr int64_t kTopologyCounter = 0;
constexpr std::chrono::milliseconds kWaitMax = std::chrono::minutes(5);

std::string HostOf(const CommandContext& context) {
  const std::string& advertise = context.services.options.advertise;
  if (advertise.empty()) return context.client->local;
  const std::string& local = context.client->local;
  return advertise + local.substr(local.rfind(':'));
}

// The description that a client sends of itself, once.
Outcome TakeMetadata(CommandContext& context) {
  const auto metadata = context.body().Find("client");
  if (!metadata.has_value()) return {};
  if (metadata->kind() != model::Kind::kObject) {
    return Refuse(ErrorCode::kTypeMismatch,
                  fmt::format("BSON field 'hello.client' is the wrong type '{}', expected type "
                              "'object'",
                              TypeNameOf(*metadata)));
  }
  if (!context.client->metadata.has_value())
    context.client->metadata = model::Document::Trusted(std::string(metadata->AsDocument().bson()));
  return {};
}

// The compressors of the client's list that the server has, in its order.
void AgreeOnCompression(CommandContext& context, model::DocumentBuilder& reply) {
  const auto list = context.body().Find("compression");
  if (!list.has_value() || list->kind() != model::Kind::kArray) return;
  context.client->compressors.clear();
  for (const model::ElementView name : list->AsDocument()) {
    if (name.kind() != model::Kind::kString) continue;
    if (const auto one = CompressorNamed(name.AsString()))
      context.client->compressors.push_back(*one);
  }
  if (context.client->compressors.empty()) return;
  reply.OpenArray("compression");
  size_t i = 0;
  for (const Compressor one : context.client->compressors)
    reply.AppendString(std::to_string(i++), CompressorName(one));
  reply.Close();
}

void AppendTopology(const CommandContext& context, model::DocumentBuilder& reply,
                    std::string_view primary_field) {
  const std::string host = HostOf(context);
  reply.OpenArray("hosts").AppendString("0", host).Close();
  reply.AppendString("setName", context.services.options.set_name).AppendInt32("setVersion", 1);
  reply.AppendBool(primary_field, true).AppendBool("secondary", false);
  reply.AppendString("primary", host).AppendString("me", host);
  model::ObjectIdBytes election{};
  election[0] = 0x7f;
  election[1] = election[2] = election[3] = 0xff;
  election[11] = 1;
  reply.Append("electionId", model::Value::ObjectId(election));
  const int64_t now = context.services.now_ms();
  const model::BsonTimestamp stamp{.seconds = static_cast<uint32_t>(now / 1000), .increment = 1};
  reply.OpenObject("lastWrite");
  for (const char* const name : {"opTime", "majorityOpTime"}) {
    reply.OpenObject(name).Append("ts", model::Value::Timestamp(stamp)).AppendInt64("t", 1).Close();
  }
  reply.Append("lastWriteDate", model::Value::DateTime(now));
  reply.Append("majorityWriteDate", model::Value::DateTime(now)).Close();
}

void AppendMechanisms(const CommandContext& context, model::DocumentBuilder& reply) {
  const auto asked = context.body().Find("saslSupportedMechs");
  if (!asked.has_value() || asked->kind() != model::Kind::kString) return;
  const std::string_view name = asked->AsString();
  const size_t dot = name.find('.');
  if (dot == std::string_view::npos) return;
  reply.OpenArray("saslSupportedMechs");
  size_t i = 0;
  for (const std::string& mechanism :
       context.services.users.MechanismsOf(name.substr(dot + 1), name.substr(0, dot)))
    reply.AppendString(std::to_string(i++), mechanism);
  reply.Close();
}

CommandReply Greet(CommandContext& context, std::string_view primary_field) {
  MONGO_TRY(TakeMetadata(context));
  model::DocumentBuilder reply;
  const bool knows_hello = [&] {
    const auto flag = context.body().Find("helloOk");
    return flag.has_value() && AsFlag(*flag).value_or(false);
  }();
  if (knows_hello) reply.AppendBool("helloOk", true);
  reply.OpenObject("topologyVersion");
  reply.Append("processId", model::Value::ObjectId(context.services.process_id));
  reply.AppendInt64("counter", kTopologyCounter).Close();
  AppendTopology(context, reply, primary_field);
  reply.AppendInt32("maxBsonObjectSize", static_cast<int32_t>(kBsonBytesMax));
  reply.AppendInt32("maxMessageSizeBytes", static_cast<int32_t>(kMessageBytesMax));
  reply.AppendInt32("maxWriteBatchSize", kWriteBatchMax);
  reply.Append("localTime", model::Value::DateTime(context.services.now_ms()));
  // Tells drivers that they may repeat writes under one number: none is done twice.
  reply.AppendInt32("logicalSessionTimeoutMinutes", kSessionTimeoutMinutes);
  reply.AppendInt32("connectionId", context.client->id);
  reply.AppendInt32("minWireVersion", 0).AppendInt32("maxWireVersion", kWireVersionMax);
  reply.AppendBool("readOnly", false);
  AgreeOnCompression(context, reply);
  AppendMechanisms(context, reply);
  const auto early = context.body().Find("speculativeAuthenticate");
  if (early.has_value() && early->kind() == model::Kind::kObject) {
    // A start that fails is left out: the client then begins anew, and is told why.
    auto begun = StartLogin(context, early->AsDocument());
    if (begun.has_value())
      reply.AppendDocument("speculativeAuthenticate", std::move(*begun).Finish());
  }
  return reply;
}

// Returns how long a hello waits for a change of what it would answer: `maxAwaitTimeMS`, if the
// client has seen what there is now. Nothing of it changes while the server runs.
Answer<std::optional<std::chrono::milliseconds>> WaitOf(const CommandContext& context) {
  const auto version = context.body().Find("topologyVersion");
  const auto wait = context.body().Find("maxAwaitTimeMS");
  if (!version.has_value() && !wait.has_value()) return std::nullopt;
  if (!version.has_value() || !wait.has_value()) {
    return Refuse(31368, version.has_value()
                             ? "A request with a 'topologyVersion' must include 'maxAwaitTimeMS'"
                             : "A request with 'maxAwaitTimeMS' must include a 'topologyVersion'");
  }
  const std::optional<int64_t> limit = AsWhole(*wait);
  if (!limit.has_value() || *limit < 0)
    return Refuse(31373, "maxAwaitTimeMS must be a non-negative integer");
  if (version->kind() != model::Kind::kObject) {
    return Refuse(ErrorCode::kTypeMismatch,
                  fmt::format("BSON field 'hello.topologyVersion' is the wrong type '{}', expected "
                              "type 'object'",
                              TypeNameOf(*version)));
  }
  const model::Value process = version->AsDocument().Get("processId");
  const auto counter = version->AsDocument().Find("counter");
  if (process.kind() != model::Kind::kObjectId || !counter.has_value() ||
      counter->kind() != model::Kind::kInt64) {
    return Refuse(40414, "'topologyVersion' must have a 'processId' and a 'counter'");
  }
  // Of another run: the client must learn of this one at once.
  if (process.AsObjectId() != context.services.process_id) return std::nullopt;
  if (counter->AsInteger() > kTopologyCounter) {
    return Refuse(31382,
                  fmt::format("Received a topology version with counter: {} which is greater than "
                              "the server topology version counter: {}",
                              counter->AsInteger(), kTopologyCounter));
  }
  if (counter->AsInteger() < kTopologyCounter) return std::nullopt;
  return std::min(std::chrono::milliseconds(*limit), kWaitMax);
}

CommandReply Hello(CommandContext& context) {
  MONGO_TRY(WaitOf(context));
  return Greet(context, "isWritablePrimary");
}
CommandReply IsMaster(CommandContext& context) {
  MONGO_TRY(WaitOf(context));
  return Greet(context, "ismaster");
}

// A hello that waits keeps no thread.
bool StartWaiting(const std::shared_ptr<CommandContext>& context, CommandDone& done,
                  std::string_view primary_field) {
  const auto wait = WaitOf(*context);
  if (!wait.has_value() || !wait->has_value() || context->services.waits == nullptr) return false;
  auto shared = std::make_shared<CommandDone>(std::move(done));
  context->may_stream = true;
  const bool is_taken = context->services.waits->RunAfter(
      **wait, [context, shared, primary_field] { (*shared)(Greet(*context, primary_field)); });
  if (is_taken) return true;
  context->may_stream = false;
  done = std::move(*shared);
  return false;
}
bool StartHello(const std::shared_ptr<CommandContext>& context, CommandDone& done) {
  return StartWaiting(context, done, "isWritablePrimary");
}
bool StartIsMaster(const std::shared_ptr<CommandContext>& context, CommandDone& done) {
  return StartWaiting(context, done, "ismaster");
}

CommandReply Ping(CommandContext& /*context*/) { return model::DocumentBuilder(); }

}  // namespace

std::vector<CommandEntry> HandshakeCommands() {
  const auto greeting = [](std::string_view name, CommandHandler handler, CommandStarter starter) {
    return CommandEntry{.name = name,
                        .action = Action::kNothing,
                        .handler = handler,
                        .on_loop = true,
                        .starter = starter};
  };
  return {greeting("hello", Hello, StartHello), greeting("isMaster", IsMaster, StartIsMaster),
          greeting("ismaster", IsMaster, StartIsMaster), greeting("ping", Ping, nullptr)};
}

}  // namespace orrery::mongo
