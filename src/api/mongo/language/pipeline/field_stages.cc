// $match, $project, $addFields, $set, $unset, $replaceRoot, $replaceWith, $redact.
#include <fmt/core.h>

#include "api/mongo/language/expression/expression.h"
#include "api/mongo/language/pipeline/stage.h"
#include "api/mongo/language/projection/projection.h"
#include "api/mongo/language/projection/projection_parser.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/print.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

using model::Document;
using model::DocumentBuilder;
using model::ElementView;
using model::Kind;
using model::Value;

// A stage that makes one row of one by a function that needs nothing but the context.
class RowStage : public Stage {
 public:
  using Function = std::function<Answer<std::optional<Row>>(Row row, const QueryContext& context)>;
  explicit RowStage(Function function) : function_(std::move(function)) {}
  std::unique_ptr<RowSource> Open(std::unique_ptr<RowSource> input,
                                  const StageRun& run) const override {
    return MapRows(std::move(input), [function = function_, context = run.context](Row row) {
      return function(std::move(row), *context);
    });
  }

 private:
  Function function_;
};

class MatchStage final : public Stage {
 public:
  explicit MatchStage(MatcherPtr matcher) : matcher_(std::move(matcher)) {}
  std::unique_ptr<RowSource> Open(std::unique_ptr<RowSource> input,
                                  const StageRun&) const override {
    return MapRows(std::move(input), [matcher = matcher_](Row row) -> Answer<std::optional<Row>> {
      if (matcher->text() != nullptr) return RefuseTextMatch();
      MONGO_ASSIGN(const bool matches, matcher->Matches(row.document));
      if (!matches) return std::nullopt;
      return std::move(row);
    });
  }
  MatcherPtr filter() const override { return matcher_; }

 private:
  MatcherPtr matcher_;
};

Answer<StagePtr> ParseMatch(const std::string&, const Value& argument,
                            const StageParseContext& parse) {
  if (argument.kind() != Kind::kObject) {
    return Refuse(15959, "the match filter must be an expression in an object");
  }
  MONGO_ASSIGN(MatcherPtr matcher, Matcher::Parse(model::ToDocument(argument), parse.context,
                                                  {.near = false, .where = false}));
  return std::make_shared<MatchStage>(std::move(matcher));
}

Answer<StagePtr> ParseProject(const std::string& name, const Value& argument,
                              const StageParseContext& parse) {
  if (argument.kind() != Kind::kObject) {
    return Refuse(15969, fmt::format("{} specification must be an object", name));
  }
  if (argument.AsFields().empty()) {
    return Refuse(51272,
                  "Invalid $project :: caused by :: projection specification must have at "
                  "least one field");
  }
  Answer<ProjectionPtr> projection =
      Projection::Parse(model::ToDocument(argument), ProjectionSyntax::kPipeline, parse.context);
  if (!projection.has_value()) {
    return std::unexpected(
        std::move(projection).error().Prefixed("Invalid $project :: caused by :: "));
  }
  return std::make_shared<RowStage>(
      [projection = *projection](Row row, const QueryContext&) -> Answer<std::optional<Row>> {
        MONGO_ASSIGN(row.document, projection->Apply(row));
        return std::move(row);
      });
}

// Refuses empty objects among the new fields, which are no values here.
Outcome CheckAdded(const std::string& path, const Value& value) {
  if (value.kind() != Kind::kObject) return {};
  if (value.AsFields().empty()) {
    return Refuse(40180,
                  "an empty object is not a valid value. Found empty object at path " + path);
  }
  if (value.AsFields().front().name.starts_with('$')) return {};
  for (const model::Field& field : value.AsFields())
    MONGO_TRY(CheckAdded(path + "." + field.name, field.value));
  return {};
}

Answer<StagePtr> ParseAddFields(const std::string& name, const Value& argument,
                                const StageParseContext& parse) {
  if (argument.kind() != Kind::kObject) {
    return Refuse(40272, fmt::format("{} specification stage must be an object, got {}", name,
                                     BsonTypeName(argument.kind())));
  }
  const std::string prefix = fmt::format("Invalid {} :: caused by :: ", name);
  for (const model::Field& field : argument.AsFields()) {
    Outcome checked = CheckAdded(field.name, field.value);
    if (!checked.has_value()) return std::unexpected(std::move(checked).error().Prefixed(prefix));
  }
  Answer<FieldTree> tree = ParseAddedFields(argument.AsFields(), *parse.context);
  if (!tree.has_value()) return std::unexpected(std::move(tree).error().Prefixed(prefix));
  auto shared = std::make_shared<const FieldTree>(*std::move(tree));
  return std::make_shared<RowStage>(
      [shared](Row row, const QueryContext& context) -> Answer<std::optional<Row>> {
        Evaluation evaluation{
            .root = row.document, .context = context, .meta = row.meta.get(), .current = {}};
        MONGO_ASSIGN(row.document, ApplyAddition(*shared, row.document, evaluation));
        return std::move(row);
      });
}

Answer<StagePtr> ParseUnset(const std::string&, const Value& argument, const StageParseContext&) {
  model::Values names;
  if (argument.kind() == Kind::kArray) {
    names = argument.AsValues();
    if (names.empty()) {
      return Refuse(31119,
                    "$unset specification must be a string or an array with at least one "
                    "field");
    }
  } else if (argument.kind() == Kind::kString) {
    names.push_back(argument);
  } else {
    return Refuse(31002, "$unset specification must be a string or an array");
  }
  auto tree = std::make_shared<FieldTree>();
  for (const Value& name : names) {
    if (name.kind() != Kind::kString) {
      return Refuse(31120,
                    "$unset specification must be a string or an array containing only "
                    "string values");
    }
    MONGO_TRY(CheckProjectionPath(name.AsString()));
    MONGO_TRY(AddLeaf(*tree, name.AsString(), nullptr));
  }
  return std::make_shared<RowStage>(
      [tree](Row row, const QueryContext&) -> Answer<std::optional<Row>> {
        MONGO_ASSIGN(row.document, ApplyExclusion(*tree, row.document));
        return std::move(row);
      });
}

