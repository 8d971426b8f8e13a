// $group, $count, $sortByCount, $bucket, $bucketAuto, $facet.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "api/mongo/language/accumulator/accumulator.h"
#include "api/mongo/language/expression/expression_parser.h"
#include "api/mongo/language/pipeline/granularity.h"
#include "api/mongo/language/pipeline/group_plan.h"
#include "api/mongo/language/pipeline/group_rows.h"
#include "api/mongo/language/pipeline/stage.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/number.h"
#include "api/mongo/language/value/print.h"
#include "api/mongo/language/value/stable_sort.h"
#include "model/document/document_builder.h"
#include "model/number/number.h"
#include "model/value_size.h"

namespace orrery::mongo {
namespace {

using model::DocumentBuilder;
using model::Field;
using model::Kind;
using model::Value;

Answer<std::vector<NamedAccumulator>> ParseOutputs(const model::Fields& fields,
                                                   const QueryContext& context) {
  std::vector<NamedAccumulator> outputs;
  for (const Field& field : fields) {
    if (field.name == "_id") continue;
    if (field.name.find('.') != std::string::npos) {
      return Refuse(40235, fmt::format("The field name '{}' cannot contain '.'", field.name));
    }
    if (field.name.starts_with('$')) {
      return Refuse(40236,
                    fmt::format("The field name '{}' cannot be an operator name", field.name));
    }
    if (field.value.kind() != Kind::kObject || field.value.AsFields().empty() ||
        !field.value.AsFields().front().name.starts_with('$')) {
      return Refuse(40234, fmt::format("The field '{}' must be an accumulator object", field.name));
    }
    if (field.value.AsFields().size() != 1) {
      return Refuse(40238, fmt::format("The field '{}' must specify one accumulator", field.name));
    }
    const Field& accumulator = field.value.AsFields().front();
    ExpressionParser parser(context);
    MONGO_ASSIGN(AccumulatorSpecPtr spec,
                 ParseAccumulator(parser, accumulator.name, accumulator.value));
    outputs.push_back({field.name, std::move(spec)});
  }
  return outputs;
}

class GroupStage final : public Stage {
 public:
  GroupStage(ExpressionPtr id, std::vector<NamedAccumulator> outputs, GroupPlanPtr plan)
      : id_(std::move(id)), outputs_(std::move(outputs)), plan_(std::move(plan)) {}
  GroupPlanPtr group() const override { return plan_; }
  std::unique_ptr<RowSource> Open(std::unique_ptr<RowSource> input,
                                  const StageRun& run) const override {
    return std::make_unique<GroupRows>(std::move(input), *id_, outputs_, run.context);
  }

