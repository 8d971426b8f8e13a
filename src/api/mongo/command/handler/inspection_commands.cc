// validate and dataSize, which read whole collections, profile and setParameter.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "api/mongo/command/command_table.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/command/operation/profiler.h"
#include "api/mongo/command/operation/server_parameters.h"
#include "api/mongo/command/write_reply.h"
#include "api/mongo/executor/read/collection_scan.h"
#include "api/mongo/executor/read/key_range.h"
#include "model/document/document.h"
#include "model/number/number.h"

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
  MONGO_TRY(fields.CheckKnown({"full", "scandata", "background", "repair", "metadata",
                               "enforceFastCount", "checkBSONConformance"}));
  MONGO_ASSIGN(const Namespace name, context.command.CollectionOf());
  MONGO_TRY(context.services.collections.RefuseView(name));
  MONGO_TRY(fields.Flag("repair"));  // there is nothing that it could mend
  MONGO_ASSIGN(const bool is_full, fields.Flag("full"));
  MONGO_ASSIGN(const bool in_background, fields.Flag("background"));
  if (is_full && in_background) {
    return Refuse(ErrorCode::kInvalidOptions,
                  "Running the validate command with both { background: true } and { full: true } "
                  "is not supported.");
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

// The keys between `min` and `max`, of an index that begins with `keyPattern`, or with what they
// name.
Answer<std::optional<KeyRange>> SizedRange(const CommandContext& context,
                                           const Collection* collection) {
  const Fields fields(context.body(), "dataSize");
  MONGO_ASSIGN(const auto min, fields.Object("min"));
  MONGO_ASSIGN(const auto max, fields.Object("max"));
  MONGO_ASSIGN(const auto pattern, fields.Object("keyPattern"));
  const bool has_min = min.has_value() && !min->empty();
  const bool has_max = max.has_value() && !max->empty();
  if (has_min != has_max) {
    return Refuse(ErrorCode::kBadValue,
                  has_min ? "max must be set if min is set" : "min must be set if max is set");
  }
  if (!has_min || collection == nullptr) return std::nullopt;
  const model::DocumentView names = pattern.has_value() && !pattern->empty() ? *pattern : *min;
  model::DocumentBuilder by_id;
  by_id.AppendInt32("_id", 1);
  std::vector<model::Document> keys = {std::move(by_id).Finish()};
  for (const IndexSpec& index : collection->indexes)
    if (!index.is_text() && !index.is_wildcard()) keys.push_back(index.key);
  for (const model::Document& key : keys) {
    model::DocumentBuilder part;  // the fields of the key that are named
    auto at = key.view().begin();
    bool fits = true;
    for (const model::ElementView field : names) {
      fits = fits && at != key.view().end() && (*at).name() == field.name();
      if (!fits) break;
      part.Append((*at).name(), *at);
      ++at;
    }
    if (!fits) continue;
    const model::Document prefix = std::move(part).Finish();
    MONGO_ASSIGN(KeyRange range, KeyRange::Make(prefix, min, max));
    return range;
  }
  return Refuse(ErrorCode::kOperationFailed, "couldn't find valid index containing key pattern");
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
  const CollectionPtr collection = context.services.collections.Find(name);
  MONGO_ASSIGN(const std::optional<KeyRange> range, SizedRange(context, collection.get()));
  const Micros started = context.services.clock.Monotonic();
  int64_t bytes = 0;
  int64_t documents = 0;
  if (collection != nullptr) {
    MONGO_TRY(ForEachDocument(context, collection, [&](const model::Document& document) {
      if (range.has_value() && !range->KeyIn(document, nullptr).has_value()) return;
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

std::unexpected<MongoError> WrongNumber(std::string_view field, const model::ElementView& value) {
  return Refuse(ErrorCode::kTypeMismatch,
                fmt::format("BSON field 'profile.{}' is the wrong type '{}', expected types "
                            "'[long, int, decimal, double]'",
                            field, TypeNameOf(value)));
}

Answer<std::optional<double>> NumberOption(model::DocumentView body, std::string_view name) {
  const auto found = body.Find(name);
  if (!found.has_value()) return std::nullopt;
  if (!found->ToValue().is_number()) return WrongNumber(name, *found);
  return model::ToDouble(found->ToValue());
}

// The value of `filter`: that of records, or "unset".
Answer<MatcherPtr> ProfileFilter(const model::ElementView& filter) {
  if (filter.kind() == model::Kind::kString && filter.AsString() == "unset") return nullptr;
  if (filter.kind() != model::Kind::kObject)
    return Refuse(ErrorCode::kBadValue, "Expected an object, or the string 'unset'.");
  return Matcher::Parse(filter.AsDocument(), std::make_shared<const QueryContext>(),
                        {.near = false, .text = false, .where = false});
}

CommandReply Profile(CommandContext& context) {
  if (!context.command.target().ToValue().is_number())
    return WrongNumber("profile", context.command.target());
  const double level = std::trunc(model::ToDouble(context.command.target().ToValue()));
  MONGO_ASSIGN(const auto slow_ms, NumberOption(context.body(), "slowms"));
  MONGO_ASSIGN(const auto sample_rate, NumberOption(context.body(), "sampleRate"));
  if (sample_rate.has_value() && !(*sample_rate >= 0 && *sample_rate <= 1)) {
    return Refuse(ErrorCode::kBadValue, "'sampleRate' must be between 0.0 and 1.0 inclusive");
  }
  Profiler fallback;
  Profiler& profiler = context.services.profiler == nullptr ? fallback : *context.services.profiler;
  ProfileSettings was = profiler.SettingsOf(context.database());
  ProfileSettings wanted = was;
  if (slow_ms.has_value()) wanted.slow_ms = static_cast<int64_t>(std::clamp(*slow_ms, -1e9, 1e9));
  if (sample_rate.has_value()) wanted.sample_rate = *sample_rate;
  if (const auto filter = context.body().Find("filter")) {
    MONGO_ASSIGN(wanted.filter, ProfileFilter(*filter));
  }
  const bool is_level = level >= 0 && level <= 2;
  if (is_level || slow_ms.has_value() || sample_rate.has_value() ||
      context.body().Find("filter").has_value()) {
    MONGO_TRY(CheckMay(context, Action::kAdminister, context.database()));
    if (is_level) wanted.level = static_cast<int>(level);
    was = profiler.Set(context.database(), wanted);
  }
  model::DocumentBuilder reply;
  reply.AppendInt32("was", was.level);
  AppendCount(reply, "slowms", was.slow_ms);
  reply.AppendDouble("sampleRate", was.sample_rate);
  if (was.filter != nullptr) reply.AppendDocument("filter", was.filter->filter());
  if (was.filter != nullptr || wanted.filter != nullptr) {
    reply.AppendString("note",
                       "When a filter expression is set, slowms and sampleRate are not used for "
                       "profiling and slow-query log lines.");
  }
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
  std::optional<model::Value> was;
  for (const model::ElementView field : context.body()) {
    const std::string_view name = field.name();
    if (name == "setParameter" || name == "comment" || name == "lsid" || name == "maxTimeMS" ||
        name == "apiVersion" || name == "apiStrict" || name == "apiDeprecationErrors" ||
        name.starts_with('$'))
      continue;
    if (name == "transactionLifetimeLimitSeconds") return SetTransactionLifetime(context, field);
    ServerParameters none;
    ServerParameters& parameters =
        context.services.parameters == nullptr ? none : *context.services.parameters;
    MONGO_ASSIGN(model::Value former, parameters.Set(name, field.ToValue()));
    if (!was.has_value()) was = std::move(former);
  }
  if (!was.has_value()) {
    return Refuse(ErrorCode::kInvalidOptions,
                  "no option found to set, use help:true to see options ");
  }
  model::DocumentBuilder reply;
  reply.Append("was", *was);
  return reply;
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
