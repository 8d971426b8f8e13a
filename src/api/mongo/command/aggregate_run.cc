#include "api/mongo/command/aggregate_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/mongo/command/access/demands.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/command/operation/profile_record.h"
#include "api/mongo/command/query_arguments.h"
#include "api/mongo/command/stream_run.h"
#include "api/mongo/executor/aggregate/aggregate_access.h"
#include "api/mongo/executor/aggregate/grouped_scan.h"
#include "api/mongo/executor/read/find.h"
#include "api/mongo/executor/read/geo_near.h"
#include "api/mongo/language/pipeline/pipeline.h"

namespace orrery::mongo {
namespace {

constexpr std::string_view kDatabaseAggregate = "$cmd.aggregate";

// The state that an aggregation keeps while it gives rows. The access goes last.
struct KeptAggregate {
  std::unique_ptr<AggregateAccess> access;
  PipelinePtr pipeline;
};

// Takes a $geoNear that comes first out of the pipeline: its documents are not those of a filter.
Answer<std::optional<GeoNearStage>> TakeGeoNear(const CommandContext& context,
                                                AggregateArguments& arguments) {
  if (arguments.pipeline.empty()) return std::nullopt;
  const auto operand = arguments.pipeline.front().view().Find("$geoNear");
  if (!operand.has_value()) return std::nullopt;
  MONGO_ASSIGN(GeoNearStage stage, GeoNearStage::Parse(operand->ToValue(), arguments.query));
  const CollectionPtr collection = context.services.collections.Find(arguments.read_name);
  if (collection == nullptr) {
    return Refuse(ErrorCode::kNamespaceNotFound,
                  fmt::format("$geoNear requires a geo index to run, but {} does not exist",
                              arguments.read_name.ToString()));
  }
  MONGO_TRY(CompleteSearch(*collection, stage.search));
  MONGO_TRY(NearSearch::Make(stage.search));
  arguments.pipeline.erase(arguments.pipeline.begin());
  return stage;
}

}  // namespace

Answer<AggregateArguments> ReadAggregate(const CommandContext& context, model::DocumentView body) {
  const Fields fields(body, "aggregate");
  AggregateArguments arguments;
  const model::ElementView target = *body.begin();
  if (target.kind() == model::Kind::kString) {
    arguments.name = {context.database(), std::string(target.AsString())};
    MONGO_TRY(CheckCollectionName(arguments.name));
  } else if (AsWhole(target) == 1) {
    arguments.name = {context.database(), std::string(kDatabaseAggregate)};
  } else {
    return Refuse(ErrorCode::kFailedToParse,
                  "Invalid command format: the 'aggregate' field must specify a collection name or "
                  "1");
  }
  const auto pipeline = body.Find("pipeline");
  if (!pipeline.has_value())
    return Refuse(40414, "BSON field 'aggregate.pipeline' is missing but a required field");
  if (pipeline->kind() != model::Kind::kArray) {
    return Refuse(ErrorCode::kTypeMismatch, "A pipeline must be an array of objects");
  }
  for (const model::ElementView stage : pipeline->AsDocument()) {
    if (stage.kind() != model::Kind::kObject)
      return Refuse(ErrorCode::kTypeMismatch,
                    "Each element of the 'pipeline' array must be an object");
    arguments.pipeline.push_back(model::Document::Trusted(std::string(stage.AsDocument().bson())));
  }
  if (const auto given = body.Find("cursor");
      given.has_value() && given->kind() != model::Kind::kObject)
    return Refuse(ErrorCode::kTypeMismatch, "cursor field must be missing or an object");
  MONGO_ASSIGN(const std::optional<model::DocumentView> cursor, fields.Object("cursor"));
  if (!cursor.has_value() && !body.Find("explain").has_value()) {
    return Refuse(
        ErrorCode::kFailedToParse,
        "The 'cursor' option is required, except for aggregate with the explain argument");
  }
  if (cursor.has_value()) {
    MONGO_TRY(Fields(*cursor, "cursor", Fields::Of::kPart).CheckKnown({"batchSize"}));
    MONGO_ASSIGN(const std::optional<int64_t> size, Fields(*cursor, "cursor").Count("batchSize"));
    if (size.has_value()) arguments.batch.batch_size = static_cast<uint64_t>(*size);
  }
  MONGO_ASSIGN(ResolvedName resolved, context.services.collections.Resolve(arguments.name));
  arguments.read_name = resolved.name;
  arguments.pipeline.insert(arguments.pipeline.begin(), resolved.pipeline.begin(),
                            resolved.pipeline.end());
  const CollectionPtr collection = context.services.collections.Find(arguments.read_name);
  MONGO_ASSIGN(arguments.query, ContextOf(context, fields, resolved, collection.get()));
  MONGO_ASSIGN(arguments.hint, HintOf(body, collection.get()));
  MONGO_ASSIGN(arguments.bypasses_validation, fields.Flag("bypassDocumentValidation"));
  return arguments;
}

std::unique_ptr<AggregateAccess> MakeAggregateAccess(const CommandContext& context,
                                                     const Namespace& name, bool validates,
                                                     std::shared_ptr<RunState> state,
                                                     ServerRows server_rows,
                                                     std::shared_ptr<const Collator> collator) {
  const MongoServices& services = context.services;
  return std::make_unique<AggregateAccess>(
      AggregateAccess::Parts{
          .gateway = services.gateway,
          .collections = services.collections,
          .database = name.database,
          .collection = name.collection,
          .new_id = [&services] { return model::Value::ObjectId(NewObjectId(services)); },
          .check_read =
              [client = context.client, &services](const Namespace& read) {
                return CheckMayRead(services, *client, read);
              },
          .check_write =
              [client = context.client, &services](const Namespace& target) {
                return CheckMayWrite(services, *client, target);
              },
          .validates = validates,
          .server_rows = std::move(server_rows),
          .collator = std::move(collator)},
      std::move(state));
}

Answer<OpenedAggregate> OpenAggregate(CommandContext& context, AggregateArguments arguments,
                                      const std::shared_ptr<RunState>& state) {
  MONGO_ASSIGN(std::optional<GeoNearStage> geo_near, TakeGeoNear(context, arguments));
  MONGO_ASSIGN(PipelinePtr pipeline, Pipeline::Parse(arguments.pipeline, arguments.query));
  if (pipeline->prefix().filter != nullptr && pipeline->prefix().filter->text() != nullptr &&
      context.services.collections.Find(arguments.read_name) == nullptr)
    return Refuse(ErrorCode::kIndexNotFound, "text index required for $text query");
  for (const model::Document& stage : arguments.pipeline)
    MONGO_TRY(CheckTextScore(stage, pipeline->prefix().filter.get()));
  const MongoServices& services = context.services;
  ServerRows server_rows;
  if (pipeline->makes_its_input()) {
    const model::ElementView first = *arguments.pipeline.front().view().begin();
    MONGO_ASSIGN(server_rows,
                 ReadServerRows(context, arguments.name, first.name(), first.ToValue()));
  }
  auto access = MakeAggregateAccess(
      context, {arguments.name.database, arguments.read_name.collection},
      !arguments.bypasses_validation, state, std::move(server_rows), arguments.query->collator);
  OpenedAggregate opened;
  opened.writes = pipeline->target().has_value();
  const CollectionPtr collection = services.collections.Find(arguments.read_name);
  std::unique_ptr<RowSource> input;
  size_t first = 0;
  if (arguments.name.collection != kDatabaseAggregate && !arguments.pipeline.empty() &&
      arguments.pipeline.front().view().Find("$documents").has_value()) {
    return Refuse(ErrorCode::kInvalidNamespace, "'$documents' can only be run with {aggregate: 1}");
  }
  if (pipeline->makes_its_input() || collection == nullptr) {
    if (arguments.name.collection == kDatabaseAggregate && !pipeline->makes_its_input()) {
      return Refuse(ErrorCode::kInvalidNamespace,
                    "{aggregate: 1} is not valid for the first stage of the pipeline; a "
                    "collection is required.");
    }
    auto profile = ProfileRows(context, arguments.read_name);
    input = std::make_unique<KnownRows>(
        *std::move(profile).or_else([] { return std::optional(std::vector<model::Document>()); }));
  } else if (geo_near.has_value()) {
    FindRequest find{
        .collection = collection, .context = arguments.query, .filter = geo_near->filter};
    find.near = geo_near->search;
    find.hint = arguments.hint;
    input = WithDistances(OpenFind(services.gateway, std::move(find), state), *std::move(geo_near));
  } else {
    const PipelinePrefix& prefix = pipeline->prefix();
    FindRequest find{.collection = collection, .context = arguments.query, .filter = prefix.filter};
    find.sort = prefix.sort;
    find.skip = static_cast<uint64_t>(prefix.skip);
    if (prefix.limit.has_value()) find.limit = static_cast<uint64_t>(*prefix.limit);
    find.hint = arguments.hint;
    first = prefix.stages;
    if (prefix.group != nullptr) {
      input = GroupedScan::Make(
          services.gateway,
          {.collection = collection, .filter = prefix.filter, .hint = arguments.hint}, prefix.group,
          arguments.query, state);
      if (input != nullptr) ++first;
    }
    if (input == nullptr) input = OpenFind(services.gateway, std::move(find), state);
  }
  opened.rows = pipeline->Open(std::move(input), access.get(), first);
  auto kept = std::make_shared<KeptAggregate>();
  kept->access = std::move(access);
  kept->pipeline = std::move(pipeline);
  opened.kept = std::move(kept);
  return opened;
}

CommandReply RunAggregate(CommandContext& context, AggregateArguments arguments) {
  if (IsChangeStream(arguments.pipeline)) return RunChangeStream(context, std::move(arguments));
  auto state = std::make_shared<RunState>();
  const BatchOptions batch = arguments.batch;
  const std::string name = arguments.name.ToString();
  MONGO_ASSIGN(OpenedAggregate opened, OpenAggregate(context, std::move(arguments), state));
  return FirstBatch(
      context,
      std::make_unique<CursorRun>(name, std::move(opened.rows), state, std::move(opened.kept)),
      batch);
}

}  // namespace orrery::mongo