 private:
  ExpressionPtr id_;
  std::vector<NamedAccumulator> outputs_;
  GroupPlanPtr plan_;  // null: only the stage itself can group
};

// A key of one field has null for what is missing; one of several fields leaves missing ones out.
Value GroupKey(const Value& id) {
  if (id.kind() != Kind::kObject || id.AsFields().size() != 1) return id;
  const Field& field = id.AsFields().front();
  const bool is_object =
      field.value.kind() == Kind::kObject &&
      (field.value.AsFields().empty() || !field.value.AsFields().front().name.starts_with('$'));
  if (field.name.starts_with('$') || is_object) return id;
  return Value::Object(
      {{field.name, Value::Object({{"$ifNull", Value::Array({field.value, Value::Null()})}})}});
}

Answer<StagePtr> ParseGroup(const std::string&, const Value& argument,
                            const StageParseContext& parse) {
  if (argument.kind() != Kind::kObject) {
    return Refuse(15947, "a group's fields must be specified in an object");
  }
  const Value* id = argument.Find("_id");
  if (id == nullptr) return Refuse(15955, "a group specification must include an _id");
  if (id->kind() == Kind::kObject && !id->AsFields().empty() &&
      !id->AsFields().front().name.starts_with('$')) {
    for (const Field& part : id->AsFields()) {
      if (part.value.is_number() || part.value.kind() == Kind::kBool)
        return Refuse(17390, "$group does not support inclusion-style expressions");
    }
  }
  MONGO_ASSIGN(ExpressionPtr expression, ParseExpression(GroupKey(*id), *parse.context));
  MONGO_ASSIGN(const ExpressionPtr plain, ParseExpression(*id, *parse.context));
  MONGO_ASSIGN(std::vector<NamedAccumulator> outputs,
               ParseOutputs(argument.AsFields(), *parse.context));
  std::vector<std::pair<std::string, AccumulatorSpecPtr>> specs;
  for (const NamedAccumulator& output : outputs) specs.emplace_back(output.name, output.spec);
  GroupPlanPtr plan = PlanGroup(*plain, specs, *parse.context);
  return std::make_shared<GroupStage>(std::move(expression), std::move(outputs), std::move(plan));
}

Value ObjectOf(std::string name, Value value) {
  return Value::Object({{std::move(name), std::move(value)}});
}

Answer<StagePtr> ParseCountStage(const std::string&, const Value& argument,
                                 const StageParseContext& parse) {
  if (argument.kind() != Kind::kString) {
    return Refuse(40156, "the count field must be a non-empty string");
  }
  const std::string& name = argument.AsString();
  if (name.empty()) return Refuse(40157, "the count field must be a non-empty string");
  if (name.starts_with('$')) return Refuse(40158, "the count field cannot be a $-prefixed path");
  if (name.find('.') != std::string::npos) {
    return Refuse(40160, "the count field cannot contain '.'");
  }
  return ComposeStages(
      {ObjectOf("$group",
                Value::Object({{"_id", Value::Null()}, {name, ObjectOf("$sum", Value::Int32(1))}})),
       ObjectOf("$project", ObjectOf("_id", Value::Int32(0)))},
      parse);
}

Answer<StagePtr> ParseSortByCount(const std::string&, const Value& argument,
                                  const StageParseContext& parse) {
  const bool is_expression = argument.kind() == Kind::kObject && !argument.AsFields().empty() &&
                             argument.AsFields().front().name.starts_with('$');
  const bool is_path = argument.kind() == Kind::kString && argument.AsString().starts_with('$');
  if (argument.kind() == Kind::kObject && !is_expression) {
    return Refuse(40147,
                  fmt::format("the sortByCount field must be defined as a $-prefixed path or "
                              "an expression inside an object"));
  }
  if (!is_path && !is_expression) {
    return Refuse(argument.kind() == Kind::kString ? 40148 : 40149,
                  "the sortByCount field must be specified as a string or as an object");
  }
  return ComposeStages(
      {ObjectOf("$group",
                Value::Object({{"_id", argument}, {"count", ObjectOf("$sum", Value::Int32(1))}})),
       ObjectOf("$sort", ObjectOf("count", Value::Int32(-1)))},
      parse);
}

Value DefaultOutput() { return ObjectOf("count", ObjectOf("$sum", Value::Int32(1))); }

Answer<StagePtr> ParseBucket(const std::string&, const Value& argument,
                             const StageParseContext& parse) {
  if (argument.kind() != Kind::kObject) {
    return Refuse(40201,
                  fmt::format("Argument to $bucket stage must be an object, but found type: {}.",
                              BsonTypeName(argument.kind())));
  }
  for (const Field& field : argument.AsFields()) {
    if (field.name != "groupBy" && field.name != "boundaries" && field.name != "default" &&
        field.name != "output") {
      return Refuse(40197, fmt::format("Unrecognized option to $bucket: {}.", field.name));
    }
  }
  const Value* group_by = argument.Find("groupBy");
  const Value* boundaries = argument.Find("boundaries");
  const bool is_expression =
      group_by == nullptr ||
      (group_by->kind() == Kind::kObject && !group_by->AsFields().empty() &&
       group_by->AsFields().front().name.starts_with('$')) ||
      (group_by->kind() == Kind::kString && group_by->AsString().starts_with('$'));
  if (!is_expression) {
    return Refuse(40202,
                  fmt::format("The $bucket 'groupBy' field must be defined as a $-prefixed path or "
                              "an expression, but found: {}.",
                              PrintBson(*group_by)));
  }
  if (group_by == nullptr || boundaries == nullptr) {
    return Refuse(40198, "$bucket requires 'groupBy' and 'boundaries' to be specified.");
  }
  if (boundaries->kind() != Kind::kArray) {
    return Refuse(40200,
                  fmt::format("The $bucket 'boundaries' field must be an array, but found type: "
                              "{}.",
                              BsonTypeName(boundaries->kind())));
  }
  const Collator* const collator = parse.context->collator.get();
  model::Values limits;
  for (const Value& boundary : boundaries->AsValues()) {
    MONGO_ASSIGN(const ExpressionPtr limit, ParseExpression(boundary, *parse.context));
    if (limit->constant() == nullptr) {
      return Refuse(40191,
                    fmt::format("The $bucket 'boundaries' field must be an array of constant "
                                "values, but found value: {}.",
                                PrintBson(boundary)));
    }
    limits.push_back(*limit->constant());
  }
  if (limits.size() < 2) {
    return Refuse(40192,
                  fmt::format("The $bucket 'boundaries' field must have at least 2 values, but "
                              "found {} value(s).",
                              limits.size()));
  }
  model::Values branches;
  for (size_t i = 0; i + 1 < limits.size(); ++i) {
    const bool are_alike = limits[i].kind() == limits[i + 1].kind() ||
                           (limits[i].is_number() && limits[i + 1].is_number());
    if (!are_alike) {
      return Refuse(
          40193, fmt::format("All values in the the 'boundaries' option to $bucket must "
                             "have the same type. Found conflicting types {} and {}.",
                             BsonTypeName(limits[i].kind()), BsonTypeName(limits[i + 1].kind())));
    }
    if (CompareValues(limits[i], limits[i + 1], collator) >= 0) {
      return Refuse(40194, "The 'boundaries' option to $bucket must be sorted, but elements " +
                               std::to_string(i) + " and " + std::to_string(i + 1) +
                               " are not in ascending order");
    }
    const auto compared = [&](const char* name, const Value& limit) {
      return ObjectOf(name, Value::Array({*group_by, ObjectOf("$literal", limit)}));
    };
    branches.push_back(
        Value::Object({{"case", ObjectOf("$and", Value::Array({compared("$gte", limits[i]),
                                                               compared("$lt", limits[i + 1])}))},
                       {"then", ObjectOf("$literal", limits[i])}}));
  }
  model::Fields choice{{"branches", Value::Array(std::move(branches))}};
  if (const Value* given = argument.Find("default")) {
    MONGO_ASSIGN(const ExpressionPtr otherwise, ParseExpression(*given, *parse.context));
    if (otherwise->constant() == nullptr) {
      return Refuse(40195, fmt::format("The $bucket 'default' field must be a constant expression, "
                                       "but found: {}.",
                                       PrintBson(*given)));
    }
    const Value value = *otherwise->constant();
    if (CompareValues(value, limits.front(), collator) >= 0 &&
        CompareValues(value, limits.back(), collator) < 0) {
      return Refuse(40199,
                    "The $bucket 'default' field must be less than the lowest boundary or greater "
                    "than or equal to the highest boundary.");
    }
    choice.push_back({"default", ObjectOf("$literal", value)});
  }
  const Value* output = argument.Find("output");
  model::Fields group{{"_id", ObjectOf("$switch", Value::Object(std::move(choice)))}};
  const Value outputs = output == nullptr ? DefaultOutput() : *output;
  if (outputs.kind() != Kind::kObject) {
    return Refuse(40196, "The $bucket 'output' field must be an object");
  }
  for (const Field& field : outputs.AsFields()) group.push_back(field);
  return ComposeStages({ObjectOf("$group", Value::Object(std::move(group))),
                        ObjectOf("$sort", ObjectOf("_id", Value::Int32(1)))},
                       parse);
}

class BucketAutoStage final : public Stage {
 public:
  std::unique_ptr<RowSource> Open(std::unique_ptr<RowSource> input,
                                  const StageRun& run) const override {
    return CollectRows(std::move(input), [this, context = run.context](RowSource& rows) {
      return Divide(rows, *context);
    });
  }

