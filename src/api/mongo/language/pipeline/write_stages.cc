// $out and $merge.
#include <fmt/core.h>

#include <algorithm>

#include "api/mongo/language/expression/expression.h"
#include "api/mongo/language/pipeline/stage.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

using model::Document;
using model::DocumentBuilder;
using model::Field;
using model::Kind;
using model::Value;

class OutStage final : public Stage {
 public:
  explicit OutStage(CollectionName name) : name_(std::move(name)) {}
  std::unique_ptr<RowSource> Open(std::unique_ptr<RowSource> input,
                                  const StageRun& run) const override {
    return CollectRows(
        std::move(input), [name = name_, run](RowSource& rows) -> Answer<std::vector<Row>> {
          MONGO_ASSIGN(const std::unique_ptr<OutTarget> target, run.access->OpenOut(name));
          while (true) {
            MONGO_ASSIGN(std::optional<Row> row, rows.Next());
            if (!row.has_value()) break;
            MONGO_TRY(target->Add(std::move(row->document)));
          }
          MONGO_TRY(target->Finish());
          return std::vector<Row>();
        });
  }
  std::optional<CollectionName> target() const override { return name_; }

 private:
  CollectionName name_;
};

Answer<CollectionName> ParseTarget(const std::string& stage, const Value& value, int32_t code) {
  if (value.kind() == Kind::kString) return CollectionName{"", value.AsString()};
  const Value* db = value.Find("db");
  const Value* coll = value.Find("coll");
  if (coll == nullptr || coll->kind() != Kind::kString ||
      (db != nullptr && db->kind() != Kind::kString)) {
    return Refuse(code, fmt::format("{} only supports a string or object argument, but found {}",
                                    stage, BsonTypeName(value.kind())));
  }
  return CollectionName{db == nullptr ? "" : db->AsString(), coll->AsString()};
}

Answer<StagePtr> ParseOut(const std::string& name, const Value& argument,
                          const StageParseContext&) {
  if (argument.kind() == Kind::kObject &&
      (argument.AsFields().size() != 2 || argument.Find("db") == nullptr ||
       argument.Find("coll") == nullptr)) {
    return Refuse(16994,
                  "If an object is passed to $out it must have exactly 2 fields: 'db' and 'coll'");
  }
  MONGO_ASSIGN(CollectionName target, ParseTarget(name, argument, 16990));
  return std::make_shared<OutStage>(std::move(target));
}

enum class WhenMatched : uint8_t { kReplace, kKeepExisting, kMerge, kFail, kPipeline };

class MergeStage final : public Stage {
 public:
  std::unique_ptr<RowSource> Open(std::unique_ptr<RowSource> input,
                                  const StageRun& run) const override {
    return CollectRows(std::move(input), [this, run](RowSource& rows) { return Merge(rows, run); });
  }
  std::optional<CollectionName> target() const override { return into; }

  CollectionName into;
  std::vector<std::string> on;  // empty: the target's own
  WhenMatched when_matched = WhenMatched::kMerge;
  bool inserts = true;
  bool fails_unless_matched = false;
  Value pipeline;
  model::Fields let;

 private:
  Answer<std::vector<Row>> Merge(RowSource& rows, const StageRun& run) const {
    std::vector<std::string> fields = on;
    if (fields.empty()) {
      MONGO_ASSIGN(fields, run.access->MergeFields(into));
    } else {
      MONGO_ASSIGN(const bool are_unique, run.access->AreUnique(into, fields));
      if (!are_unique) {
        return Refuse(51183, "Cannot find index to verify that join fields will be unique");
      }
    }
    while (true) {
      MONGO_ASSIGN(std::optional<Row> row, rows.Next());
      if (!row.has_value()) return std::vector<Row>();
      MONGO_ASSIGN(MergeWrite write, WriteOf(std::move(row->document), fields, run));
      MONGO_TRY(run.access->Merge(into, std::move(write)));
    }
  }

  Answer<MergeWrite> WriteOf(Document document, const std::vector<std::string>& fields,
                             const StageRun& run) const {
    MergeWrite write;
    DocumentBuilder filter;
    const bool is_by_id = std::ranges::find(fields, "_id") != fields.end();
    if (is_by_id && !document.view().Find("_id").has_value()) {
      DocumentBuilder identified;
      identified.Append("_id", run.access->NewId());
      for (const model::ElementView field : document.view())
        identified.Append(field.name(), field.ToValue());
      document = std::move(identified).Finish();
    }
    for (const std::string& field : fields) {
      const Value value = document.view().Get(field);
      if (value.kind() == Kind::kArray) {
        return Refuse(51185, fmt::format("$merge write error: 'on' field '{}' is an array", field));
      }
      if (value.is_undefined() || value.is_null()) {
        return Refuse(51132, fmt::format("$merge write error: 'on' field '{}' cannot be missing, "
                                         "null, undefined or an array",
                                         field));
      }
      filter.Append(field, Value::Object({{"$eq", value}}));
    }
    write.filter = std::move(filter).Finish();
    write.inserts_document = inserts && when_matched == WhenMatched::kPipeline;
    write.is_upsert = inserts && !write.inserts_document;
    write.fails_unless_matched = fails_unless_matched;
    if (when_matched != WhenMatched::kFail) {
      MONGO_TRY(SetUpdate(document, run, write));
    }
    write.document = std::move(document);
    return write;
  }

