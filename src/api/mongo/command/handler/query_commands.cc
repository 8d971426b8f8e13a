// find, aggregate, count and distinct.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "api/mongo/command/aggregate_run.h"
#include "api/mongo/command/command_table.h"
#include "api/mongo/command/cursor_reply.h"
#include "api/mongo/command/explain.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/command/find_arguments.h"
#include "api/mongo/command/operation/profiler.h"
#include "api/mongo/command/query_arguments.h"
#include "api/mongo/executor/read/find.h"
#include "api/mongo/executor/read/index_uses.h"
#include "api/mongo/executor/read/tail_rows.h"
#include "api/mongo/language/projection/projection_parser.h"
#include "api/mongo/language/value/field_path.h"
#include "model/key/key_codec.h"

namespace orrery::mongo {
namespace {

CommandReply Find(CommandContext& context) {
  MONGO_ASSIGN(const Namespace name, context.command.CollectionOf());
  MONGO_ASSIGN(FindArguments arguments, ReadFind(context, context.body(), name));
  if (arguments.view_pipeline.has_value()) {
    return RunAggregate(context, {.name = name,
                                  .read_name = arguments.read_name,
                                  .pipeline = *std::move(arguments.view_pipeline),
                                  .query = arguments.request.context,
                                  .batch = arguments.batch});
  }
  auto state = std::make_shared<RunState>();
  std::unique_ptr<RowSource> rows;
  if (arguments.request.collection == nullptr) {
    rows = std::make_unique<KnownRows>(std::vector<model::Document>());
  } else if (arguments.is_tailable) {
    auto tail = std::make_shared<TailRows>(context.services.gateway, std::move(arguments.request),
                                           arguments.awaits_data, state);
    rows = std::make_unique<TailRowSource>(tail);
    return FirstBatch(context,
                      std::make_unique<CursorRun>(name.ToString(), std::move(rows), state, nullptr,
                                                  std::move(tail)),
                      arguments.batch);
  } else {
    rows = OpenFind(context.services.gateway, std::move(arguments.request), state);
  }
  return FirstBatch(context, std::make_unique<CursorRun>(name.ToString(), std::move(rows), state),
                    arguments.batch);
}

// A find of one `_id` that the event loop may answer: {find, filter: {_id: value}} and little else.
struct PointFind {
  CollectionPtr collection;
  model::Value id;
  Namespace name;
};

std::optional<PointFind> AsPointFind(const CommandContext& context) {
  std::optional<model::ElementView> filter;
  for (const model::ElementView field : context.body()) {
    const std::string_view name = field.name();
    if (name == "filter") {
      filter = field;
    } else if (name != "find" && name != "limit" && name != "singleBatch" && name != "batchSize" &&
               name != "$db" && name != "lsid" && name != "$clusterTime" &&
               name != "$readPreference" && name != "comment") {
      return std::nullopt;
    }
    if (name == "batchSize" && AsWhole(field).value_or(1) == 0) return std::nullopt;
  }
  if (!filter.has_value() || filter->kind() != model::Kind::kObject) return std::nullopt;
  const model::DocumentView conditions = filter->AsDocument();
  if (conditions.empty()) return std::nullopt;
  const model::ElementView first = *conditions.begin();
  if (first.name() != "_id" || std::next(conditions.begin()) != conditions.end())
    return std::nullopt;
  switch (first.kind()) {
    case model::Kind::kObjectId:
    case model::Kind::kString:
    case model::Kind::kInt32:
    case model::Kind::kInt64:
    case model::Kind::kBinary:
      break;
    default:
      return std::nullopt;
  }
  if (context.command.target().kind() != model::Kind::kString) return std::nullopt;
  PointFind found;
  found.name = {context.database(), std::string(context.command.target().AsString())};
  found.collection = context.services.collections.Find(found.name);
  if (found.collection == nullptr || found.collection->is_sharded() ||
      found.collection->form != DocumentForm::kMongo ||
      found.collection->Option("collation").has_value())
    return std::nullopt;
  found.id = first.ToValue();
  return found;
}

bool StartFind(const std::shared_ptr<CommandContext>& context, CommandDone& done) {
  const auto point = AsPointFind(*context);
  if (!point.has_value()) return false;
  gateway::ReadResponse read = context->services.gateway.Read(
      point->collection->container, {}, point->id, storage::ReadMode::kCachedOnly);
  const bool is_absent = !read.status.has_value() && read.status.error().code() == Code::kNotFound;
  if (!read.status.has_value() && !is_absent) return false;
  context->charge += read.charge;
  context->use = {.has_read = true,
                  .keys_examined = is_absent ? 0U : 1U,
                  .documents_examined = is_absent ? 0U : 1U,
                  .returned = is_absent ? 0 : 1};
  if (IndexUses* const uses = context->services.index_uses; uses != nullptr)
    uses->CountIndexUse(point->name.ToString(), kIdIndexName);
  model::DocumentBuilder reply;
  // With the names and the ends around the document.
  constexpr size_t kAroundBytes = 128;
  const std::string ns = point->name.ToString();
  reply.Reserve(kAroundBytes + ns.size() + (is_absent ? 0 : read.item.document.bson().size()));
  reply.OpenObject("cursor").OpenArray("firstBatch");
  if (!is_absent) reply.AppendDocument("0", read.item.document);
  reply.Close().AppendInt64("id", 0).AppendString("ns", ns).Close();
  done(std::move(reply));
  return true;
}

CommandReply Aggregate(CommandContext& context) {
  const Fields fields(context.body(), "aggregate");
  MONGO_TRY(fields.CheckKnown({"pipeline", "cursor", "explain", "allowDiskUse", "hint", "let",
                               "collation", "bypassDocumentValidation", "fromMongos", "needsMerge",
                               "requestReshardingResumeToken", "exchange", "isMapReduceCommand",
                               "collectionUUID"}));
  MONGO_ASSIGN(AggregateArguments arguments, ReadAggregate(context, context.body()));
  MONGO_ASSIGN(const bool is_explained, fields.Flag("explain"));
  if (is_explained) return ExplainAggregate(context, std::move(arguments));
  return RunAggregate(context, std::move(arguments));
}

// The rows of a count or distinct: of a collection, or of what a view makes of one.
Answer<std::unique_ptr<RowSource>> RowsOf(CommandContext& context, const Namespace& name,
                                          std::optional<model::DocumentView> filter,
                                          const Fields& fields,
                                          const std::shared_ptr<RunState>& state,
                                          std::shared_ptr<const void>& kept) {
  MONGO_ASSIGN(ResolvedName resolved, context.services.collections.Resolve(name));
  const CollectionPtr collection = context.services.collections.Find(resolved.name);
  MONGO_ASSIGN(const QueryContextPtr query, ContextOf(context, fields, resolved, collection.get()));
  MONGO_ASSIGN(MatcherPtr matcher, FilterOf(filter, query));
  if (matcher != nullptr && matcher->text() != nullptr && collection == nullptr)
    return Refuse(ErrorCode::kIndexNotFound, "text index required for $text query");
  if (resolved.name == name && name.collection != kProfileCollection) {
    if (collection == nullptr) return std::make_unique<KnownRows>(std::vector<model::Document>());
    MONGO_ASSIGN(const IndexHint hint, HintOf(context.body(), collection.get()));
    if (matcher != nullptr && matcher->near() != nullptr) {
      return OpenFind(
          context.services.gateway,
          {.collection = collection, .context = query, .filter = std::move(matcher), .hint = hint},
          state);
    }
    return std::make_unique<CollectionScan>(context.services.gateway,
                                            ScanRequest{.collection = collection,
                                                        .filter = std::move(matcher),
                                                        .rows_wanted = SIZE_MAX,
                                                        .hint = hint},
                                            state);
  }
  if (filter.has_value() && !filter->empty()) {
    model::DocumentBuilder match;
    match.AppendDocument("$match", *filter);
    resolved.pipeline.push_back(std::move(match).Finish());
  }
  MONGO_ASSIGN(OpenedAggregate opened, OpenAggregate(context,
                                                     {.name = name,
                                                      .read_name = resolved.name,
                                                      .pipeline = std::move(resolved.pipeline),
                                                      .query = query,
                                                      .batch = {}},
                                                     state));
  kept = std::move(opened.kept);
  return std::move(opened.rows);
}

CommandReply Count(CommandContext& context) {
  const Fields fields(context.body(), "count");
  MONGO_TRY(fields.CheckKnown(
      {"query", "limit", "skip", "hint", "collation", "fields", "collectionUUID"}));
  MONGO_ASSIGN(const Namespace name, context.command.CollectionOf());
  MONGO_ASSIGN(const auto filter, fields.Object("query"));
  MONGO_ASSIGN(const std::optional<int64_t> limit, fields.Integer("limit"));
  MONGO_ASSIGN(const std::optional<int64_t> skip, fields.Count("skip"));
  auto state = std::make_shared<RunState>();
  Attach(*state, context);
  std::shared_ptr<const void> kept;
  MONGO_ASSIGN(const auto rows, RowsOf(context, name, filter, fields, state, kept));
  // A negative limit is the same as a positive one.
  const int64_t most = limit.value_or(0) == 0 ? INT64_MAX : std::abs(*limit);
  int64_t count = -skip.value_or(0);
  while (count < most) {
    MONGO_ASSIGN(const std::optional<Row> row, rows->Next());
    if (!row.has_value()) break;
    ++count;
  }
  TakeCost(*state, context);
  model::DocumentBuilder reply;
  const int64_t n = std::max<int64_t>(count, 0);
  if (n <= INT32_MAX) {
    reply.AppendInt32("n", static_cast<int32_t>(n));
  } else {
    reply.AppendInt64("n", n);
  }
  return reply;
}

// The values that a dotted path leads to, arrays by their elements.
void CollectValues(const model::Value& value, std::span<const std::string> steps,
                   std::vector<model::Value>& found) {
  if (steps.empty()) {
    if (value.kind() == model::Kind::kArray) {
      for (const model::Value& element : value.AsValues()) found.push_back(element);
    } else {
      found.push_back(value);
    }
    return;
  }
  if (value.kind() == model::Kind::kObject) {
    if (const model::Value* inner = value.Find(steps.front()))
      CollectValues(*inner, steps.subspan(1), found);
  } else if (value.kind() == model::Kind::kArray) {
    // A number is a position in the array, not a field of its elements.
    if (const auto index = IndexOfStep(steps.front())) {
      if (*index < value.AsValues().size())
        CollectValues(value.AsValues()[*index], steps.subspan(1), found);
      return;
    }
    for (const model::Value& element : value.AsValues()) {
      if (element.kind() == model::Kind::kObject) CollectValues(element, steps, found);
    }
  }
}

CommandReply Distinct(CommandContext& context) {
  const Fields fields(context.body(), "distinct");
  MONGO_TRY(fields.CheckKnown({"key", "query", "collation", "hint", "collectionUUID"}));
  MONGO_ASSIGN(const Namespace name, context.command.CollectionOf());
  MONGO_ASSIGN(const std::string key, fields.RequiredText("key"));
  MONGO_TRY(CheckProjectionPath(key));
  MONGO_ASSIGN(const auto filter, fields.Object("query"));
  auto state = std::make_shared<RunState>();
  Attach(*state, context);
  std::shared_ptr<const void> kept;
  MONGO_ASSIGN(const auto rows, RowsOf(context, name, filter, fields, state, kept));
  const CollectionPtr collection = context.services.collections.Find(name);
  MONGO_ASSIGN(const ResolvedName resolved, context.services.collections.Resolve(name));
  MONGO_ASSIGN(const QueryContextPtr query, ContextOf(context, fields, resolved, collection.get()));
  const std::vector<std::string> steps = SplitPath(key);
  std::set<std::string> seen;
  std::vector<std::pair<model::Value, model::Value>> values;  // as compared, as found
  size_t bytes = 0;
  while (true) {
    MONGO_ASSIGN(const std::optional<Row> row, rows->Next());
    if (!row.has_value()) break;
    std::vector<model::Value> found;
    CollectValues(row->document.view().ToObject(), steps, found);
    for (model::Value& value : found) {
      model::Value compared =
          query->collator == nullptr ? value : Collated(value, *query->collator);
      std::string encoded;
      model::AppendKey(encoded, compared, model::Order::kMongo);
      bytes += encoded.size();
      if (bytes > kBatchBytesMax && !seen.contains(encoded))
        return Refuse(17217, "distinct too big, 16mb cap");
      if (seen.insert(std::move(encoded)).second)
        values.emplace_back(std::move(compared), std::move(value));
    }
  }
  TakeCost(*state, context);
  std::ranges::sort(values, [](const auto& a, const auto& b) {
    return model::Compare(a.first, b.first, model::Order::kMongo) < 0;
  });
  model::DocumentBuilder reply;
  reply.OpenArray("values");
  for (size_t i = 0; i < values.size(); ++i) reply.Append(std::to_string(i), values[i].second);
  reply.Close();
  AppendAtClusterTime(reply, context);
  return reply;
}

}  // namespace

std::vector<CommandEntry> QueryCommands() {
  return {{.name = "find", .action = Action::kRead, .handler = Find, .starter = StartFind},
          {.name = "aggregate", .action = Action::kRead, .handler = Aggregate},
          {.name = "count", .action = Action::kRead, .handler = Count},
          {.name = "distinct", .action = Action::kRead, .handler = Distinct}};
}

}  // namespace orrery::mongo
