// $graphLookup, $unionWith.
#include <fmt/core.h>

#include <set>

#include "api/mongo/language/expression/expression_parser.h"
#include "api/mongo/language/expression/path_value.h"
#include "api/mongo/language/pipeline/join.h"
#include "api/mongo/language/projection/projection_parser.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/field_path.h"
#include "api/mongo/language/value/number.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

using model::DocumentBuilder;
using model::Field;
using model::Kind;
using model::Value;
using model::Values;

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
          MONGO_ASSIGN(input_, ReadJoined(*stage_.from, nullptr, run_));
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
      MONGO_ASSIGN(std::string name, JoinStringOption("$unionWith", field));
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
      MONGO_ASSIGN(MatcherPtr filter, JoinFilter(connect_to, std::move(wanted), run.context));
      // A link of null leads to null, not to documents without the field.
      Values demands = {
          filter->filter().ToObject(),
          Value::Object({{connect_to, Value::Object({{"$exists", Value::Bool(true)}})}})};
      if (restriction.has_value()) demands.push_back(*restriction);
      const Value both = Value::Object({{"$and", Value::Array(std::move(demands))}});
      MONGO_ASSIGN(filter, Matcher::Parse(model::ToDocument(both), run.context));
      MONGO_ASSIGN(const std::unique_ptr<RowSource> rows, ReadJoined(from, filter, run));
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
      MONGO_ASSIGN(stage->from, JoinFromOption(name, field));
    } else if (field.name == "startWith") {
      ExpressionParser parser(*parse.context);
      const ExpressionParser::Unfolded unfolded(parser);
      MONGO_ASSIGN(stage->start_with, parser.Parse(field.value));
    } else if (field.name == "connectFromField") {
      MONGO_ASSIGN(stage->connect_from, JoinStringOption(name, field));
    } else if (field.name == "connectToField") {
      MONGO_ASSIGN(stage->connect_to, JoinStringOption(name, field));
    } else if (field.name == "as") {
      MONGO_ASSIGN(stage->as, JoinStringOption(name, field));
    } else if (field.name == "depthField") {
      MONGO_ASSIGN(stage->depth_field, JoinStringOption(name, field));
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
  MONGO_TRY(CheckProjectionPath(stage->as));
  MONGO_TRY(CheckProjectionPath(stage->connect_from));
  MONGO_TRY(CheckProjectionPath(stage->connect_to));
  if (argument.Find("depthField") != nullptr) MONGO_TRY(CheckProjectionPath(stage->depth_field));
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
