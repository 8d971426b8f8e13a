#include "api/mongo/language/update/update.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "api/mongo/language/match/match_node.h"
#include "api/mongo/language/pipeline/pipeline.h"
#include "api/mongo/language/update/operator_update.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/print.h"
#include "model/compare.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {

using model::Document;
using model::DocumentBuilder;
using model::DocumentView;
using model::ElementView;
using model::Field;
using model::Fields;
using model::Kind;
using model::Value;

namespace {

// `_id` first, then the rest. `id` undefined: none.
Document WithId(const Value& id, DocumentView rest) {
  DocumentBuilder builder;
  if (!id.is_undefined()) builder.Append("_id", id);
  for (const ElementView element : rest) {
    if (element.name() != "_id") builder.Append(element.name(), element);
  }
  return std::move(builder).Finish();
}

class ReplacementUpdate final : public Update {
 public:
  explicit ReplacementUpdate(Document document) : document_(std::move(document)) {}
  Answer<UpdateOutcome> Apply(DocumentView current, const MatchDetails&,
                              const UpdateContext&) const override {
    const Value id = current.Get("_id");
    const Value given = document_.view().Get("_id");
    if (!id.is_undefined() && !given.is_undefined() &&
        !model::Equivalent(id, given, model::Order::kMongo)) {
      return Refuse(ErrorCode::kImmutableField,
                    fmt::format("After applying the update, the (immutable) field '_id' was found "
                                "to have been altered to {}",
                                PrintElement("_id", given)));
    }
    return UpdateOutcome{WithId(id.is_undefined() ? given : id, document_), true};
  }
  bool is_replacement() const override { return true; }

 protected:
  Answer<Document> UpsertBase(const Matcher& filter) const override {
    MONGO_ASSIGN(const Document base, Update::UpsertBase(filter));
    return WithId(base.view().Get("_id"), DocumentView());
  }

 private:
  Document document_;
};

// One document that a pipeline update works on.
class OneRow final : public RowSource {
 public:
  explicit OneRow(Document document) : document_(std::move(document)) {}
  Answer<std::optional<Row>> Next() override {
    if (!document_.has_value()) return std::nullopt;
    Row row{*std::move(document_)};
    document_.reset();
    return row;
  }

 private:
  std::optional<Document> document_;
};

class PipelineUpdate final : public Update {
 public:
  explicit PipelineUpdate(PipelinePtr pipeline) : pipeline_(std::move(pipeline)) {}
  Answer<UpdateOutcome> Apply(DocumentView current, const MatchDetails&,
                              const UpdateContext&) const override {
    std::unique_ptr<RowSource> rows = pipeline_->Open(
        std::make_unique<OneRow>(Document::Trusted(std::string(current.bson()))), nullptr);
    MONGO_ASSIGN(std::optional<Row> row, rows->Next());
    const Value id = current.Get("_id");
    const Value given = row->document.view().Get("_id");
    if (!id.is_undefined() && !given.is_undefined() && id != given) {
      return Refuse(
          ErrorCode::kImmutableField,
          "Performing an update on the path '_id' would modify the immutable field '_id'");
    }
    Document document = given.is_undefined() && !id.is_undefined() ? WithId(id, row->document)
                                                                   : std::move(row->document);
    const bool is_modified = document.bson() != current.bson();
    return UpdateOutcome{std::move(document), is_modified};
  }
  bool is_pipeline() const override { return true; }

 private:
  PipelinePtr pipeline_;
};

Answer<UpdatePtr> ParsePipelineUpdate(const model::Values& stages, QueryContextPtr context) {
  static constexpr std::array<std::string_view, 6> kAllowed = {
      "$set", "$addFields", "$unset", "$project", "$replaceRoot", "$replaceWith"};
  std::vector<Document> documents;
  for (const Value& stage : stages) {
    if (stage.kind() != Kind::kObject) {
      return Refuse(ErrorCode::kTypeMismatch,
                    "Each element of the 'pipeline' array must be an object");
    }
    if (stage.AsFields().size() == 1 &&
        std::ranges::find(kAllowed, stage.AsFields().front().name) == kAllowed.end() &&
        Pipeline::IsStageName(stage.AsFields().front().name)) {
      return Refuse(ErrorCode::kInvalidOptions,
                    fmt::format("{} is not allowed to be used within an update",
                                stage.AsFields().front().name));
    }
    documents.push_back(model::ToDocument(stage));
  }
  MONGO_ASSIGN(PipelinePtr pipeline, Pipeline::Parse(documents, std::move(context)));
  return std::make_shared<PipelineUpdate>(std::move(pipeline));
}

// The equalities of a filter, by path.
class EqualityCollector {
 public:
  Outcome Add(const MatchNode& node) {
    if (const auto* all = dynamic_cast<const AndNode*>(&node)) {
      for (const MatchNodePtr& child : all->children()) MONGO_TRY(Add(*child));
    } else if (const auto* any = dynamic_cast<const OrNode*>(&node)) {
      if (any->children().size() == 1) MONGO_TRY(Add(*any->children().front()));
    } else if (const auto* at = dynamic_cast<const PathNode*>(&node)) {
      if (const auto* comparison = dynamic_cast<const ComparisonTest*>(&at->test())) {
        if (comparison->comparison() == query::Comparison::kEqual) {
          return AddEquality(at->path().text, comparison->value());
        }
      } else if (const auto* in = dynamic_cast<const InTest*>(&at->test())) {
        if (in->values().size() == 1 && in->patterns().empty()) {
          return AddEquality(at->path().text, in->values().front());
        }
      }
    }
    return {};
  }

