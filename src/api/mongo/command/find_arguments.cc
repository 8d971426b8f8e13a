#include "api/mongo/command/find_arguments.h"

#include <fmt/format.h>

#include <utility>

#include "api/mongo/command/fields.h"
#include "api/mongo/command/operation/profiler.h"
#include "api/mongo/command/query_arguments.h"
#include "api/mongo/command/transaction/mongo_transaction.h"
#include "api/mongo/language/value/print.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

constexpr std::string_view kFindFields[] = {"find",
                                            "filter",
                                            "sort",
                                            "projection",
                                            "hint",
                                            "skip",
                                            "limit",
                                            "batchSize",
                                            "ntoreturn",
                                            "singleBatch",
                                            "max",
                                            "min",
                                            "returnKey",
                                            "showRecordId",
                                            "tailable",
                                            "oplogReplay",
                                            "noCursorTimeout",
                                            "awaitData",
                                            "allowPartialResults",
                                            "collation",
                                            "allowDiskUse",
                                            "let",
                                            "term",
                                            "readOnce",
                                            "allowSpeculativeMajorityRead",
                                            "requestResumeToken",
                                            "resumeAfter"};

model::Document StageOf(std::string_view name, model::DocumentView argument) {
  model::DocumentBuilder stage;
  stage.AppendDocument(name, argument);
  return std::move(stage).Finish();
}
model::Document StageOf(std::string_view name, int64_t argument) {
  model::DocumentBuilder stage;
  stage.AppendInt64(name, argument);
  return std::move(stage).Finish();
}

// Returns the stages that do what a find over a view asks.
std::vector<model::Document> StagesOf(const Fields& fields, std::vector<model::Document> stages,
                                      const FindRequest& request) {
  const model::DocumentView body = fields.document();
  const auto add = [&](std::string_view stage, std::string_view field) {
    const auto found = body.Find(field);
    if (found.has_value() && found->kind() == model::Kind::kObject && !found->AsDocument().empty())
      stages.push_back(StageOf(stage, found->AsDocument()));
  };
  add("$match", "filter");
  add("$sort", "sort");
  if (request.skip > 0) stages.push_back(StageOf("$skip", static_cast<int64_t>(request.skip)));
  if (request.limit.has_value())
    stages.push_back(StageOf("$limit", static_cast<int64_t>(*request.limit)));
  add("$project", "projection");
  return stages;
}

Answer<bool> StrictFlag(const Fields& fields, std::string_view name) {
  const auto field = fields.document().Find(name);
  if (!field.has_value() || field->kind() == model::Kind::kNull) return false;
  if (field->kind() == model::Kind::kBool) return field->AsBool();
  return Refuse(
      ErrorCode::kTypeMismatch,
      fmt::format("Field '{}' should be a boolean value, but found: {}", name, TypeNameOf(*field)));
}

Outcome ReadTail(const CommandContext& context, const Fields& fields, FindArguments& made) {
  MONGO_ASSIGN(made.is_tailable, StrictFlag(fields, "tailable"));
  MONGO_ASSIGN(made.awaits_data, StrictFlag(fields, "awaitData"));
  if (made.awaits_data && !made.is_tailable) {
    return Refuse(ErrorCode::kFailedToParse,
                  "Cannot set 'awaitData' without also setting 'tailable'");
  }
  if (!made.is_tailable) return {};
  if (context.transaction != nullptr) {
    return Refuse(ErrorCode::kInvalidOptions,
                  "It is illegal to open a tailable cursor in a transaction");
  }
  if (made.batch.single_batch) {
    return Refuse(ErrorCode::kBadValue, "cannot use tailable option with the 'singleBatch' option");
  }
  MONGO_ASSIGN(const auto sort, fields.Object("sort"));
  if (!sort.has_value() || sort->empty()) return {};
  const auto natural = sort->Find("$natural");
  if (natural.has_value() && AsWhole(*natural).value_or(0) == 1) return {};
  return Refuse(ErrorCode::kBadValue,
                "cannot use tailable option with a sort other than {$natural: 1}");
}

