#include "api/mongo/language/pipeline/join.h"

#include <fmt/core.h>

#include <utility>
#include <vector>

#include "api/mongo/language/value/bson_type_name.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {

using model::Document;
using model::DocumentBuilder;
using model::Field;
using model::Kind;
using model::Value;
using model::Values;

Answer<std::string> JoinStringOption(const std::string& stage, const Field& field) {
  if (field.value.kind() == Kind::kString) return field.value.AsString();
  return Refuse(ErrorCode::kFailedToParse,
                fmt::format("{} argument '{}' must be a string, is type {}", stage, field.name,
                            BsonTypeName(field.value.kind())));
}

Answer<CollectionName> JoinFromOption(const std::string& stage, const Field& field) {
  if (field.value.kind() == Kind::kObject) {
    const Value* db = field.value.Find("db");
    const Value* coll = field.value.Find("coll");
    if (db == nullptr || coll == nullptr || db->kind() != Kind::kString ||
        coll->kind() != Kind::kString) {
      return Refuse(
          ErrorCode::kFailedToParse,
          fmt::format("{} 'from' must have the form {{db: <string>, coll: <string>}}", stage));
    }
    return CollectionName{db->AsString(), coll->AsString()};
  }
  MONGO_ASSIGN(std::string name, JoinStringOption(stage, field));
  return CollectionName{"", std::move(name)};
}

Answer<std::unique_ptr<RowSource>> ReadJoined(const CollectionName& name, MatcherPtr filter,
                                              const StageRun& run) {
  MONGO_ASSIGN(ResolvedCollection resolved, run.access->Resolve(name));
  if (resolved.pipeline.empty()) return run.access->Read(resolved.name, std::move(filter));
  Values documents;
  for (const Document& stage : resolved.pipeline) documents.push_back(stage.view().ToObject());
  if (filter != nullptr) {
    documents.push_back(Value::Object({{"$match", filter->filter().ToObject()}}));
  }
  MONGO_ASSIGN(const std::vector<StagePtr> stages,
               ParseStages(Value::Array(std::move(documents)), {run.context, 1}));
  MONGO_ASSIGN(std::unique_ptr<RowSource> rows, run.access->Read(resolved.name, nullptr));
  // Stages are kept alive by the source that uses them last.
  class Kept final : public RowSource {
   public:
    Kept(std::vector<StagePtr> kept, std::unique_ptr<RowSource> source)
        : kept_(std::move(kept)), source_(std::move(source)) {}
    Answer<std::optional<Row>> Next() override { return source_->Next(); }

   private:
    std::vector<StagePtr> kept_;
    std::unique_ptr<RowSource> source_;
  };
  return std::make_unique<Kept>(stages, OpenStages(stages, std::move(rows), run));
}

Answer<MatcherPtr> JoinFilter(const std::string& field, Values values,
                              const QueryContextPtr& context) {
  DocumentBuilder builder;
  builder.Append(field, Value::Object({{"$in", Value::Array(std::move(values))}}));
  return Matcher::Parse(std::move(builder).Finish(), context);
}

Values JoinValues(const Value& local) {
  if (local.kind() != Kind::kArray) return {local.is_undefined() ? Value::Null() : local};
  if (local.AsValues().empty()) return {Value::Null()};
  Values values = local.AsValues();
  std::erase_if(values, [](const Value& value) { return value.kind() == Kind::kRegex; });
  return values;
}

namespace {

void CollectJoined(const Value& value, std::span<const std::string> steps, Values& found) {
  if (steps.empty()) {
    if (value.kind() != Kind::kArray) {
      found.push_back(value);
      return;
    }
    for (const Value& element : value.AsValues()) {
      if (element.kind() != Kind::kRegex) found.push_back(element);
    }
    return;
  }
  if (value.kind() == Kind::kObject) {
    const Value* next = value.Find(steps.front());
    if (next != nullptr) CollectJoined(*next, steps.subspan(1), found);
  } else if (value.kind() == Kind::kArray) {
    for (const Value& element : value.AsValues()) {
      if (element.kind() == Kind::kObject) CollectJoined(element, steps, found);
    }
  }
}

}  // namespace

Values JoinValuesAt(model::DocumentView document, std::span<const std::string> steps) {
  const Value first = document.Get(steps.front());
  Values found;
  if (!first.is_undefined()) CollectJoined(first, steps.subspan(1), found);
  if (found.empty()) found.push_back(Value::Null());
  return found;
}

}  // namespace orrery::mongo