  ExpressionPtr group_by;
  int64_t buckets = 1;
  std::optional<Granularity> granularity;
  std::vector<NamedAccumulator> outputs;

 private:
  Answer<std::vector<Row>> Divide(RowSource& rows, const QueryContext& context) const {
    std::vector<std::pair<Value, Row>> sorted;
    StageMemory memory("$bucketAuto", context);
    while (true) {
      MONGO_ASSIGN(std::optional<Row> row, rows.Next());
      if (!row.has_value()) break;
      MONGO_TRY(memory.Add(row->document.bson().size() + 64));
      MONGO_ASSIGN(Value key, EvaluateOn(*group_by, row->document, context, row->meta.get()));
      if (key.is_undefined()) key = Value::Null();
      sorted.emplace_back(std::move(key), *std::move(row));
    }
    const Collator* collator = context.collator.get();
    StableSort(sorted, [&](const auto& a, const auto& b) {
      return CompareValues(a.first, b.first, collator) < 0;
    });
    std::vector<Row> results;
    std::optional<Value> last_boundary;
    const double size = std::max(
        1.0, std::round(static_cast<double>(sorted.size()) / static_cast<double>(buckets)));
    const auto size_of_bucket = static_cast<size_t>(size);
    size_t at = 0;
    while (at < sorted.size()) {
      size_t end = std::min(sorted.size(), at + size_of_bucket);
      if (static_cast<int64_t>(results.size()) + 1 == buckets) end = sorted.size();
      MONGO_ASSIGN(const Value upper, UpperOf(sorted, end, context));
      Value lower = sorted[at].first;
      if (granularity.has_value()) {
        if (last_boundary.has_value()) {
          lower = *last_boundary;
        } else {
          MONGO_ASSIGN(lower, granularity->RoundDown(lower, context));
        }
        last_boundary = upper;
      }
      GroupState group(outputs, Value::Null());
      for (size_t i = at; i < end; ++i) {
        Evaluation evaluation{.root = sorted[i].second.document, .context = context, .current = {}};
        MONGO_TRY(group.Add(outputs, evaluation));
      }
      MONGO_ASSIGN(Row row, group.Result(Value::Object({{"min", std::move(lower)}, {"max", upper}}),
                                         outputs));
      results.push_back(std::move(row));
      at = end;
    }
    return results;
  }