  Value Build() const {
    Value document = Value::Object({});
    if (const auto id = found_.find("_id"); id != found_.end()) Set(document, "_id", id->second);
    for (const auto& [path, value] : found_) {
      if (path != "_id") Set(document, path, value);
    }
    return document;
  }

 private:
  Outcome AddEquality(const std::string& path, const Value& value) {
    for (const auto& [other, ignored] : found_) {
      if (other == path) {
        return Refuse(
            ErrorCode::kNotSingleValueField,
            fmt::format("cannot infer query fields to set, path '{}' is matched twice", path));
      }
      if (other.starts_with(path + ".") || path.starts_with(other + ".")) {
        return Refuse(ErrorCode::kNotSingleValueField,
                      fmt::format("cannot infer query fields to set, both paths '{}' and '{}' are "
                                  "matched",
                                  path, other));
      }
    }
    found_.emplace(path, value);
    return {};
  }

  static void Set(Value& document, const std::string& path, const Value& value) {
    Value* at = &document;
    for (const std::string& step : SplitPath(path)) {
      Fields& fields = at->MutableFields();
      auto found = std::ranges::find(fields, step, &Field::name);
      if (found == fields.end()) {
        fields.push_back({step, Value::Object({})});
        found = fields.end() - 1;
      }
      at = &found->value;
    }
    *at = value;
  }

  std::map<std::string, Value, PathOrder> found_;
};

}  // namespace

Answer<UpdatePtr> Update::Parse(const Value& update, const std::vector<Document>& array_filters,
                                QueryContextPtr context) {
  if (update.kind() == Kind::kArray) {
    if (!array_filters.empty()) {
      return Refuse(ErrorCode::kFailedToParse,
                    "arrayFilters may not be specified for pipeline-syle updates");
    }
    return ParsePipelineUpdate(update.AsValues(), std::move(context));
  }
  if (update.kind() != Kind::kObject) {
    return Refuse(ErrorCode::kFailedToParse,
                  "Update argument must be either an object or an array");
  }
  const Fields& fields = update.AsFields();
  if (!fields.empty() && fields.front().name.starts_with('$')) {
    return OperatorUpdate::Parse(fields, array_filters, std::move(context));
  }
  if (!array_filters.empty()) {
    return Refuse(ErrorCode::kFailedToParse,
                  "arrayFilters may not be specified for replacement-style updates");
  }
  for (const Field& field : fields) {
    if (!field.name.starts_with('$')) continue;
    return Refuse(ErrorCode::kDollarPrefixedFieldName,
                  fmt::format("The dollar ($) prefixed field '{}' in '{}' is not allowed in the "
                              "context of an update's replacement document. Consider using an "
                              "aggregation pipeline with $replaceWith.",
                              field.name, field.name));
  }
  return std::make_shared<ReplacementUpdate>(model::ToDocument(update));
}

Answer<Document> Update::UpsertBase(const Matcher& filter) const {
  EqualityCollector collector;
  MONGO_TRY(collector.Add(filter.root()));
  return model::ToDocument(collector.Build());
}

Answer<Document> Update::NewDocument(const Matcher& filter, const Value& new_id,
                                     const UpdateContext& context) const {
  MONGO_ASSIGN(const Document base, UpsertBase(filter));
  UpdateContext inserting = context;
  inserting.is_upsert = true;
  MONGO_ASSIGN(UpdateOutcome outcome, Apply(base, {}, inserting));
  Value id = outcome.document.view().Get("_id");
  if (id.kind() == Kind::kArray || id.kind() == Kind::kRegex) {
    return Refuse(ErrorCode::kInvalidIdField,
                  fmt::format("The '_id' value cannot be of type {}", BsonTypeName(id.kind())));
  }
  return WithId(id.is_undefined() ? new_id : id, outcome.document);
}

}  // namespace orrery::mongo