// Documents of a collection without a shard key are in the order of `_id`, or in that of insertion
// if it is capped, so that the order from the end is one, too. Others are in that of the ring.
Outcome ReadBackwards(FindRequest& request) {
  if (request.collection == nullptr) return {};
  if (request.collection->form == DocumentForm::kCapped) {
    request.natural_backwards = true;
    return {};
  }
  if (request.collection->is_sharded() || request.collection->form != DocumentForm::kMongo) {
    return Refuse(ErrorCode::kCommandNotSupported,
                  "{$natural: -1} is not supported by this server on a sharded collection");
  }
  model::DocumentBuilder pattern;
  pattern.AppendInt32("_id", -1);
  MONGO_ASSIGN(request.sort, SortPattern::Parse(std::move(pattern).Finish()));
  return {};
}

bool IsNaturalBackwards(std::optional<model::ElementView> order) {
  if (!order.has_value() || order->kind() != model::Kind::kObject) return false;
  const auto natural = order->AsDocument().Find("$natural");
  return natural.has_value() && AsWhole(*natural).value_or(1) < 0;
}

Outcome ReadNaturalSort(model::DocumentView sort, model::DocumentView body, FindRequest& request) {
  if (std::next(sort.begin()) != sort.end()) {
    return Refuse(
        ErrorCode::kBadValue,
        fmt::format("Cannot include '$natural' in compound sort: {}", PrintBson(sort.ToObject())));
  }
  const auto hint = body.Find("hint");
  if (hint.has_value() && !(hint->kind() == model::Kind::kObject && hint->AsDocument().empty())) {
    const bool is_natural =
        hint->kind() == model::Kind::kObject && hint->AsDocument().Find("$natural").has_value();
    if (!is_natural)
      return Refuse(ErrorCode::kBadValue, "index hint not allowed with $natural sort order");
    if (IsNaturalBackwards(hint) != IsNaturalBackwards(body.Find("sort"))) {
      return Refuse(ErrorCode::kBadValue,
                    "$natural hint must be in the same direction as $natural sort order");
    }
  }
  request.hint.natural = true;
  return IsNaturalBackwards(body.Find("sort")) ? ReadBackwards(request) : Outcome();
}

// The interval of `min` and `max`, over the index that the hint names.
Answer<std::optional<KeyRange>> ReadKeyRange(const Fields& fields, model::DocumentView body,
                                             const FindRequest& request) {
  MONGO_ASSIGN(const auto min, fields.Object("min"));
  MONGO_ASSIGN(const auto max, fields.Object("max"));
  const bool has_bounds = (min.has_value() && !min->empty()) || (max.has_value() && !max->empty());
  if (!has_bounds || request.collection == nullptr) return std::nullopt;
  const auto hint = body.Find("hint");
  if (!hint.has_value()) {
    return Refuse(51173,
                  "error processing query: planner returned error :: caused by :: When using "
                  "min()/max() a hint of which index to use must be provided");
  }
  if (request.hint.natural) {
    return Refuse(ErrorCode::kNoQueryExecutionPlans,
                  "error processing query: planner returned error :: caused by :: min and max are "
                  "incompatible with $natural");
  }
  model::DocumentBuilder by_id;
  by_id.AppendInt32("_id", 1);
  model::Document key = std::move(by_id).Finish();
  for (const IndexSpec& index : request.collection->indexes) {
    if (index.name == request.hint.name) key = index.key;
  }
  MONGO_ASSIGN(KeyRange range, KeyRange::Make(key, min, max));
  return range;
}

// The parts that a find with $text may have beside it.
Outcome CheckText(model::DocumentView body, const FindRequest& request) {
  if (request.filter == nullptr || request.filter->text() == nullptr) return {};
  const auto hint = body.Find("hint");
  if (hint.has_value() && !(hint->kind() == model::Kind::kObject && hint->AsDocument().empty()))
    return Refuse(ErrorCode::kBadValue, "text and hint not allowed in same query");
  if (request.hint.natural) {
    return Refuse(ErrorCode::kBadValue, "text expression not allowed with $natural sort order");
  }
  return {};
}

}  // namespace