  // The upper boundary of a bucket that ends before `end`, which moves over all rows below it.
  Answer<Value> UpperOf(const std::vector<std::pair<Value, Row>>& sorted, size_t& end,
                        const QueryContext& context) const {
    const Collator* collator = context.collator.get();
    const Value last = sorted[end - 1].first;
    if (!granularity.has_value()) {
      // Equal keys stay together.
      while (end < sorted.size() && EqualValues(sorted[end].first, last, collator)) ++end;
      return end < sorted.size() ? sorted[end].first : last;
    }
    MONGO_ASSIGN(Value boundary, granularity->RoundUp(last, context));
    while (end < sorted.size() && CompareValues(sorted[end].first, boundary, collator) < 0) ++end;
    const bool is_zero = boundary.is_number() && model::ToDouble(boundary) == 0;
    if (is_zero && end < sorted.size()) return granularity->RoundDown(sorted[end].first, context);
    return boundary;
  }
};

Answer<StagePtr> ParseBucketAuto(const std::string&, const Value& argument,
                                 const StageParseContext& parse) {
  if (argument.kind() != Kind::kObject) {
    return Refuse(40240,
                  fmt::format("The argument to $bucketAuto must be an object, but found type: "
                              "{}.",
                              BsonTypeName(argument.kind())));
  }
  for (const Field& field : argument.AsFields()) {
    if (field.name == "groupBy" || field.name == "buckets" || field.name == "output" ||
        field.name == "granularity") {
      continue;
    }
    return Refuse(40245, fmt::format("Unrecognized option to $bucketAuto: {}", field.name));
  }
  const Value* group_by = argument.Find("groupBy");
  const Value* buckets = argument.Find("buckets");
  if (group_by == nullptr || buckets == nullptr) {
    return Refuse(40246, "$bucketAuto requires 'groupBy' and 'buckets' to be specified");
  }
  const bool is_path = group_by->kind() == Kind::kString && group_by->AsString().starts_with('$');
  const bool is_expression = group_by->kind() == Kind::kObject && !group_by->AsFields().empty() &&
                             group_by->AsFields().front().name.starts_with('$');
  if (!is_path && !is_expression) {
    return Refuse(40239, fmt::format("The $bucketAuto 'groupBy' field must be defined as a "
                                     "$-prefixed path or an expression object, but found: {}",
                                     PrintBson(*group_by)));
  }
  auto stage = std::make_shared<BucketAutoStage>();
  if (const Value* name = argument.Find("granularity")) {
    if (name->kind() != Kind::kString) {
      return Refuse(40261, fmt::format("The $bucketAuto 'granularity' field must be a string, but "
                                       "found type: {}",
                                       BsonTypeName(name->kind())));
    }
    MONGO_ASSIGN(stage->granularity, Granularity::Parse(name->AsString()));
  }
  if (!buckets->is_number()) {
    return Refuse(40241, fmt::format("The $bucketAuto 'buckets' field must be a numeric value, but "
                                     "found type: {}",
                                     BsonTypeName(buckets->kind())));
  }
  const std::optional<int64_t> count = ExactInt64(*buckets);
  if (!count.has_value() || *count != static_cast<int32_t>(*count)) {
    return Refuse(40242, fmt::format("The $bucketAuto 'buckets' field must be representable as a "
                                     "32-bit integer, but found {}",
                                     PrintBson(*buckets)));
  }
  if (*count <= 0) {
    return Refuse(40243, fmt::format("The $bucketAuto 'buckets' field must be greater than 0, but "
                                     "found: {}",
                                     *count));
  }
  stage->buckets = *count;
  MONGO_ASSIGN(stage->group_by, ParseExpression(*group_by, *parse.context));
  const Value* output = argument.Find("output");
  const Value outputs = output == nullptr ? DefaultOutput() : *output;
  if (outputs.kind() != Kind::kObject) {
    return Refuse(40244, "The $bucketAuto 'output' field must be an object");
  }
  MONGO_ASSIGN(stage->outputs, ParseOutputs(outputs.AsFields(), *parse.context));
  return stage;
}

class FacetStage final : public Stage {
 public:
  std::unique_ptr<RowSource> Open(std::unique_ptr<RowSource> input,
                                  const StageRun& run) const override {
    return CollectRows(std::move(input),
                       [this, run](RowSource& rows) { return Collect(rows, run); });
  }
  void AddCollections(std::vector<CollectionName>& names) const override {
    for (const auto& [name, stages] : facets) {
      for (const StagePtr& stage : stages) stage->AddCollections(names);
    }
  }

