// The commands that Azure Cosmos DB adds: shardCollection in its form, customAction,
// getLastRequestStatistics.
#include <fmt/format.h>

#include "api/mongo/catalog/stream_scope.h"
#include "api/mongo/command/command_table.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/command/write_reply.h"
#include "api/mongo/error/error_map.h"
#include "api/mongo/executor/stream/resume_token.h"

namespace orrery::mongo {
namespace {

CommandReply ShardCollection(CommandContext& context) {
  const Fields fields(context.body(), "shardCollection");
  MONGO_TRY(fields.CheckKnown(
      {"key", "unique", "numInitialChunks", "collation", "presplitHashedZones", "timeseries"}));
  const model::ElementView target = context.command.target();
  if (target.kind() != model::Kind::kString)
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("collection name has invalid type {}", TypeNameOf(target)));
  MONGO_ASSIGN(const Namespace name, ParseNamespace(target.AsString()));
  MONGO_ASSIGN(const model::DocumentView key, fields.RequiredObject("key"));
  if (key.empty() || std::next(key.begin()) != key.end()) {
    return Refuse(ErrorCode::kBadValue,
                  "the shard key must be one path: {field: \"hashed\"} or {field: 1}");
  }
  const model::ElementView field = *key.begin();
  const bool is_hashed = field.kind() == model::Kind::kString && field.AsString() == "hashed";
  if (!is_hashed && AsWhole(field) != 1) {
    return Refuse(ErrorCode::kBadValue, "shard key fields must be \"hashed\" or 1");
  }
  const CollectionPtr there = context.services.collections.Find(name);
  if (there != nullptr && there->shard_key != std::string(field.name())) {
    return Refuse(ErrorCode::kIllegalOperation,
                  fmt::format("collection {} exists already without that shard key; copy its "
                              "documents into a new one",
                              name.ToString()));
  }
  if (there == nullptr) {
    MONGO_TRY(context.services.collections.Create(
        {.name = name, .shard_key = std::string(field.name()), .shard_key_is_hashed = is_hashed}));
  }
  model::DocumentBuilder reply;
  reply.AppendString("_t", "ShardCollectionResponse");
  reply.AppendString("collectionsharded", name.ToString());
  return reply;
}

CommandReply EnableSharding(CommandContext& /*context*/) { return model::DocumentBuilder(); }

CommandReply LastStatistics(CommandContext& context) {
  const Client::Statistics& last = context.client->last;
  model::DocumentBuilder reply;
  reply.AppendString("_t", "GetRequestStatisticsResponse")
      .AppendString("CommandName", last.command);
  reply.AppendDouble("RequestCharge", static_cast<double>(last.charge.hundredths()) / 100);
  reply.AppendDouble("RequestDurationInMilliSeconds",
                     static_cast<double>(last.duration.count()) / 1000);
  return reply;
}

Answer<partition::ThroughputSettings> ReadThroughput(const Fields& fields) {
  MONGO_ASSIGN(const std::optional<int64_t> manual, fields.Integer("offerThroughput"));
  MONGO_ASSIGN(const auto scaled, fields.Object("autoScaleSettings"));
  if (manual.has_value() && scaled.has_value())
    return Refuse(ErrorCode::kBadValue,
                  "give either offerThroughput or autoScaleSettings, not both");
  if (manual.has_value()) return partition::ThroughputSettings::Manual(*manual);
  if (!scaled.has_value()) return partition::ThroughputSettings();
  MONGO_ASSIGN(const std::optional<int64_t> most,
               Fields(*scaled, "autoScaleSettings", Fields::Of::kPart).Integer("maxThroughput"));
  if (!most.has_value())
    return Refuse(ErrorCode::kBadValue, "autoScaleSettings needs maxThroughput");
  return partition::ThroughputSettings::Autoscale(*most);
}

void AppendThroughput(model::DocumentBuilder& reply,
                      const partition::ThroughputSettings& throughput) {
  if (throughput.kind == partition::ThroughputKind::kNone) return;
  const int64_t rate = throughput.request_units_per_second;
  const bool scales = throughput.kind == partition::ThroughputKind::kAutoscale;
  AppendCount(reply, "provisionedThroughput", scales ? rate / 10 : rate);
  if (!scales) return;
  reply.OpenObject("autoScaleSettings");
  AppendCount(reply, "maxThroughput", rate);
  reply.Close();
}

// The indexes that a custom action names; that of `_id` is there in any case.
Answer<std::vector<IndexSpec>> ReadIndexes(const Fields& fields) {
  std::vector<IndexSpec> indexes;
  MONGO_ASSIGN(const auto list, fields.Array("indexes"));
  if (!list.has_value()) return indexes;
  for (const model::ElementView element : *list) {
    if (element.kind() != model::Kind::kObject)
      return Refuse(ErrorCode::kBadValue, "each of 'indexes' must be an object");
    MONGO_ASSIGN(IndexSpec spec, ParseIndexSpec(element.AsDocument()));
    if ((*spec.key.view().begin()).name() != "_id") indexes.push_back(std::move(spec));
  }
  return indexes;
}

CommandReply CreateDatabase(CommandContext& context, const Fields& fields) {
  MONGO_TRY(CheckDatabaseName(context.database()));
  MONGO_ASSIGN(const auto throughput, ReadThroughput(fields));
  const auto made =
      context.services.gateway.catalog().CreateDatabase(context.database(), throughput);
  if (!made.has_value()) {
    if (made.error().code() == Code::kAlreadyExists)
      return Refuse(ErrorCode::kNamespaceExists, "the database exists already");
    return Refuse(made.error());
  }
  return model::DocumentBuilder();
}

CommandReply UpdateDatabase(CommandContext& context, const Fields& fields) {
  MONGO_ASSIGN(const auto throughput, ReadThroughput(fields));
  const Status set = context.services.gateway.catalog().SetThroughput(context.database(),
                                                                      std::nullopt, throughput);
  if (!set.has_value()) return Refuse(set.error());
  return model::DocumentBuilder();
}

CommandReply GetDatabase(CommandContext& context, const Fields& /*fields*/) {
  const auto found = context.services.gateway.catalog().FindDatabase(context.database());
  if (!found.has_value()) return Refuse(found.error());
  model::DocumentBuilder reply;
  reply.AppendString("database", context.database());
  AppendThroughput(reply, found->throughput);
  return reply;
}

CommandReply CreateCollection(CommandContext& context, const Fields& fields) {
  MONGO_ASSIGN(const std::string collection, fields.RequiredText("collection"));
  MONGO_ASSIGN(const auto throughput, ReadThroughput(fields));
  MONGO_ASSIGN(std::optional<std::string> shard_key, fields.Text("shardKey"));
  MONGO_ASSIGN(std::vector<IndexSpec> indexes, ReadIndexes(fields));
  MONGO_TRY(context.services.collections.Create({.name = {context.database(), collection},
                                                 .shard_key = std::move(shard_key),
                                                 .indexes = std::move(indexes),
                                                 .throughput = throughput}));
  return model::DocumentBuilder();
}

CommandReply UpdateCollection(CommandContext& context, const Fields& fields) {
  MONGO_ASSIGN(const std::string collection, fields.RequiredText("collection"));
  MONGO_ASSIGN(const CollectionPtr found,
               context.services.collections.Get({context.database(), collection}));
  MONGO_ASSIGN(const auto throughput, ReadThroughput(fields));
  MONGO_ASSIGN(const std::vector<IndexSpec> indexes, ReadIndexes(fields));
  if (throughput.kind != partition::ThroughputKind::kNone) {
    const Status set = context.services.gateway.catalog().SetThroughput(context.database(),
                                                                        collection, throughput);
    if (!set.has_value()) return Refuse(set.error());
  }
  if (context.body().Find("indexes").has_value()) {
    // Those that stay keep what they have.
    std::vector<IndexSpec> all;
    for (const IndexSpec& index : indexes) {
      bool is_there = false;
      for (const IndexSpec& former : found->indexes) {
        if (former.name != index.name || !(former.key == index.key)) continue;
        all.push_back(former);
        is_there = true;
      }
      if (!is_there) all.push_back(index);
    }
    MONGO_ASSIGN(const CollectionPtr newest,
                 context.services.collections.Get({context.database(), collection}));
    MONGO_TRY(context.services.collections.SetIndexes(*newest, all));
  }
  return model::DocumentBuilder();
}

CommandReply GetCollection(CommandContext& context, const Fields& fields) {
  MONGO_ASSIGN(const std::string collection, fields.RequiredText("collection"));
  MONGO_ASSIGN(const CollectionPtr found,
               context.services.collections.Get({context.database(), collection}));
  model::DocumentBuilder reply;
  reply.AppendString("database", context.database()).AppendString("collection", collection);
  if (found->shard_key.has_value()) {
    reply.OpenObject("shardKeyDefinition").AppendString(*found->shard_key, "hashed").Close();
  }
  AppendThroughput(reply, found->settings().throughput);
  MONGO_ASSIGN(const bool shows_indexes, fields.Flag("showIndexes"));
  if (shows_indexes) {
    reply.OpenArray("indexes").AppendDocument("0", IdIndexSpec());
    size_t i = 1;
    for (const IndexSpec& index : found->indexes)
      reply.AppendDocument(std::to_string(i++), index.spec);
    reply.Close();
  }
  return reply;
}

// A token from which a stream begins: now, or at a time. Azure gives one for each physical
// partition; here a stream reads all of them, so there is one.
CommandReply GetChangeStreamTokens(CommandContext& context, const Fields& fields) {
  MONGO_ASSIGN(const std::string collection, fields.RequiredText("collection"));
  MONGO_ASSIGN(const CollectionPtr found,
               context.services.collections.Get({context.database(), collection}));
  gateway::Gateway& gateway = context.services.gateway;
  MONGO_TRY(Watch(gateway, {.kind = StreamScope::Kind::kCollection, .name = found->name}));
  ResumeToken token = ResumeToken::HighWater(gateway.times().Next());
  if (const auto start = context.body().Find("startAtOperationTime")) {
    if (start->kind() != model::Kind::kTimestamp) {
      return Refuse(ErrorCode::kTypeMismatch,
                    fmt::format("BSON field 'customAction.startAtOperationTime' is the wrong type "
                                "'{}', expected type 'timestamp'",
                                TypeNameOf(*start)));
    }
    const model::BsonTimestamp at = start->ToValue().AsTimestamp();
    token.timestamp = uint64_t{at.seconds} << 32 | at.increment;
  }
  model::DocumentBuilder reply;
  reply.OpenArray("resumeAfterTokens").AppendDocument("0", token.ToDocument()).Close();
  return reply;
}

CommandReply CustomAction(CommandContext& context) {
  const Fields fields(context.body(), "customAction");
  MONGO_ASSIGN(const std::string action, fields.RequiredText("customAction"));
  if (action == "CreateDatabase") return CreateDatabase(context, fields);
  if (action == "UpdateDatabase") return UpdateDatabase(context, fields);
  if (action == "GetDatabase") return GetDatabase(context, fields);
  if (action == "CreateCollection") return CreateCollection(context, fields);
  if (action == "UpdateCollection") return UpdateCollection(context, fields);
  if (action == "GetCollection") return GetCollection(context, fields);
  if (action == "GetChangeStreamTokens") return GetChangeStreamTokens(context, fields);
  return Refuse(ErrorCode::kCommandNotSupported,
                fmt::format("customAction '{}' is not supported", action));
}

}  // namespace

std::vector<CommandEntry> CosmosCommands() {
  return {{.name = "shardCollection", .action = Action::kWrite, .handler = ShardCollection},
          {.name = "enableSharding", .action = Action::kWrite, .handler = EnableSharding},
          {.name = "customAction", .action = Action::kWrite, .handler = CustomAction},
          {.name = "getLastRequestStatistics",
           .action = Action::kLogIn,
           .handler = LastStatistics,
           .on_loop = true}};
}

}  // namespace orrery::mongo
