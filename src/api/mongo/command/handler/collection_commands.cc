// create, drop, dropDatabase, listCollections and listDatabases, collMod.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "api/mongo/catalog/capped_form.h"
#include "api/mongo/catalog/collation.h"
#include "api/mongo/catalog/collection_forms.h"
#include "api/mongo/command/command_table.h"
#include "api/mongo/command/cursor_reply.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/command/operation/profiler.h"
#include "api/mongo/command/query_arguments.h"
#include "api/mongo/command/write_reply.h"
#include "api/mongo/executor/read/collection_size.h"
#include "api/mongo/language/match/matcher.h"
#include "api/mongo/language/pipeline/pipeline.h"

namespace orrery::mongo {
namespace {

// Options of create that are kept and shown.
constexpr std::array<std::string_view, 7> kKeptOptions = {"validator",
                                                          "validationLevel",
                                                          "validationAction",
                                                          "collation",
                                                          "viewOn",
                                                          "pipeline",
                                                          "changeStreamPreAndPostImages"};

Outcome CheckEnum(const Fields& fields, std::string_view name,
                  std::initializer_list<std::string_view> allowed) {
  MONGO_ASSIGN(const std::optional<std::string> text, fields.Text(name));
  if (!text.has_value() || std::ranges::find(allowed, *text) != allowed.end()) return {};
  return Refuse(
      ErrorCode::kBadValue,
      fmt::format("Enumeration value '{}' for field '{}' is not a valid value.", *text, name));
}

// The form of a collection: a time series, a clustered one, or neither.
Outcome AppendForm(model::DocumentView given, const Namespace& name,
                   model::DocumentBuilder& options) {
  if (const auto series = given.Find("timeseries")) {
    MONGO_ASSIGN(const model::Document kept, ReadTimeSeries(*series, name));
    options.AppendDocument("timeseries", kept);
  }
  if (const auto clustered = given.Find("clusteredIndex")) {
    MONGO_ASSIGN(const model::Document kept, ReadClusteredIndex(*clustered));
    options.AppendDocument("clusteredIndex", kept);
  }
  if (const auto seconds = given.Find("expireAfterSeconds"))
    options.Append("expireAfterSeconds", *seconds);
  return {};
}

std::unexpected<MongoError> OutOfBounds(std::string_view name, std::string_view bound,
                                        int64_t value) {
  return Refuse(51024, fmt::format("BSON field '{}' value must be {}, actual value '{}'", name,
                                   bound, value));
}

Answer<std::optional<int64_t>> ReadCappedSize(const Fields& fields, std::string_view name) {
  constexpr int64_t kSizeMax = int64_t{1} << 50;
  MONGO_ASSIGN(const std::optional<int64_t> size, fields.Integer(name));
  if (!size.has_value()) return std::nullopt;
  if (*size < 1) return OutOfBounds(name, ">= 1", *size);
  if (*size > kSizeMax) return OutOfBounds(name, fmt::format("<= {}", kSizeMax), *size);
  return RoundedCappedSize(*size);
}

Answer<std::optional<int64_t>> ReadCappedMax(const Fields& fields, std::string_view name) {
  constexpr int64_t kMaxBelow = int64_t{1} << 31;
  MONGO_ASSIGN(const std::optional<int64_t> most, fields.Integer(name));
  if (!most.has_value()) return std::nullopt;
  if (*most >= kMaxBelow) return OutOfBounds(name, fmt::format("< {}", kMaxBelow), *most);
  return KeptCappedMax(*most);
}

Outcome AppendCapped(const Fields& fields, const Namespace& name, model::DocumentBuilder& options) {
  MONGO_ASSIGN(const bool is_capped, fields.Flag("capped"));
  MONGO_ASSIGN(const std::optional<int64_t> size, ReadCappedSize(fields, "size"));
  MONGO_ASSIGN(const std::optional<int64_t> most, ReadCappedMax(fields, "max"));
  if (!is_capped) {
    if (!size.has_value() && !most.has_value()) return {};
    return Refuse(ErrorCode::kInvalidOptions,
                  "the 'capped' field needs to be true when either the 'size' or 'max' fields are "
                  "present");
  }
  if (fields.document().Find("viewOn").has_value()) return {};
  if (!size.has_value()) {
    return Refuse(ErrorCode::kInvalidOptions, "the 'size' field is required when 'capped' is true");
  }
  if (fields.document().Find("timeseries").has_value()) {
    return Refuse(ErrorCode::kInvalidOptions,
                  fmt::format("{}: 'timeseries' is not allowed with 'capped'", name.ToString()));
  }
  if (fields.document().Find("clusteredIndex").has_value()) {
    return Refuse(6049200,
                  "'size' field for capped collections is not allowed on clustered collections. "
                  "Did you mean 'capped: true' with 'expireAfterSeconds'?");
  }
  options.AppendBool("capped", true);
  AppendCount(options, "size", *size);
  if (most.has_value()) AppendCount(options, "max", *most);
  return {};
}

Answer<model::Document> ReadOptions(const Fields& fields, const Namespace& name) {
  MONGO_TRY(CheckEnum(fields, "validationLevel", {"off", "strict", "moderate"}));
  MONGO_TRY(CheckEnum(fields, "validationAction", {"error", "warn"}));
  MONGO_ASSIGN(const auto validator, fields.Object("validator"));
  MONGO_ASSIGN(const auto collation, fields.Object("collation"));
  model::DocumentBuilder options;
  MONGO_TRY(AppendCapped(fields, name, options));
  for (const model::ElementView field : fields.document()) {
    if (std::ranges::find(kKeptOptions, field.name()) == kKeptOptions.end()) continue;
    if (field.name() == "collation" && collation.has_value()) {
      MONGO_TRY(ParseCollation(*collation));
      MONGO_ASSIGN(const model::Document full, FullCollation(*collation));
      if (full.view().Get("locale") != model::Value::String("simple"))
        options.AppendDocument("collation", full);
    } else {
      options.Append(field.name(), field);
    }
  }
  MONGO_TRY(AppendForm(fields.document(), name, options));
  model::Document made = std::move(options).Finish();
  if (validator.has_value()) MONGO_TRY(Validator::Make(made));
  return made;
}

Answer<std::vector<model::Document>> ReadViewPipeline(const CommandContext& context,
                                                      model::DocumentView given) {
  std::vector<model::Document> pipeline;
  for (const model::ElementView stage : given) {
    if (stage.kind() != model::Kind::kObject)
      return Refuse(ErrorCode::kTypeMismatch,
                    "Each element of the 'pipeline' array must be an object");
    pipeline.push_back(model::Document::Trusted(std::string(stage.AsDocument().bson())));
  }
  MONGO_ASSIGN(const QueryContextPtr query,
               ContextOf(context, Fields(context.body(), "view"), nullptr));
  MONGO_TRY(Pipeline::Parse(pipeline, query));
  return pipeline;
}

CommandReply CreateView(CommandContext& context, const Namespace& name, std::string on,
                        const Fields& fields, const model::Document& options) {
  View view{.name = name, .on = std::move(on), .pipeline = {}, .options = options};
  MONGO_ASSIGN(const auto pipeline, fields.Array("pipeline"));
  if (pipeline.has_value()) {
    MONGO_ASSIGN(view.pipeline, ReadViewPipeline(context, *pipeline));
  }
  MONGO_TRY(context.services.collections.CreateView(view));
  return model::DocumentBuilder();
}

CommandReply Create(CommandContext& context) {
  const Fields fields(context.body(), "create");
  MONGO_TRY(fields.CheckKnown({"capped",
                               "autoIndexId",
                               "idIndex",
                               "size",
                               "max",
                               "storageEngine",
                               "validator",
                               "validationLevel",
                               "validationAction",
                               "indexOptionDefaults",
                               "viewOn",
                               "pipeline",
                               "collation",
                               "writeConcern",
                               "timeseries",
                               "expireAfterSeconds",
                               "clusteredIndex",
                               "changeStreamPreAndPostImages",
                               "temp",
                               "flags",
                               "encryptedFields"}));
  MONGO_ASSIGN(const Namespace name, context.command.CollectionOf());
  MONGO_TRY(CheckNewCollectionName(name));
  MONGO_TRY(CheckTimeSeriesOptions(context.body(), name));
  MONGO_ASSIGN(const model::Document options, ReadOptions(fields, name));
  MONGO_ASSIGN(std::optional<std::string> on, fields.Text("viewOn"));
  if (on.has_value()) return CreateView(context, name, *std::move(on), fields, options);
  // To create what is there with the same options does nothing.
  const CollectionPtr there = context.services.collections.Find(name);
  if (there != nullptr && there->options == options) return model::DocumentBuilder();
  MONGO_TRY(context.services.collections.Create({.name = name, .options = options}));
  return model::DocumentBuilder();
}

CommandReply Drop(CommandContext& context) {
  MONGO_ASSIGN(const Namespace name, context.command.CollectionOf());
  const CollectionPtr there = context.services.collections.Find(name);
  if (name.collection == kProfileCollection && context.services.profiler != nullptr &&
      context.services.profiler->Drop(name.database)) {
    model::DocumentBuilder dropped;
    dropped.AppendInt32("nIndexesWas", 0).AppendString("ns", name.ToString());
    return dropped;
  }
  MONGO_ASSIGN(const bool was_there, context.services.collections.Drop(name));
  model::DocumentBuilder reply;
  if (!was_there) return reply;  // as a 7.0 server: not an error
  if (there != nullptr)
    reply.AppendInt32("nIndexesWas", static_cast<int32_t>(there->indexes.size() + 1));
  reply.AppendString("ns", name.ToString());
  return reply;
}

CommandReply DropDatabase(CommandContext& context) {
  MONGO_TRY(CheckDatabaseName(context.database()));
  if (context.database() == "admin" || context.database() == "config" ||
      context.database() == "local") {
    return Refuse(ErrorCode::kIllegalOperation,
                  fmt::format("Dropping the '{}' database is prohibited.", context.database()));
  }
  MONGO_ASSIGN(const bool was_there, context.services.collections.DropDatabase(context.database()));
  model::DocumentBuilder reply;
  if (was_there) reply.AppendString("dropped", context.database());
  return reply;
}

// Returns whether an entry of a list is wanted.
Answer<MatcherPtr> ListFilter(const CommandContext& context, const Fields& fields) {
  MONGO_ASSIGN(const auto filter, fields.Object("filter"));
  MONGO_ASSIGN(const QueryContextPtr query, ContextOf(context, fields, nullptr));
  return FilterOf(filter, query);
}

CommandReply ListCollections(CommandContext& context) {
  const Fields fields(context.body(), "listCollections");
  MONGO_TRY(fields.CheckKnown({"filter", "nameOnly", "authorizedCollections", "cursor"}));
  MONGO_TRY(CheckDatabaseName(context.database()));
  MONGO_ASSIGN(const bool names_only, fields.Flag("nameOnly"));
  MONGO_ASSIGN(const MatcherPtr filter, ListFilter(context, fields));
  std::vector<model::Document> rows;
  const auto add = [&](model::Document row) -> Outcome {
    if (filter != nullptr) {
      MONGO_ASSIGN(const bool wanted, filter->Matches(row));
      if (!wanted) return {};
    }
    rows.push_back(std::move(row));
    return {};
  };
  for (const CollectionPtr& collection :
       context.services.collections.ListCollections(context.database())) {
    model::DocumentBuilder row;
    const bool is_series = IsTimeSeries(*collection);
    row.AppendString("name", collection->name.collection);
    row.AppendString("type", is_series ? "timeseries" : "collection");
    if (!names_only) {
      row.AppendDocument("options", collection->options);
      row.OpenObject("info").AppendBool("readOnly", false);
      if (!is_series) row.Append("uuid", collection->uuid);
      row.Close();
      const bool is_clustered = collection->Option("clusteredIndex").has_value();
      if (!is_series && !is_clustered) row.AppendDocument("idIndex", IdIndexSpec());
    }
    MONGO_TRY(add(std::move(row).Finish()));
  }
  if (context.services.profiler != nullptr &&
      context.services.profiler->Records(context.database()).has_value()) {
    model::DocumentBuilder row;
    row.AppendString("name", kProfileCollection).AppendString("type", "collection");
    if (!names_only) {
      row.OpenObject("options").AppendBool("capped", true);
      row.AppendInt32("size", static_cast<int32_t>(kProfileBytesMax)).Close();
      row.OpenObject("info").AppendBool("readOnly", false).Close();
    }
    MONGO_TRY(add(std::move(row).Finish()));
  }
  for (const View& view : context.services.collections.ListViews(context.database())) {
    model::DocumentBuilder row;
    row.AppendString("name", view.name.collection).AppendString("type", "view");
    if (!names_only) {
      row.AppendDocument("options", view.options);
      row.OpenObject("info").AppendBool("readOnly", true).Close();
    }
    MONGO_TRY(add(std::move(row).Finish()));
  }
  return KnownBatch(context, context.database() + ".$cmd.listCollections", std::move(rows));
}

CommandReply ListDatabases(CommandContext& context) {
  const Fields fields(context.body(), "listDatabases");
  MONGO_TRY(fields.CheckKnown({"filter", "nameOnly", "authorizedDatabases"}));
  MONGO_ASSIGN(const bool names_only, fields.Flag("nameOnly"));
  MONGO_ASSIGN(const MatcherPtr filter, ListFilter(context, fields));
  model::DocumentBuilder reply;
  reply.OpenArray("databases");
  size_t count = 0;
  int64_t total = 0;
  for (const DatabaseInfo& database : context.services.collections.ListDatabases()) {
    model::DocumentBuilder row;
    row.AppendString("name", database.name);
    int64_t bytes = 0;
    if (!names_only) {
      for (const CollectionPtr& collection :
           context.services.collections.ListCollections(database.name))
        bytes += SizeOf(context.services.gateway, *collection->container).bytes;
      row.AppendInt64("sizeOnDisk", bytes);
      row.AppendBool("empty", database.collections == 0);
    }
    const model::Document made = std::move(row).Finish();
    if (filter != nullptr) {
      MONGO_ASSIGN(const bool wanted, filter->Matches(made));
      if (!wanted) continue;
    }
    total += bytes;
    reply.AppendDocument(std::to_string(count++), made);
  }
  reply.Close();
  if (!names_only) {
    reply.AppendInt64("totalSize", total).AppendInt64("totalSizeMb", total >> 20);
  }
  return reply;
}

// Options with some replaced.
model::Document MergedOptions(model::DocumentView former, model::DocumentView changes) {
  model::DocumentBuilder merged;
  const auto append = [&](const model::ElementView& field) {
    const bool is_empty = field.kind() == model::Kind::kObject && field.AsDocument().empty();
    if (!is_empty) merged.Append(field.name(), field);
  };
  for (const model::ElementView field : former) append(changes.Find(field.name()).value_or(field));
  for (const model::ElementView field : changes) {
    if (!former.Find(field.name()).has_value()) append(field);
  }
  return std::move(merged).Finish();
}

// Changes of an index: hidden and expireAfterSeconds.
Answer<model::DocumentBuilder> ChangeIndex(CommandContext& context, CollectionPtr& collection,
                                           model::DocumentView change) {
  const Fields fields(change, "collMod.index", Fields::Of::kPart);
  MONGO_ASSIGN(const std::optional<std::string> name, fields.Text("name"));
  MONGO_ASSIGN(const auto key, fields.Object("keyPattern"));
  std::vector<IndexSpec> indexes = collection->indexes;
  const auto found = std::ranges::find_if(indexes, [&](const IndexSpec& index) {
    if (name.has_value()) return index.name == *name;
    return key.has_value() &&
           model::Equivalent(index.key.view().ToObject(), key->ToObject(), model::Order::kMongo);
  });
  if (found == indexes.end()) {
    return Refuse(ErrorCode::kIndexNotFound,
                  fmt::format("cannot find index {} for ns {}", name.value_or("by its key"),
                              collection->name.ToString()));
  }
  model::DocumentBuilder reply;
  model::DocumentBuilder spec;
  for (const model::ElementView field : found->spec.view()) {
    if (field.name() != "hidden" && field.name() != "expireAfterSeconds")
      spec.Append(field.name(), field);
  }
  if (const auto seconds = change.Find("expireAfterSeconds")) {
    if (const auto former = found->spec.view().Find("expireAfterSeconds"))
      reply.AppendInt64("expireAfterSeconds_old", AsWhole(*former).value_or(0));
    reply.AppendInt64("expireAfterSeconds_new", AsWhole(*seconds).value_or(0));
    spec.Append("expireAfterSeconds", *seconds);
  } else if (const auto former = found->spec.view().Find("expireAfterSeconds")) {
    spec.Append("expireAfterSeconds", *former);
  }
  if (const auto hidden = change.Find("hidden")) {
    const bool is_hidden = AsFlag(*hidden).value_or(false);
    reply.AppendBool("hidden_old", found->is_hidden()).AppendBool("hidden_new", is_hidden);
    if (is_hidden) spec.AppendBool("hidden", true);
  } else if (found->is_hidden()) {
    spec.AppendBool("hidden", true);
  }
  found->spec = std::move(spec).Finish();
  MONGO_ASSIGN(collection, context.services.collections.SetIndexes(*collection, indexes));
  return reply;
}

// The options that collMod changes, as they are kept.
Answer<model::Document> ReadChanges(const Fields& fields, const Collection& collection) {
  model::DocumentBuilder plain;
  for (const model::ElementView field : fields.document()) {
    if (field.name() != "timeseries" && field.name() != "expireAfterSeconds" &&
        field.name() != "cappedSize" && field.name() != "cappedMax")
      plain.Append(field.name(), field);
  }
  const model::Document others = std::move(plain).Finish();
  MONGO_ASSIGN(const model::Document options,
               ReadOptions(Fields(others, "collMod"), collection.name));
  model::DocumentBuilder changes;
  for (const model::ElementView field : options.view()) changes.Append(field.name(), field);
  MONGO_ASSIGN(const std::optional<int64_t> size, ReadCappedSize(fields, "cappedSize"));
  MONGO_ASSIGN(const std::optional<int64_t> most, ReadCappedMax(fields, "cappedMax"));
  if ((size.has_value() || most.has_value()) && collection.form != DocumentForm::kCapped)
    return Refuse(ErrorCode::kInvalidOptions, "Collection must be capped.");
  if (size.has_value()) AppendCount(changes, "size", *size);
  if (most.has_value()) AppendCount(changes, "max", *most);
  MONGO_ASSIGN(const auto series, fields.Object("timeseries"));
  const auto kept = collection.Option("timeseries");
  if (series.has_value()) {
    if (!kept.has_value() || kept->kind() != model::Kind::kObject) {
      return Refuse(ErrorCode::kInvalidOptions,
                    "option only supported on a time-series collection: timeseries");
    }
    MONGO_ASSIGN(const model::Document changed, ChangeTimeSeries(kept->AsDocument(), *series));
    changes.AppendDocument("timeseries", changed);
  }
  if (const auto seconds = fields.document().Find("expireAfterSeconds")) {
    const bool is_off = seconds->kind() == model::Kind::kString && seconds->AsString() == "off";
    if (!is_off && !seconds->ToValue().is_number()) {
      return Refuse(ErrorCode::kTypeMismatch,
                    "BSON field 'collMod.expireAfterSeconds' must be a number or 'off'");
    }
    if (!kept.has_value() && !collection.Option("clusteredIndex").has_value()) {
      return Refuse(ErrorCode::kInvalidOptions,
                    "'expireAfterSeconds' is only supported on time-series collections or when "
                    "the 'clusteredIndex' option is specified");
    }
    // An empty object takes an option away.
    if (is_off) {
      changes.OpenObject("expireAfterSeconds").Close();
    } else {
      changes.Append("expireAfterSeconds", *seconds);
    }
  }
  return std::move(changes).Finish();
}

// collMod of a view: what it is over, and its stages.
CommandReply ChangeView(CommandContext& context, const View& former, const Fields& fields) {
  for (const model::ElementView field : fields.document()) {
    for (const std::string_view other :
         {"index", "validator", "validationLevel", "validationAction", "expireAfterSeconds",
          "changeStreamPreAndPostImages", "timeseries", "cappedSize", "cappedMax"}) {
      if (field.name() != other) continue;
      return Refuse(ErrorCode::kInvalidOptions,
                    fmt::format("option not supported on a view: {}", other));
    }
  }
  MONGO_ASSIGN(const std::optional<std::string> on, fields.Text("viewOn"));
  View view{.name = former.name, .on = on.value_or(former.on), .pipeline = {}, .options = {}};
  MONGO_ASSIGN(const auto given, fields.Array("pipeline"));
  if (given.has_value()) {
    MONGO_ASSIGN(view.pipeline, ReadViewPipeline(context, *given));
  } else {
    view.pipeline = former.pipeline;
  }
  model::DocumentBuilder options;
  options.AppendString("viewOn", view.on).OpenArray("pipeline");
  for (size_t i = 0; i < view.pipeline.size(); ++i)
    options.AppendDocument(std::to_string(i), view.pipeline[i]);
  options.Close();
  if (const auto collation = former.collation()) options.AppendDocument("collation", *collation);
  view.options = std::move(options).Finish();
  MONGO_TRY(context.services.collections.ChangeView(view));
  return model::DocumentBuilder();
}

CommandReply CollMod(CommandContext& context) {
  const Fields fields(context.body(), "collMod");
  MONGO_TRY(fields.CheckKnown({"index", "validator", "validationLevel", "validationAction",
                               "changeStreamPreAndPostImages", "expireAfterSeconds", "timeseries",
                               "cappedSize", "cappedMax", "viewOn", "pipeline"}));
  MONGO_ASSIGN(const Namespace name, context.command.CollectionOf());
  if (const auto view = context.services.collections.FindView(name))
    return ChangeView(context, *view, fields);
  CollectionPtr collection = context.services.collections.Find(name);
  if (collection == nullptr) return Refuse(ErrorCode::kNamespaceNotFound, "ns does not exist");
  for (const std::string_view option : {"pipeline", "viewOn"}) {
    if (!fields.document().Find(option).has_value()) continue;
    return Refuse(ErrorCode::kInvalidOptions,
                  fmt::format("option only supported on a view: {}", option));
  }
  model::DocumentBuilder reply;
  MONGO_ASSIGN(const auto index, fields.Object("index"));
  if (index.has_value()) {
    MONGO_ASSIGN(reply, ChangeIndex(context, collection, *index));
  }
  MONGO_ASSIGN(const model::Document changes, ReadChanges(fields, *collection));
  if (!changes.view().empty()) {
    const model::Document merged = MergedOptions(collection->options, changes);
    MONGO_TRY(Validator::Make(merged));
    MONGO_TRY(context.services.collections.SetOptions(*collection, merged));
  }
  return reply;
}

}  // namespace

std::vector<CommandEntry> CollectionCommands() {
  return {{.name = "create", .action = Action::kWrite, .handler = Create},
          {.name = "drop", .action = Action::kWrite, .handler = Drop},
          {.name = "dropDatabase", .action = Action::kWrite, .handler = DropDatabase},
          {.name = "collMod", .action = Action::kWrite, .handler = CollMod},
          {.name = "listCollections", .action = Action::kRead, .handler = ListCollections},
          {.name = "listDatabases",
           .action = Action::kLogIn,
           .handler = ListDatabases,
           .admin_only = true}};
}

}  // namespace orrery::mongo
