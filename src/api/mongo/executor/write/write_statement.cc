#include "api/mongo/executor/write/write_statement.h"

#include <functional>
#include <string_view>
#include <utility>

#include "api/mongo/catalog/collation.h"
#include "api/mongo/language/expression/expression.h"
#include "api/mongo/language/value/seeded_random.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

std::optional<model::DocumentView> ObjectAt(model::DocumentView document, std::string_view name) {
  const auto found = document.Find(name);
  if (!found.has_value() || found->kind() != model::Kind::kObject) return std::nullopt;
  return found->AsDocument();
}

// Returns whether an operator that runs JavaScript may be in a document, at any depth.
bool NamesScript(model::DocumentView document) {
  for (const model::ElementView field : document) {
    if (field.name() == "$where" || field.name() == "$function") return true;
    const bool is_nested =
        field.kind() == model::Kind::kObject || field.kind() == model::Kind::kArray;
    if (is_nested && NamesScript(field.AsDocument())) return true;
  }
  return false;
}

}  // namespace

Answer<QueryContextPtr> MakeQueryContext(std::optional<model::DocumentView> collation,
                                         std::optional<model::DocumentView> let,
                                         int64_t now_unix_ms, uint64_t seed,
                                         std::shared_ptr<ScriptRunner> scripts,
                                         query::SpillSpace* spill) {
  auto context = std::make_shared<QueryContext>();
  context->spill = spill;
  context->scripts = std::move(scripts);
  context->now_unix_ms = now_unix_ms;
  context->random = std::make_shared<SeededRandom>(seed);
  if (collation.has_value() && !collation->empty()) {
    MONGO_ASSIGN(context->collator, ParseCollation(*collation));
  }
  if (let.has_value()) {
    for (const model::ElementView variable : *let) {
      MONGO_ASSIGN(const ExpressionPtr expression, ParseExpression(variable.ToValue(), *context));
      MONGO_ASSIGN(model::Value value, EvaluateOn(*expression, model::DocumentView(), *context));
      context->variables.push_back({std::string(variable.name()), std::move(value)});
    }
  }
  return context;
}

std::shared_ptr<const WriteStatement> WriteStatement::Of(MatcherPtr filter, UpdatePtr update,
                                                         const model::Value& update_source,
                                                         const model::Fields& let,
                                                         int64_t now_unix_ms) {
  auto statement = std::make_shared<WriteStatement>();
  auto context = std::make_shared<QueryContext>();
  context->now_unix_ms = now_unix_ms;
  model::DocumentBuilder source;
  source.AppendDocument("q", filter->filter()).Append("u", update_source);
  if (!let.empty()) {
    source.OpenObject("let");
    for (const model::Field& variable : let)
      source.OpenObject(variable.name).Append("$literal", variable.value).Close();
    source.Close();
  }
  source.Append("now", model::Value::DateTime(now_unix_ms));
  // $rand has another chance for each document.
  source.AppendInt64("seed",
                     static_cast<int64_t>(std::hash<std::string_view>{}(filter->filter().bson())));
  statement->source = std::move(source).Finish();
  statement->context = std::move(context);
  statement->runs_scripts = NamesScript(*statement->source);
  statement->filter = std::move(filter);
  statement->update = std::move(update);
  return statement;
}

Answer<std::shared_ptr<const WriteStatement>> WriteStatement::Compile(
    model::Document source, std::shared_ptr<ScriptRunner> scripts) {
  auto statement = std::make_shared<WriteStatement>();
  statement->source = std::move(source);
  const model::DocumentView fields = *statement->source;
  statement->runs_scripts = scripts != nullptr && NamesScript(fields);
  if (!statement->runs_scripts) scripts = nullptr;
  const auto now = fields.Find("now");
  const int64_t now_ms = now.has_value() ? now->ToValue().AsDateTime() : 0;
  const auto seed = fields.Find("seed");
  MONGO_ASSIGN(statement->context,
               MakeQueryContext(ObjectAt(fields, "collation"), ObjectAt(fields, "let"), now_ms,
                                seed.has_value() ? static_cast<uint64_t>(seed->AsInteger()) : 0,
                                std::move(scripts)));
  const auto parse_filter = [&]() -> Outcome {
    MONGO_ASSIGN(
        statement->filter,
        Matcher::Parse(ObjectAt(fields, "q").value_or(model::DocumentView()), statement->context));
    return {};
  };
  const auto update = fields.Find("u");
  if (!update.has_value()) {
    MONGO_TRY(parse_filter());
    return statement;
  }
  std::vector<model::Document> array_filters;
  if (const auto filters = fields.Find("arrayFilters");
      filters.has_value() && filters->kind() == model::Kind::kArray) {
    for (const model::ElementView filter : filters->AsDocument()) {
      if (filter.kind() != model::Kind::kObject)
        return Refuse(ErrorCode::kTypeMismatch, "Each array filter must be an object");
      array_filters.push_back(model::Document::Trusted(std::string(filter.AsDocument().bson())));
    }
  }
  // What is wrong with the update is told before what is wrong with the filter, and constants of
  // its expressions are not looked at before a document is.
  auto lenient = std::make_shared<QueryContext>(*statement->context);
  lenient->refuses_bad_constants = false;
  MONGO_ASSIGN(statement->update,
               Update::Parse(update->ToValue(), array_filters, std::move(lenient)));
  MONGO_TRY(parse_filter());
  return statement;
}

}  // namespace orrery::mongo
