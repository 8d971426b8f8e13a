#include "api/mongo/command/write_arguments.h"

#include <fmt/format.h>

#include <utility>

#include "api/mongo/command/query_arguments.h"
#include "api/mongo/language/value/print.h"
#include "model/document/document_builder.h"
#include "model/number/number.h"

namespace orrery::mongo {
namespace {

// The document that a statement is compiled of, and travels as.
struct StatementParts {
  model::DocumentView filter = {};
  std::optional<model::ElementView> update = {};
  std::optional<model::DocumentView> array_filters = {};
  std::optional<model::DocumentView> collation = {};
  std::optional<model::DocumentView> let = {};
};

namespace {

// Returns whether a statement may need random numbers, which it must not without.
bool AsksForChance(std::string_view bson) {
  return bson.find("$rand") != std::string_view::npos ||
         bson.find("$sampleRate") != std::string_view::npos;
}

}  // namespace

Answer<WriteStatementPtr> CompileStatement(const CommandContext& context,
                                           const CollectionPtr& collection,
                                           const StatementParts& parts) {
  model::DocumentBuilder source;
  source.AppendDocument("q", parts.filter);
  if (parts.update.has_value()) source.Append("u", *parts.update);
  if (parts.array_filters.has_value())
    source.Append("arrayFilters", parts.array_filters->ToArray());
  if (parts.collation.has_value()) {
    source.AppendDocument("collation", *parts.collation);
  } else if (collection != nullptr) {
    const auto kept = collection->Option("collation");
    if (kept.has_value()) source.Append("collation", *kept);
  }
  if (parts.let.has_value()) source.AppendDocument("let", *parts.let);
  source.Append("now", model::Value::DateTime(context.services.now_ms()));
  model::Document finished = std::move(source).Finish();
  if (AsksForChance(finished.view().bson())) {
    model::DocumentBuilder seeded;
    for (const model::ElementView field : finished.view())
      seeded.Append(field.name(), field.ToValue());
    seeded.Append("seed", model::Value::Int64(static_cast<int64_t>(context.services.random())));
    finished = std::move(seeded).Finish();
  }
  return WriteStatement::Compile(std::move(finished), ScriptsOf(context));
}

// An upsert makes a document of its filter, which $expr says nothing about.
Outcome CheckUpsertFilter(model::DocumentView filter) {
  for (const model::ElementView condition : filter) {
    if (condition.name() == "$expr") {
      return Refuse(ErrorCode::kQueryFeatureNotAllowed,
                    "$expr is not allowed in the query predicate for an upsert");
    }
    if (!condition.name().starts_with('$') || condition.kind() != model::Kind::kArray) continue;
    for (const model::ElementView part : condition.AsDocument()) {
      if (part.kind() == model::Kind::kObject) MONGO_TRY(CheckUpsertFilter(part.AsDocument()));
    }
  }
  return {};
}

Outcome CheckUpdateKind(const model::ElementView& update) {
  if (update.kind() == model::Kind::kObject || update.kind() == model::Kind::kArray) return {};
  return Refuse(ErrorCode::kFailedToParse, "Update argument must be either an object or an array");
}

Outcome CheckHintKind(model::DocumentView statement) {
  const auto hint = statement.Find("hint");
  if (!hint.has_value() || hint->kind() == model::Kind::kObject ||
      hint->kind() == model::Kind::kString)
    return {};
  return Refuse(ErrorCode::kFailedToParse, "Hint must be a string or an object");
}

// `let` with the constants of a statement behind it, which are values and no expressions.
model::Document WithConstants(std::optional<model::DocumentView> let,
                              model::DocumentView constants) {
  model::DocumentBuilder all;
  if (let.has_value()) {
    for (const model::ElementView variable : *let) {
      if (!constants.Find(variable.name()).has_value()) all.Append(variable.name(), variable);
    }
  }
  for (const model::ElementView constant : constants)
    all.OpenObject(constant.name()).Append("$literal", constant).Close();
  return std::move(all).Finish();
}

}  // namespace

CollectionWriter WriterOf(const CommandContext& context, const std::shared_ptr<RunState>& state) {
  Attach(*state, context);
  const MongoServices& services = context.services;
  return {{.gateway = services.gateway,
           .new_id = [&services] { return model::Value::ObjectId(NewObjectId(services)); }},
          state};
}

Outcome MayWriteInTransaction(const CommandContext& context, const Collection& collection,
                              bool removes) {
  if (context.transaction == nullptr || collection.form != DocumentForm::kCapped) return {};
  const std::string name = collection.name.ToString();
  if (removes) {
    return Refuse(ErrorCode::kIllegalOperation,
                  fmt::format("Cannot remove from a capped collection in a multi-document "
                              "transaction: {}",
                              name));
  }
  return Refuse(ErrorCode::kOperationNotSupportedInTransaction,
                fmt::format("Collection '{}' is a capped collection. Writes in transactions are "
                            "not allowed on capped collections.",
                            name));
}

Outcome CheckBatchSize(size_t operations) {
  if (operations >= 1 && operations <= static_cast<size_t>(kWriteBatchMax)) return {};
  return Refuse(ErrorCode::kInvalidLength,
                fmt::format("Write batch sizes must be between 1 and {}. Got {} operations.",
                            kWriteBatchMax, operations));
}

Answer<WriteOptions> ReadWriteOptions(const Fields& fields) {
  WriteOptions options;
  MONGO_ASSIGN(options.is_ordered, fields.Flag("ordered", true));
  MONGO_ASSIGN(const bool bypasses, fields.Flag("bypassDocumentValidation"));
  options.validates = !bypasses;
  MONGO_ASSIGN(options.let, fields.Object("let"));
  return options;
}

Outcome CheckUpdateShape(model::DocumentView statement) {
  const Fields fields(statement, "update.updates", Fields::Of::kPart);
  MONGO_TRY(fields.CheckKnown({"q", "u", "c", "multi", "upsert", "collation", "arrayFilters",
                               "hint", "sampleId", "upsertSupplied"}));
  MONGO_TRY(fields.RequiredObject("q"));
  const auto update = statement.Find("u");
  if (!update.has_value())
    return Refuse(40414, "BSON field 'update.updates.u' is missing but a required field");
  MONGO_TRY(CheckUpdateKind(*update));
  MONGO_TRY(fields.Array("arrayFilters"));
  MONGO_TRY(fields.Object("collation"));
  MONGO_TRY(fields.Object("c"));
  for (const std::string_view name : {"multi", "upsert"}) {
    const auto flag = statement.Find(name);
    if (!flag.has_value() || flag->kind() == model::Kind::kBool ||
        flag->kind() == model::Kind::kNull) {
      continue;
    }
    return Refuse(
        ErrorCode::kTypeMismatch,
        fmt::format("BSON field 'update.updates.{}' is the wrong type '{}', expected type "
                    "'bool'",
                    name, TypeNameOf(*flag)));
  }
  return CheckHintKind(statement);
}

Outcome CheckDeleteShape(model::DocumentView statement) {
  const Fields fields(statement, "delete.deletes", Fields::Of::kPart);
  MONGO_TRY(fields.CheckKnown({"q", "limit", "collation", "hint", "sampleId"}));
  MONGO_TRY(fields.RequiredObject("q"));
  MONGO_TRY(fields.Object("collation"));
  const auto limit = statement.Find("limit");
  if (!limit.has_value())
    return Refuse(40414, "BSON field 'delete.deletes.limit' is missing but a required field");
  const model::Value number = limit->ToValue();
  if (number.is_number() && model::ToDouble(number) != 0 && model::ToDouble(number) != 1) {
    return Refuse(
        ErrorCode::kFailedToParse,
        fmt::format("The limit field in delete objects must be 0 or 1. Got {}", PrintBson(number)));
  }
  return CheckHintKind(statement);
}

Answer<ChangeRequest> ReadUpdate(const CommandContext& context, const CollectionPtr& collection,
                                 model::DocumentView statement, const WriteOptions& options) {
  MONGO_TRY(CheckUpdateShape(statement));
  const Fields fields(statement, "update.updates", Fields::Of::kPart);
  StatementParts parts{.let = options.let};
  MONGO_ASSIGN(parts.filter, fields.RequiredObject("q"));
  parts.update = statement.Find("u");
  MONGO_ASSIGN(parts.array_filters, fields.Array("arrayFilters"));
  MONGO_ASSIGN(parts.collation, fields.Object("collation"));
  MONGO_ASSIGN(const auto constants, fields.Object("c"));
  model::Document variables;
  if (constants.has_value()) {
    if (parts.update->kind() != model::Kind::kArray) {
      return Refuse(51198, "Constant values may only be specified for pipeline updates");
    }
    variables = WithConstants(parts.let, *constants);
    parts.let = variables;
  }
  ChangeRequest request;
  request.collection = collection;
  request.validates = options.validates;
  MONGO_ASSIGN(request.multi, fields.Flag("multi"));
  MONGO_ASSIGN(request.upserts, fields.Flag("upsert"));
  if (request.upserts) MONGO_TRY(CheckUpsertFilter(parts.filter));
  MONGO_ASSIGN(request.statement, CompileStatement(context, collection, parts));
  if (request.multi && request.statement->update->is_replacement()) {
    return Refuse(ErrorCode::kFailedToParse,
                  "multi update is not supported for replacement-style update");
  }
  MONGO_ASSIGN(request.hint, HintOf(statement, collection.get()));
  return request;
}

Answer<ChangeRequest> ReadDelete(const CommandContext& context, const CollectionPtr& collection,
                                 model::DocumentView statement, const WriteOptions& options) {
  MONGO_TRY(CheckDeleteShape(statement));
  const Fields fields(statement, "delete.deletes", Fields::Of::kPart);
  StatementParts parts{.let = options.let};
  MONGO_ASSIGN(parts.filter, fields.RequiredObject("q"));
  MONGO_ASSIGN(parts.collation, fields.Object("collation"));
  ChangeRequest request;
  request.collection = collection;
  // A limit that is no number is none.
  const model::Value limit = statement.Find("limit")->ToValue();
  request.multi = !limit.is_number() || model::ToDouble(limit) == 0;
  MONGO_ASSIGN(request.statement, CompileStatement(context, collection, parts));
  MONGO_ASSIGN(request.hint, HintOf(statement, collection.get()));
  return request;
}

Answer<FindAndModifyArguments> ReadFindAndModify(const CommandContext& context,
                                                 const CollectionPtr& collection) {
  const Fields fields(context.body(), "findAndModify");
  MONGO_TRY(fields.CheckKnown({"query", "sort", "remove", "update", "new", "fields", "upsert",
                               "bypassDocumentValidation", "collation", "arrayFilters", "hint",
                               "let", "sampleId"}));
  FindAndModifyArguments made;
  ChangeRequest& change = made.change;
  StatementParts parts;
  MONGO_ASSIGN(const auto filter, fields.Object("query"));
  parts.filter = filter.value_or(model::DocumentView());
  MONGO_ASSIGN(parts.collation, fields.Object("collation"));
  MONGO_ASSIGN(parts.let, fields.Object("let"));
  MONGO_ASSIGN(parts.array_filters, fields.Array("arrayFilters"));
  MONGO_ASSIGN(made.removes, fields.Flag("remove"));
  MONGO_ASSIGN(made.wants_new, fields.Flag("new"));
  MONGO_ASSIGN(change.upserts, fields.Flag("upsert"));
  const auto update = context.body().Find("update");
  if (made.removes) {
    if (update.has_value())
      return Refuse(ErrorCode::kFailedToParse, "Cannot specify both an update and remove=true");
    if (change.upserts)
      return Refuse(ErrorCode::kFailedToParse, "Cannot specify both upsert=true and remove=true ");
    if (made.wants_new)
      return Refuse(ErrorCode::kFailedToParse,
                    "Cannot specify both new=true and remove=true; 'remove' always returns the "
                    "deleted document");
  } else if (!update.has_value()) {
    return Refuse(ErrorCode::kFailedToParse, "Either an update or remove=true must be specified");
  } else {
    MONGO_TRY(CheckUpdateKind(*update));
    if (change.upserts) MONGO_TRY(CheckUpsertFilter(parts.filter));
    parts.update = update;
  }
  MONGO_ASSIGN(const bool bypasses, fields.Flag("bypassDocumentValidation"));
  change.collection = collection;
  change.validates = !bypasses;
  change.image = made.wants_new ? ImageWanted::kAfter : ImageWanted::kBefore;
  MONGO_ASSIGN(change.statement, CompileStatement(context, collection, parts));
  MONGO_ASSIGN(const auto sort, fields.Object("sort"));
  if (sort.has_value() && !sort->empty()) {
    MONGO_ASSIGN(change.sort, SortPattern::Parse(*sort));
  }
  MONGO_ASSIGN(const auto projection, fields.Object("fields"));
  if (projection.has_value() && !projection->empty()) {
    MONGO_ASSIGN(made.projection,
                 Projection::Parse(*projection, ProjectionSyntax::kFind, change.statement->context,
                                   change.statement->filter));
  }
  MONGO_ASSIGN(change.hint, HintOf(context.body(), collection.get()));
  return made;
}

}  // namespace orrery::mongo