  // Returns what a document of the target becomes.
  Value UpdateSource(const Value& document) const {
    switch (when_matched) {
      case WhenMatched::kReplace:
        return document;
      case WhenMatched::kKeepExisting:
        return Value::Object({{"$setOnInsert", document}});
      case WhenMatched::kMerge:
        return Value::Object({{"$set", document}});
      default:
        return pipeline;
    }
  }

  Outcome SetUpdate(const Document& document, const StageRun& run, MergeWrite& write) const {
    const Value value = document.view().ToObject();
    write.update_source = UpdateSource(value);
    write.variables = run.context->variables;
    write.now_unix_ms = run.context->now_unix_ms;
    QueryContextPtr context = run.context;
    if (when_matched == WhenMatched::kPipeline) {
      write.variables.push_back({"new", value});
      for (const Field& variable : let) {
        MONGO_ASSIGN(const ExpressionPtr expression, ParseExpression(variable.value, *run.context));
        MONGO_ASSIGN(Value result, EvaluateOn(*expression, document, *run.context));
        write.variables.push_back({variable.name, std::move(result)});
      }
      auto with_variables = std::make_shared<QueryContext>(*run.context);
      with_variables->variables = write.variables;
      context = std::move(with_variables);
    }
    MONGO_ASSIGN(write.update, Update::Parse(write.update_source, {}, context));
    return {};
  }
};

Outcome ParseWhenMatched(MergeStage& stage, const Value& value) {
  if (value.kind() == Kind::kArray) {
    stage.when_matched = WhenMatched::kPipeline;
    stage.pipeline = value;
    return {};
  }
  const std::string word = value.kind() == Kind::kString ? value.AsString() : "";
  if (word == "replace") {
    stage.when_matched = WhenMatched::kReplace;
  } else if (word == "keepExisting") {
    stage.when_matched = WhenMatched::kKeepExisting;
  } else if (word == "merge") {
    stage.when_matched = WhenMatched::kMerge;
  } else if (word == "fail") {
    stage.when_matched = WhenMatched::kFail;
  } else {
    return Refuse(
        ErrorCode::kBadValue,
        fmt::format("Enumeration value '{}' for field 'whenMatched' is not a valid value.", word));
  }
  return {};
}

Outcome ParseOn(MergeStage& stage, const Value& value) {
  if (value.kind() == Kind::kString) {
    stage.on = {value.AsString()};
    return {};
  }
  if (value.kind() != Kind::kArray || value.AsValues().empty()) {
    return Refuse(51186, "$merge 'on' must be either a string or an array of strings");
  }
  for (const Value& entry : value.AsValues()) {
    if (entry.kind() != Kind::kString) {
      return Refuse(51134, "$merge 'on' array elements must be strings");
    }
    stage.on.push_back(entry.AsString());
  }
  return {};
}

Answer<StagePtr> ParseMerge(const std::string& name, const Value& argument,
                            const StageParseContext&) {
  auto stage = std::make_shared<MergeStage>();
  if (argument.kind() == Kind::kString) {
    MONGO_ASSIGN(stage->into, ParseTarget(name, argument, 51182));
    return stage;
  }
  if (argument.kind() != Kind::kObject) {
    return Refuse(51182, fmt::format("$merge requires a string or object argument, but found {}",
                                     BsonTypeName(argument.kind())));
  }
  std::string when_not_matched = "insert";
  for (const Field& field : argument.AsFields()) {
    if (field.name == "into") {
      MONGO_ASSIGN(stage->into, ParseTarget(name, field.value, 51178));
    } else if (field.name == "on") {
      MONGO_TRY(ParseOn(*stage, field.value));
    } else if (field.name == "whenMatched") {
      MONGO_TRY(ParseWhenMatched(*stage, field.value));
    } else if (field.name == "whenNotMatched") {
      const std::string word = field.value.kind() == Kind::kString ? field.value.AsString() : "";
      if (word != "insert" && word != "discard" && word != "fail") {
        return Refuse(
            ErrorCode::kBadValue,
            fmt::format("Enumeration value '{}' for field 'whenNotMatched' is not a valid "
                        "value.",
                        word));
      }
      when_not_matched = word;
      stage->inserts = word == "insert";
      stage->fails_unless_matched = word == "fail";
    } else if (field.name == "let") {
      if (field.value.kind() != Kind::kObject) {
        return Refuse(51199, "$merge 'let' must be an object");
      }
      stage->let = field.value.AsFields();
    } else {
      return Refuse(40415, fmt::format("BSON field '$merge.{}' is an unknown field.", field.name));
    }
  }
  const bool keeps = stage->when_matched == WhenMatched::kKeepExisting;
  if (!stage->inserts && (keeps || stage->when_matched == WhenMatched::kFail)) {
    return Refuse(51181, fmt::format("Combination of $merge modes 'whenMatched: {}' and "
                                     "'whenNotMatched: {}' is not supported",
                                     keeps ? "keepExisting" : "fail", when_not_matched));
  }
  if (stage->into.collection.empty()) {
    return Refuse(40414, "BSON field '$merge.into' is missing but a required field");
  }
  return stage;
}

constexpr NamedStage kWriteStages[] = {{"$out", ParseOut}, {"$merge", ParseMerge}};

}  // namespace

std::span<const NamedStage> WriteStages() { return kWriteStages; }

}  // namespace orrery::mongo
