// validate and dataSize, which read whole collections, profile and setParameter, which knows one.
#include <fmt/format.h>

#include "api/mongo/command/command_table.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/command/write_reply.h"
#include "api/mongo/executor/read/collection_scan.h"
#include "model/document/document.h"

namespace orrery::mongo {
namespace {

// Calls `look` with every document of a collection.
template <typename Look>
Outcome ForEachDocument(CommandContext& context, const CollectionPtr& collection,
                        const Look& look) {
  auto state = std::make_shared<RunState>();
  Attach(*state, context);
  CollectionScan scan(context.services.gateway,
                      {.collection = collection, .filter = nullptr, .rows_wanted = SIZE_MAX},
                      state);
  while (true) {
    Answer<std::optional<Row>> row = scan.Next();
    context.charge += state->charge;
    state->charge = {};
    if (!row.has_value()) return std::unexpected(std::move(row).error());
    if (!row->has_value()) return {};
    look((*row)->document);
  }
}

CommandReply Validate(CommandContext& context) {
  const Fields fields(context.body(), "validate");
  MONGO_TRY(fields.CheckKnown(
      {"full", "background", "repair", "metadata", "enforceFastCount", "checkBSONConformance"}));
  MONGO_ASSIGN(const Namespace name, context.command.CollectionOf());
  MONGO_TRY(context.services.collections.RefuseView(name));
  MONGO_ASSIGN(const bool repairs, fields.Flag("repair"));
  if (repairs) {
    return Refuse(ErrorCode::kCommandNotSupported,
                  "validate with {repair: true} is not supported by this server");
  }
  const CollectionPtr collection = context.services.collections.Find(name);
  if (collection == nullptr) {
    return Refuse(ErrorCode::kNamespaceNotFound,
                  fmt::format("Collection '{}' does not exist to validate.", name.ToString()));
  }
  int64_t documents = 0;
  int64_t invalid = 0;
  int64_t refused = 0;
  MONGO_TRY(ForEachDocument(context, collection, [&](const model::Document& document) {
    ++documents;
    if (!model::DocumentView::FromBson(document.bson()).has_value()) {
      ++invalid;
    } else if (collection->validator != nullptr &&
               !collection->validator->Check(document, std::nullopt).has_value()) {
      ++refused;
    }
  }));
  model::DocumentBuilder reply;
  reply.AppendString("ns", name.ToString());
  AppendCount(reply, "nInvalidDocuments", invalid);
  AppendCount(reply, "nNonCompliantDocuments", refused);
  AppendCount(reply, "nrecords", documents);
  reply.AppendInt32("nIndexes", static_cast<int32_t>(collection->indexes.size() + 1));
  reply.AppendBool("valid", invalid == 0).AppendBool("repaired", false);
  reply.OpenArray("warnings");
  if (refused > 0) {
    reply.AppendString("0",
                       "Detected one or more documents not compliant with the collection's "
                       "validator.");
  }
  reply.Close().OpenArray("errors");
  if (invalid > 0) reply.AppendString("0", "Detected one or more invalid documents.");
  reply.Close();
  return reply;
}

CommandReply DataSize(CommandContext& context) {
  const Fields fields(context.body(), "dataSize");
  MONGO_TRY(fields.CheckKnown({"keyPattern", "min", "max", "estimate"}));
  const model::ElementView target = context.command.target();
  const size_t dot =
      target.kind() == model::Kind::kString ? target.AsString().find('.') : std::string_view::npos;
  if (dot == std::string_view::npos) {
    return Refuse(ErrorCode::kInvalidNamespace, "dataSize needs the name of a collection: db.name");
  }
  const std::string_view text = target.AsString();
  const Namespace name{std::string(text.substr(0, dot)), std::string(text.substr(dot + 1))};
  if (name.database != context.database() && !context.client->is_trusted) {
    return Refuse(ErrorCode::kUnauthorized,
                  fmt::format("not authorized on {} to execute command dataSize", name.database));
  }
  for (const std::string_view part : {"keyPattern", "min", "max"}) {
    if (context.body().Find(part).has_value()) {
      return Refuse(ErrorCode::kCommandNotSupported,
                    fmt::format("dataSize with '{}' is not supported by this server", part));
    }
  }
  const Micros started = context.services.clock.Monotonic();
  int64_t bytes = 0;
  int64_t documents = 0;
  if (const CollectionPtr collection = context.services.collections.Find(name)) {
    MONGO_TRY(ForEachDocument(context, collection, [&](const model::Document& document) {
      bytes += static_cast<int64_t>(document.bson().size());
      ++documents;
    }));
  }
  model::DocumentBuilder reply;
  reply.AppendBool("estimate", false);
  AppendCount(reply, "size", bytes);
  AppendCount(reply, "numObjects", documents);
  AppendCount(reply, "millis",
              std::chrono::duration_cast<std::chrono::milliseconds>(
                  context.services.clock.Monotonic() - started)
                  .count());
  return reply;
}

// Nothing is profiled: the level is 0, and cannot be raised.
CommandReply Profile(CommandContext& context) {
  const auto level = AsWhole(context.command.target());
  if (!level.has_value()) {
    return Refuse(ErrorCode::kTypeMismatch,
                  fmt::format("BSON field 'profile.profile' is the wrong type '{}', expected types "
                              "'[long, int, decimal, double]'",
                              TypeNameOf(context.command.target())));
  }
  if (*level == 1 || *level == 2) {
    return Refuse(ErrorCode::kCommandNotSupported, "the profiler is not supported by this server");
  }
  model::DocumentBuilder reply;
  reply.AppendInt32("was", 0);
  return reply;
}

// Sets the life of transactions. Returns the reply.
CommandReply SetTransactionLifetime(CommandContext& context, const model::ElementView& value) {
  constexpr std::string_view kName = "transactionLifetimeLimitSeconds";
  const auto seconds = AsWhole(value);
  if (!seconds.has_value()) {
    return Refuse(
        ErrorCode::kBadValue,
        fmt::format("Failed validating {}: Unable to coerce value to integral type", kName));
  }
  if (*seconds < 1 || *seconds > INT32_MAX) {
    return Refuse(
        ErrorCode::kBadValue,
        fmt::format("Invalid value for parameter {}: {} is not {} than or equal to {}", kName,
                    *seconds, *seconds < 1 ? "greater" : "less", *seconds < 1 ? 1 : INT32_MAX));
  }
  SessionRegistry& sessions = context.services.sessions;
  model::DocumentBuilder reply;
  AppendCount(reply, "was", sessions.transaction_lifetime().count());
  sessions.set_transaction_lifetime(std::chrono::seconds(*seconds));
  return reply;
}

CommandReply SetParameter(CommandContext& context) {
  for (const model::ElementView field : context.body()) {
    const std::string_view name = field.name();
    if (name == "setParameter" || name == "comment" || name == "lsid" || name.starts_with('$'))
      continue;
    if (name == "transactionLifetimeLimitSeconds") return SetTransactionLifetime(context, field);
    return Refuse(ErrorCode::kInvalidOptions,
                  fmt::format("attempted to set unrecognized parameter [{}], use help:true to see "
                              "options ",
                              name));
  }
  return Refuse(ErrorCode::kInvalidOptions,
                "no option found to set, use help:true to see options ");
}

}  // namespace

std::vector<CommandEntry> InspectionCommands() {
  return {{.name = "validate", .action = Action::kRead, .handler = Validate},
          {.name = "dataSize", .action = Action::kRead, .handler = DataSize},
          {.name = "datasize", .action = Action::kRead, .handler = DataSize},
          {.name = "profile", .action = Action::kRead, .handler = Profile},
          {.name = "setParameter",
           .action = Action::kManage,
           .handler = SetParameter,
           .admin_only = true}};
}

}  // namespace orrery::mongo