Answer<StagePtr> ParseReplaceRoot(const std::string& name, const Value& argument,
                                  const StageParseContext& parse) {
  Value root = argument;
  if (name == "$replaceRoot") {
    if (argument.kind() != Kind::kObject) {
      return Refuse(40229,
                    fmt::format("expected an object as specification for $replaceRoot stage, "
                                "got {}",
                                BsonTypeName(argument.kind())));
    }
    for (const model::Field& field : argument.AsFields()) {
      if (field.name == "newRoot") continue;
      return Refuse(40415,
                    fmt::format("BSON field '$replaceRoot.{}' is an unknown field.", field.name));
    }
    const Value* given = argument.Find("newRoot");
    if (given == nullptr) {
      return Refuse(40414, "BSON field '$replaceRoot.newRoot' is missing but a required field");
    }
    root = *given;
  }
  MONGO_ASSIGN(ExpressionPtr expression, ParseExpression(root, *parse.context));
  return std::make_shared<RowStage>(
      [expression, name](Row row, const QueryContext& context) -> Answer<std::optional<Row>> {
        MONGO_ASSIGN(const Value value,
                     EvaluateOn(*expression, row.document, context, row.meta.get()));
        if (value.kind() != Kind::kObject) {
          return Refuse(40228,
                        fmt::format("'{} expression  must evaluate to an object, but resulting "
                                    "value was: {}. Type of resulting value: '{}'. Input document: "
                                    "{}",
                                    name == "$replaceRoot" ? "newRoot'" : "replacement document'",
                                    PrintValue(value), BsonTypeName(value.kind()),
                                    PrintValue(row.document.view().ToObject())));
        }
        row.document = model::ToDocument(value);
        return std::move(row);
      });
}

// Walks a document for $redact. Nothing is left of a document that is pruned.
class Redactor {
 public:
  Redactor(const Expression& expression, const Row& row, const QueryContext& context)
      : expression_(expression),
        evaluation_{
            .root = row.document, .context = context, .meta = row.meta.get(), .current = {}} {}

  Answer<std::optional<Document>> Redact(model::DocumentView level) {
    evaluation_.current = level;
    MONGO_ASSIGN(const Value verdict, expression_.Evaluate(evaluation_));
    const std::string word = verdict.kind() == Kind::kString ? verdict.AsString() : "";
    if (word == "prune") return std::nullopt;
    if (word == "keep") return Document::Trusted(std::string(level.bson()));
    if (word != "descend") {
      return Refuse(17053, fmt::format("$redact's expression should not return anything aside from "
                                       "the variables $$KEEP, $$DESCEND, and $$PRUNE, but returned "
                                       "{}",
                                       PrintValue(verdict)));
    }
    DocumentBuilder out;
    for (const ElementView element : level) MONGO_TRY(Descend(element, element.name(), out));
    return std::move(out).Finish();
  }

 private:
  Outcome Descend(const ElementView& element, std::string_view name, DocumentBuilder& out) {
    if (element.kind() == Kind::kObject) {
      MONGO_ASSIGN(const std::optional<Document> kept, Redact(element.AsDocument()));
      if (kept.has_value()) out.AppendDocument(name, *kept);
      return {};
    }
    if (element.kind() != Kind::kArray) {
      out.Append(name, element);
      return {};
    }
    out.OpenArray(name);
    size_t index = 0;
    for (const ElementView inner : element.AsDocument()) {
      const std::string inner_name = std::to_string(index);
      if (inner.kind() == Kind::kObject) {
        MONGO_ASSIGN(const std::optional<Document> kept, Redact(inner.AsDocument()));
        if (!kept.has_value()) continue;
        out.AppendDocument(inner_name, *kept);
      } else {
        MONGO_TRY(Descend(inner, inner_name, out));
      }
      ++index;
    }
    out.Close();
    return {};
  }

  const Expression& expression_;
  Evaluation evaluation_;
};

Answer<StagePtr> ParseRedact(const std::string&, const Value& argument,
                             const StageParseContext& parse) {
  MONGO_ASSIGN(ExpressionPtr expression, ParseExpression(argument, *parse.context));
  return std::make_shared<RowStage>(
      [expression](Row row, const QueryContext& context) -> Answer<std::optional<Row>> {
        MONGO_ASSIGN(std::optional<Document> kept,
                     Redactor(*expression, row, context).Redact(row.document));
        if (!kept.has_value()) return std::nullopt;
        row.document = *std::move(kept);
        return std::move(row);
      });
}

constexpr NamedStage kFieldStages[] = {
    {"$match", ParseMatch},
    {"$project", ParseProject},
    {"$addFields", ParseAddFields},
    {"$set", ParseAddFields},
    {"$unset", ParseUnset},
    {"$replaceRoot", ParseReplaceRoot},
    {"$replaceWith", ParseReplaceRoot},
    {"$redact", ParseRedact},
};

}  // namespace

std::span<const NamedStage> FieldStages() { return kFieldStages; }

}  // namespace orrery::mongo