Answer<FindArguments> ReadFind(const CommandContext& context, model::DocumentView body,
                               const Namespace& name) {
  const Fields fields(body, "FindCommandRequest");
  MONGO_TRY(fields.CheckKnown(kFindFields));
  FindArguments made;
  made.name = name;
  FindRequest& request = made.request;
  MONGO_ASSIGN(const std::optional<int64_t> skip, fields.Count("skip"));
  MONGO_ASSIGN(const std::optional<int64_t> limit, fields.Count("limit"));
  MONGO_ASSIGN(const std::optional<int64_t> batch_size, fields.Count("batchSize"));
  MONGO_ASSIGN(made.batch.single_batch, fields.Flag("singleBatch"));
  MONGO_ASSIGN(made.batch.no_timeout, fields.Flag("noCursorTimeout"));
  MONGO_TRY(ReadTail(context, fields, made));
  request.skip = static_cast<uint64_t>(skip.value_or(0));
  if (limit.value_or(0) > 0) request.limit = static_cast<uint64_t>(*limit);
  if (batch_size.has_value()) made.batch.batch_size = static_cast<uint64_t>(*batch_size);

  const CollectionCatalog& collections = context.services.collections;
  MONGO_ASSIGN(ResolvedName resolved, collections.Resolve(name));
  made.read_name = resolved.name;
  // A collection of the profiler is read as a view is: by a pipeline over rows.
  const bool is_view = resolved.name != name || name.collection == kProfileCollection;
  request.collection = collections.Find(resolved.name);
  MONGO_ASSIGN(request.context, ContextOf(context, fields, resolved, request.collection.get()));
  if (is_view && made.is_tailable) {
    return Refuse(ErrorCode::kInvalidPipelineOperator,
                  "Tailable cursors are not supported in aggregation.");
  }
  if (is_view) {
    made.view_pipeline = StagesOf(fields, std::move(resolved.pipeline), request);
    return made;
  }
  for (const std::string_view part : {"filter", "projection", "sort", "collation"}) {
    const auto given = fields.document().Find(part);
    if (!given.has_value() || given->kind() == model::Kind::kObject) continue;
    return Refuse(ErrorCode::kTypeMismatch,
                  fmt::format("Expected field {}to be of type object", part));
  }
  MONGO_ASSIGN(const auto filter, fields.Object("filter"));
  MONGO_ASSIGN(request.filter, FilterOf(filter, request.context));
  MONGO_ASSIGN(const auto sort, fields.Object("sort"));
  if (sort.has_value() && !sort->empty()) {
    if (sort->Find("$natural").has_value()) {
      MONGO_TRY(ReadNaturalSort(*sort, body, request));
    } else {
      MONGO_ASSIGN(request.sort, SortPattern::Parse(*sort));
    }
  }
  if (sort.has_value()) MONGO_TRY(CheckTextScore(*sort, request.filter.get()));
  MONGO_ASSIGN(const auto projection, fields.Object("projection"));
  if (projection.has_value()) MONGO_TRY(CheckTextScore(*projection, request.filter.get()));
  if (projection.has_value() && !projection->empty()) {
    MONGO_ASSIGN(request.projection, Projection::Parse(*projection, ProjectionSyntax::kFind,
                                                       request.context, request.filter));
  }
  if (request.filter != nullptr && request.filter->text() != nullptr &&
      request.collection == nullptr) {
    return Refuse(ErrorCode::kIndexNotFound,
                  fmt::format("text index required for $text query (no such collection '{}')",
                              name.ToString()));
  }
  MONGO_TRY(CheckText(body, request));
  MONGO_ASSIGN(const IndexHint hint, HintOf(body, request.collection.get()));
  if (hint.natural || !hint.name.empty()) request.hint = hint;
  if (!request.sort.has_value() && IsNaturalBackwards(body.Find("hint")))
    MONGO_TRY(ReadBackwards(request));
  MONGO_ASSIGN(request.returns_key, fields.Flag("returnKey"));
  MONGO_ASSIGN(request.shows_record_id, fields.Flag("showRecordId"));
  request.wants_keys = projection.has_value() && (AsksForMeta(*projection, "indexKey") ||
                                                  AsksForMeta(*projection, "recordId"));
  request.wants_sort_keys = projection.has_value() && AsksForMeta(*projection, "sortKey");
  if (request.wants_sort_keys && !request.sort.has_value())
    return Refuse(ErrorCode::kBadValue, "cannot use sortKey $meta projection without a sort");
  MONGO_ASSIGN(request.range, ReadKeyRange(fields, body, request));
  if (made.is_tailable && request.collection != nullptr &&
      request.collection->form != DocumentForm::kCapped) {
    return Refuse(ErrorCode::kBadValue,
                  "error processing query: tailable cursor requested on non capped collection");
  }
  return made;
}

}  // namespace orrery::mongo
