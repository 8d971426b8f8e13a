// $lookup, $graphLookup, $unionWith.
#include <fmt/core.h>

#include <deque>
#include <set>

#include "api/mongo/language/expression/expression_parser.h"
#include "api/mongo/language/expression/path_value.h"
#include "api/mongo/language/pipeline/stage.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/field_path.h"
#include "api/mongo/language/value/number.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

using model::Document;
using model::DocumentBuilder;
using model::Field;
using model::Kind;
using model::Value;
using model::Values;

Answer<std::string> StringOption(const std::string& stage, const Field& field) {
  if (field.value.kind() == Kind::kString) return field.value.AsString();
  return Refuse(ErrorCode::kFailedToParse,
                fmt::format("{} argument '{}' must be a string, is type {}", stage, field.name,
                            BsonTypeName(field.value.kind())));
}

Answer<CollectionName> FromOption(const std::string& stage, const Field& field) {
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
  MONGO_ASSIGN(std::string name, StringOption(stage, field));
  return CollectionName{"", std::move(name)};
}

// Rows of a collection or view that meet a filter. The pipeline of a view comes first.
Answer<std::unique_ptr<RowSource>> ReadFrom(const CollectionName& name, MatcherPtr filter,
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

// {field: {$in: values}}, where null also means missing, as joins want it.
Answer<MatcherPtr> FilterOn(const std::string& field, Values values,
                            const QueryContextPtr& context) {
  DocumentBuilder builder;
  builder.Append(field, Value::Object({{"$in", Value::Array(std::move(values))}}));
  return Matcher::Parse(std::move(builder).Finish(), context);
}

// The values that a local field joins by: an array's elements; null for nothing.
Values JoinValues(const Value& local) {
  if (local.kind() != Kind::kArray) return {local.is_undefined() ? Value::Null() : local};
  if (local.AsValues().empty()) return {Value::Null()};
  Values values = local.AsValues();
  std::erase_if(values, [](const Value& value) { return value.kind() == Kind::kRegex; });
  return values;
}

class LookupStage final : public Stage {
 public:
  std::unique_ptr<RowSource> Open(std::unique_ptr<RowSource> input,
                                  const StageRun& run) const override {
    return MapRows(std::move(input), [this, run](Row row) -> Answer<std::optional<Row>> {
      MONGO_ASSIGN(Values found, Joined(row, run));
      DocumentBuilder out;
      const std::vector<std::string> steps = SplitPath(as);
      FieldsWith(row.document, steps, Value::Array(std::move(found)), out);
      row.document = std::move(out).Finish();
      return std::move(row);
    });
  }
  void AddCollections(std::vector<CollectionName>& names) const override {
    if (from.has_value()) names.push_back(*from);
  }

  std::optional<CollectionName> from;
  std::string as;
  std::optional<std::string> local_field;
  std::string foreign_field;
  std::vector<std::pair<std::string, ExpressionPtr>> let;
  std::optional<Value> pipeline;
  int depth = 0;

 private:
  static void FieldsWith(model::DocumentView document, std::span<const std::string> steps,
                         const Value& value, DocumentBuilder& out) {
    bool is_found = false;
    const auto write = [&](model::DocumentView below) {
      if (steps.size() == 1) {
        out.Append(steps.front(), value);
        return;
      }
      out.OpenObject(steps.front());
      FieldsWith(below, steps.subspan(1), value, out);
      out.Close();
    };
    for (const model::ElementView element : document) {
      if (element.name() != steps.front()) {
        out.Append(element.name(), element);
        continue;
      }
      is_found = true;
      write(element.kind() == Kind::kObject ? element.AsDocument() : model::DocumentView());
    }
    if (!is_found) write(model::DocumentView());
  }

  Answer<Values> Joined(const Row& row, const StageRun& run) const {
    MatcherPtr filter;
    if (local_field.has_value()) {
      const Value local = ValueAtPath(row.document, SplitPath(*local_field));
      MONGO_ASSIGN(filter, FilterOn(foreign_field, JoinValues(local), run.context));
    }
    std::unique_ptr<RowSource> rows;
    std::vector<StagePtr> stages;
    if (pipeline.has_value()) {
      auto context = std::make_shared<QueryContext>(*run.context);
      for (const auto& [name, expression] : let) {
        MONGO_ASSIGN(Value value,
                     EvaluateOn(*expression, row.document, *run.context, row.meta.get()));
        std::erase_if(context->variables, [&](const Field& field) { return field.name == name; });
        context->variables.push_back({name, std::move(value)});
      }
      MONGO_ASSIGN(stages, ParseStages(*pipeline, {context, depth + 1}));
      const StageRun inner{context, run.access};
      size_t first = 0;
      if (filter == nullptr && !stages.empty() && stages.front()->filter() != nullptr) {
        filter = stages.front()->filter();
        first = 1;
      }
      if (from.has_value()) {
        MONGO_ASSIGN(rows, ReadFrom(*from, filter, run));
      } else {
        rows = RowsOf({});
        first = 0;
      }
      rows = OpenStages(stages, std::move(rows), inner, first);
    } else {
      MONGO_ASSIGN(rows, ReadFrom(*from, filter, run));
    }
    Values found;
    size_t bytes = 0;
    while (true) {
      MONGO_ASSIGN(const std::optional<Row> joined, rows->Next());
      if (!joined.has_value()) return found;
      bytes += joined->document.bson().size();
      if (bytes > kDocumentBytesMax * 6) {
        return Refuse(4568, "Total size of documents in " + (from ? from->collection : "") +
                                " matching pipeline's $lookup stage exceeds 104857600 bytes");
      }
      found.push_back(joined->document.view().ToObject());
    }
  }
};

Answer<StagePtr> ParseLookup(const std::string& name, const Value& argument,
                             const StageParseContext& parse) {
  if (argument.kind() != Kind::kObject) {
    return Refuse(ErrorCode::kFailedToParse,
                  fmt::format("the $lookup specification must be an Object, but found {}",
                              BsonTypeName(argument.kind())));
  }
  auto stage = std::make_shared<LookupStage>();
  stage->depth = parse.depth;
  bool has_let = false;
  for (const Field& field : argument.AsFields()) {
    if (field.name == "from") {
      MONGO_ASSIGN(stage->from, FromOption(name, field));
    } else if (field.name == "as") {
      MONGO_ASSIGN(stage->as, StringOption(name, field));
    } else if (field.name == "localField") {
      MONGO_ASSIGN(stage->local_field, StringOption(name, field));
    } else if (field.name == "foreignField") {
      MONGO_ASSIGN(stage->foreign_field, StringOption(name, field));
    } else if (field.name == "pipeline") {
      stage->pipeline = field.value;
    } else if (field.name == "let") {
      has_let = true;
      if (field.value.kind() != Kind::kObject) {
        return Refuse(ErrorCode::kFailedToParse,
                      fmt::format("$lookup argument 'let' must be an object, is type {}",
                                  BsonTypeName(field.value.kind())));
      }
      for (const Field& variable : field.value.AsFields()) {
        MONGO_TRY(ExpressionParser::CheckVariableName(variable.name));
        MONGO_ASSIGN(ExpressionPtr expression, ParseExpression(variable.value, *parse.context));
        stage->let.emplace_back(variable.name, std::move(expression));
      }
    } else {
      return Refuse(ErrorCode::kFailedToParse,
                    fmt::format("unknown argument to $lookup: {}", field.name));
    }
  }
  if (stage->as.empty()) {
    return Refuse(ErrorCode::kFailedToParse, "must specify 'as' field for a $lookup");
  }
  const bool has_fields = stage->local_field.has_value() && !stage->foreign_field.empty();
  if (!stage->pipeline.has_value()) {
    if (!has_fields) {
      return Refuse(ErrorCode::kFailedToParse,
                    "$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to "
                    "be specified");
    }
    if (has_let) {
      return Refuse(ErrorCode::kFailedToParse,
                    "$lookup with a 'let' argument must also specify 'pipeline'");
    }
    if (!stage->from.has_value()) {
      return Refuse(ErrorCode::kFailedToParse, "must specify 'from' field for a $lookup");
    }
    return stage;
  }
  if (stage->local_field.has_value() == stage->foreign_field.empty()) {
    return Refuse(ErrorCode::kFailedToParse,
                  "$lookup requires both or neither of 'localField' and 'foreignField' to be "
                  "specified");
  }
  // Checked now with variables that hold nothing; parsed again with their values.
  auto context = std::make_shared<QueryContext>(*parse.context);
  for (const auto& [variable, expression] : stage->let) {
    context->variables.push_back({variable, Value::Null()});
  }
  MONGO_ASSIGN(const std::vector<StagePtr> stages,
               ParseStages(*stage->pipeline, {context, parse.depth + 1}));
  if (!stage->from.has_value() && (stages.empty() || !stages.front()->makes_its_input())) {
    return Refuse(ErrorCode::kFailedToParse,
                  "must specify 'from' field for a $lookup without a first $documents stage");
  }
  return stage;
}

class UnionStage final : public Stage {
 public:
  std::unique_ptr<RowSource> Open(std::unique_ptr<RowSource> input,
                                  const StageRun& run) const override {
    return std::make_unique<UnionRows>(*this, std::move(input), run);
  }
  void AddCollections(std::vector<CollectionName>& names) const override {
    if (from.has_value()) names.push_back(*from);
    for (const StagePtr& stage : stages) stage->AddCollections(names);
  }

  std::optional<CollectionName> from;
  std::vector<StagePtr> stages;

 private:
  class UnionRows final : public RowSource {
   public:
    UnionRows(const UnionStage& stage, std::unique_ptr<RowSource> input, StageRun run)
        : stage_(stage), input_(std::move(input)), run_(std::move(run)) {}
    Answer<std::optional<Row>> Next() override {
      while (true) {
        MONGO_ASSIGN(std::optional<Row> row, input_->Next());
        if (row.has_value() || is_second_) return row;
        is_second_ = true;
        input_ = RowsOf({});
        if (stage_.from.has_value()) {
          MONGO_ASSIGN(input_, ReadFrom(*stage_.from, nullptr, run_));
        }
        input_ = OpenStages(stage_.stages, std::move(input_), run_);
      }
    }

   private:
    const UnionStage& stage_;
    std::unique_ptr<RowSource> input_;
    StageRun run_;
    bool is_second_ = false;
  };
};

Answer<StagePtr> ParseUnionWith(const std::string&, const Value& argument,
                                const StageParseContext& parse) {
  auto stage = std::make_shared<UnionStage>();
  if (argument.kind() == Kind::kString) {
    stage->from = CollectionName{"", argument.AsString()};
    return stage;
  }
  if (argument.kind() != Kind::kObject) {
    return Refuse(ErrorCode::kFailedToParse,
                  fmt::format("the $unionWith stage specification must be an object or string, but "
                              "found {}",
                              BsonTypeName(argument.kind())));
  }
  for (const Field& field : argument.AsFields()) {
    if (field.name == "coll") {
      MONGO_ASSIGN(std::string name, StringOption("$unionWith", field));
      stage->from = CollectionName{"", std::move(name)};
    } else if (field.name == "pipeline") {
      MONGO_ASSIGN(stage->stages, ParseStages(field.value, {parse.context, parse.depth + 1}));
    } else {
      return Refuse(40415,
                    fmt::format("BSON field '$unionWith.{}' is an unknown field.", field.name));
    }
  }
  if (!stage->from.has_value() &&
      (stage->stages.empty() || !stage->stages.front()->makes_its_input())) {
    return Refuse(ErrorCode::kFailedToParse,
                  "$unionWith stage without explicit collection must have a pipeline with "
                  "$documents as first stage");
  }
  return stage;
}

class GraphLookupStage final : public Stage {
 public:
  std::unique_ptr<RowSource> Open(std::unique_ptr<RowSource> input,
                                  const StageRun& run) const override {
    return MapRows(std::move(input), [this, run](Row row) -> Answer<std::optional<Row>> {
      MONGO_ASSIGN(Values found, Search(row, run));
      DocumentBuilder out;
      for (const model::ElementView element : row.document.view()) {
        if (element.name() != as) out.Append(element.name(), element);
      }
      out.Append(as, Value::Array(std::move(found)));
      row.document = std::move(out).Finish();
      return std::move(row);
    });
  }
  void AddCollections(std::vector<CollectionName>& names) const override { names.push_back(from); }

  CollectionName from;
  ExpressionPtr start_with;
  std::string connect_from;
  std::string connect_to;
  std::string as;
  std::optional<int64_t> depth_max;
  std::string depth_field;
  std::optional<Value> restriction;

 private:
  // The values that are searched next: an array's elements; nothing leads to nothing.
  static Values LinksOf(const Value& value) {
    if (value.is_undefined()) return {};
    if (value.kind() == Kind::kArray && value.AsValues().empty()) return {};
    return JoinValues(value);
  }

  Answer<Values> Search(const Row& row, const StageRun& run) const {
    MONGO_ASSIGN(const Value start, EvaluateOn(*start_with, row.document, *run.context));
    const auto less = [&](const Value& a, const Value& b) {
      return CompareValues(a, b, run.context->collator.get()) < 0;
    };
    std::set<Value, decltype(less)> asked(less);
    std::set<Value, decltype(less)> visited(less);
    Values frontier = LinksOf(start);
    Values found;
    StageMemory memory("$graphLookup", *run.context);
    for (int64_t depth = 0; !frontier.empty() && (!depth_max || depth <= *depth_max); ++depth) {
      Values wanted;
      for (Value& value : frontier) {
        if (asked.insert(value).second) wanted.push_back(std::move(value));
      }
      frontier.clear();
      if (wanted.empty()) break;
      MONGO_ASSIGN(MatcherPtr filter, FilterOn(connect_to, std::move(wanted), run.context));
      // A link of null leads to null, not to documents without the field.
      Values demands = {
          filter->filter().ToObject(),
          Value::Object({{connect_to, Value::Object({{"$exists", Value::Bool(true)}})}})};
      if (restriction.has_value()) demands.push_back(*restriction);
      const Value both = Value::Object({{"$and", Value::Array(std::move(demands))}});
      MONGO_ASSIGN(filter, Matcher::Parse(model::ToDocument(both), run.context));
      MONGO_ASSIGN(const std::unique_ptr<RowSource> rows, ReadFrom(from, filter, run));
      while (true) {
        MONGO_ASSIGN(const std::optional<Row> next, rows->Next());
        if (!next.has_value()) break;
        if (!visited.insert(next->document.view().Get("_id")).second) continue;
        MONGO_TRY(memory.Add(next->document.bson().size() + 64));
        const Value link = ValueAtPath(next->document, SplitPath(connect_from));
        for (Value& value : LinksOf(link)) frontier.push_back(std::move(value));
        Value document = next->document.view().ToObject();
        if (!depth_field.empty()) {
          document.MutableFields().push_back({depth_field, Value::Int64(depth)});
        }
        found.push_back(std::move(document));
      }
    }
    return found;
  }
};

Answer<StagePtr> ParseGraphLookup(const std::string& name, const Value& argument,
                                  const StageParseContext& parse) {
  if (argument.kind() != Kind::kObject) {
    return Refuse(
        ErrorCode::kFailedToParse,
        fmt::format("the $graphLookup stage specification must be an object, but found {}",
                    BsonTypeName(argument.kind())));
  }
  auto stage = std::make_shared<GraphLookupStage>();
  for (const Field& field : argument.AsFields()) {
    if (field.name == "from") {
      MONGO_ASSIGN(stage->from, FromOption(name, field));
    } else if (field.name == "startWith") {
      MONGO_ASSIGN(stage->start_with, ParseExpression(field.value, *parse.context));
    } else if (field.name == "connectFromField") {
      MONGO_ASSIGN(stage->connect_from, StringOption(name, field));
    } else if (field.name == "connectToField") {
      MONGO_ASSIGN(stage->connect_to, StringOption(name, field));
    } else if (field.name == "as") {
      MONGO_ASSIGN(stage->as, StringOption(name, field));
    } else if (field.name == "depthField") {
      MONGO_ASSIGN(stage->depth_field, StringOption(name, field));
    } else if (field.name == "maxDepth") {
      stage->depth_max = field.value.is_number() ? ExactInt64(field.value) : std::nullopt;
      if (!stage->depth_max.has_value() || *stage->depth_max < 0) {
        return Refuse(40101, "maxDepth requires a nonnegative argument");
      }
    } else if (field.name == "restrictSearchWithMatch") {
      if (field.value.kind() != Kind::kObject) {
        return Refuse(40185, "restrictSearchWithMatch must be an object");
      }
      MONGO_TRY(Matcher::Parse(model::ToDocument(field.value), parse.context, {.near = false}));
      stage->restriction = field.value;
    } else {
      return Refuse(40104, fmt::format("Unknown argument to $graphLookup: {}", field.name));
    }
  }
  if (stage->from.collection.empty() || stage->start_with == nullptr ||
      stage->connect_from.empty() || stage->connect_to.empty() || stage->as.empty()) {
    return Refuse(40105,
                  "$graphLookup requires 'from', 'as', 'startWith', 'connectFromField', and "
                  "'connectToField' to be specified.");
  }
  return stage;
}

constexpr NamedStage kJoinStages[] = {
    {"$lookup", ParseLookup},
    {"$unionWith", ParseUnionWith},
    {"$graphLookup", ParseGraphLookup},
};

}  // namespace

std::span<const NamedStage> JoinStages() { return kJoinStages; }

}  // namespace orrery::mongo