  std::vector<std::pair<std::string, std::vector<StagePtr>>> facets;

 private:
  Answer<std::vector<Row>> Collect(RowSource& rows, const StageRun& run) const {
    std::vector<Row> all;
    StageMemory memory("$facet", *run.context);
    while (true) {
      MONGO_ASSIGN(std::optional<Row> row, rows.Next());
      if (!row.has_value()) break;
      MONGO_TRY(memory.Add(row->document.bson().size()));
      all.push_back(*std::move(row));
    }
    DocumentBuilder out;
    for (const auto& [name, stages] : facets) {
      const std::unique_ptr<RowSource> facet = OpenStages(stages, RowsOf(all), run);
      out.OpenArray(name);
      for (size_t index = 0;; ++index) {
        MONGO_ASSIGN(const std::optional<Row> row, facet->Next());
        if (!row.has_value()) break;
        out.AppendDocument(std::to_string(index), row->document);
      }
      out.Close();
    }
    std::vector<Row> result;
    result.push_back(Row{std::move(out).Finish()});
    return result;
  }
};

Answer<StagePtr> ParseFacet(const std::string&, const Value& argument,
                            const StageParseContext& parse) {
  if (argument.kind() != Kind::kObject || argument.AsFields().empty()) {
    return Refuse(40169, "the $facet specification must be a non-empty object, but found: " +
                             PrintElement("$facet", argument));
  }
  auto stage = std::make_shared<FacetStage>();
  for (const Field& field : argument.AsFields()) {
    if (field.value.kind() != Kind::kArray) {
      return Refuse(40170, fmt::format("arguments to $facet must be arrays, {} is type {}",
                                       field.name, BsonTypeName(field.value.kind())));
    }
    if (field.name.starts_with('$')) {
      return Refuse(16410,
                    "FieldPath field names may not start with '$'. Consider using $getField or "
                    "$setField.");
    }
    if (field.name.find('.') != std::string::npos) {
      return Refuse(16412,
                    "FieldPath field names may not contain '.'. Consider using $getField or "
                    "$setField.");
    }
    size_t index = 0;
    for (const Value& inner : field.value.AsValues()) {
      if (inner.kind() != Kind::kObject) {
        return Refuse(40171,
                      fmt::format("elements of arrays in $facet spec must be non-empty objects, {} "
                                  "argument contained an element of type {}: {}",
                                  field.name, BsonTypeName(inner.kind()),
                                  PrintElement(std::to_string(index), inner)));
      }
      ++index;
      if (inner.Find("$facet") != nullptr) {
        return Refuse(40600, "$facet is not allowed to be used within a $facet stage");
      }
    }
    StageParseContext below = parse;
    ++below.depth;
    below.is_facet = true;
    MONGO_ASSIGN(std::vector<StagePtr> stages, ParseStages(field.value, below));
    for (const StagePtr& inner : stages) {
      if (inner->is_top_only()) {
        return Refuse(40600,
                      "a stage that makes or writes documents is not allowed to be used "
                      "within a $facet stage");
      }
    }
    stage->facets.emplace_back(field.name, std::move(stages));
  }
  return stage;
}

constexpr NamedStage kGroupStages[] = {
    {"$group", ParseGroup},   {"$count", ParseCountStage},      {"$sortByCount", ParseSortByCount},
    {"$bucket", ParseBucket}, {"$bucketAuto", ParseBucketAuto}, {"$facet", ParseFacet},
};

}  // namespace

std::span<const NamedStage> GroupStages() { return kGroupStages; }

}  // namespace orrery::mongo
