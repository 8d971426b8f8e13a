// $densify, which adds the documents that are lacking in a sequence of numbers or dates, and $fill,
// which gives values to fields that are null.
#include <fmt/core.h>

#include <map>
#include <set>

#include "api/mongo/language/expression/date_time.h"
#include "api/mongo/language/expression/expression_parser.h"
#include "api/mongo/language/expression/path_value.h"
#include "api/mongo/language/pipeline/stage.h"
#include "api/mongo/language/projection/field_tree.h"
#include "api/mongo/language/projection/projection_parser.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/element_compare.h"
#include "api/mongo/language/value/field_path.h"
#include "api/mongo/language/value/number.h"
#include "api/mongo/language/value/stable_sort.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

using model::Field;
using model::Kind;
using model::Value;
using model::Values;

// Documents that one $densify may add.
constexpr size_t kDensifiedMax = 500'000;

int Order(const Value& a, const Value& b) {
  const std::weak_ordering order = CompareValues(a, b, nullptr);
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

struct DensifiedLess {
  bool operator()(const Value& a, const Value& b) const { return Order(a, b) < 0; }
};

enum class DensifyBounds : uint8_t { kFull, kPartition, kExplicit };

class DensifyStage final : public Stage {
 public:
  std::unique_ptr<RowSource> Open(std::unique_ptr<RowSource> input,
                                  const StageRun& run) const override {
    return CollectRows(std::move(input), [this, context = run.context](RowSource& rows) {
      return Densified(rows, *context);
    });
  }

  std::string field;
  std::vector<std::string> partition_fields;
  DensifyBounds bounds = DensifyBounds::kFull;
  Value lower;
  Value upper;
  Value step;
  std::string unit;  // empty: of numbers

 private:
  struct Partition {
    std::vector<std::pair<Value, Row>> rows;  // by the field's value
  };

  // The value one step further. Steps are added one by one: after the 31st of a month and the 28th
  // of February comes the 28th of March.
  Answer<Value> Next(const Value& value) const {
    if (unit.empty()) return AddNumbers(value, step);
    const std::optional<int64_t> moved =
        MoveDate(value.AsDateTime(), unit, ExactInt64(step).value_or(1), model::TimeZone::Utc());
    if (!moved.has_value()) return Refuse(5166406, "$dateAdd overflowed");
    return Value::DateTime(*moved);
  }

  Outcome CheckValue(const Value& value) const {
    if (!value.is_number() && value.kind() != Kind::kDateTime) {
      return Refuse(5733201, "Densify field type must be numeric or a date");
    }
    if (value.is_number() && !unit.empty()) {
      return Refuse(6053600,
                    "Encountered numeric densify value in collection when step has a date unit.");
    }
    if (!value.is_number() && unit.empty()) {
      return Refuse(6053600,
                    "Encountered date densify value in collection when step does not have a date "
                    "unit.");
    }
    return {};
  }

  Answer<std::vector<Row>> Densified(RowSource& rows, const QueryContext& context) const {
    std::map<Value, Partition, DensifiedLess> partitions;
    std::vector<Row> results;
    std::optional<Value> least;
    std::optional<Value> greatest;
    const std::vector<std::string> steps = SplitPath(field);
    StageMemory memory("$densify", context);
    while (true) {
      MONGO_ASSIGN(std::optional<Row> row, rows.Next());
      if (!row.has_value()) break;
      MONGO_TRY(memory.Add(row->document.bson().size() + 128));
      Value value = ValueAtPath(row->document, steps);
      if (value.is_undefined() || value.kind() == Kind::kNull) {
        results.push_back(*std::move(row));
        continue;
      }
      MONGO_TRY(CheckValue(value));
      if (!least.has_value() || Order(value, *least) < 0) least = value;
      if (!greatest.has_value() || Order(value, *greatest) > 0) greatest = value;
      model::Fields key;
      for (const std::string& name : partition_fields) {
        Value part = ValueAtPath(row->document, SplitPath(name));
        if (!part.is_undefined()) key.push_back({name, std::move(part)});
      }
      partitions[Value::Object(std::move(key))].rows.emplace_back(std::move(value),
                                                                  *std::move(row));
    }
    if (bounds == DensifyBounds::kExplicit && partitions.empty()) {
      partitions[Value::Object({})];
    }
    size_t added = 0;
    for (auto& [key, partition] : partitions) {
      StableSort(partition.rows,
                 [](const auto& a, const auto& b) { return Order(a.first, b.first) < 0; });
      Value from = lower;
      Value to = upper;
      if (bounds != DensifyBounds::kExplicit) {
        const bool is_own = bounds == DensifyBounds::kPartition;
        from = is_own ? partition.rows.front().first : *least;
        to = is_own ? partition.rows.back().first : *greatest;
      }
      size_t next = 0;
      Value wanted = from;
      for (bool is_first = true;; is_first = false) {
        if (!is_first) {
          MONGO_ASSIGN(Value following, Next(wanted));
          // A step that is lost in rounding would never end.
          if (Order(following, wanted) <= 0) break;
          wanted = std::move(following);
        }
        const int end = Order(wanted, to);
        if (end > 0 || (end == 0 && bounds == DensifyBounds::kExplicit)) break;
        bool is_there = false;
        while (next < partition.rows.size() && Order(partition.rows[next].first, wanted) <= 0) {
          if (Order(partition.rows[next].first, wanted) == 0) {
            is_there = true;
            // What follows is of the type of the value that is there.
            wanted = partition.rows[next].first;
          }
          results.push_back(std::move(partition.rows[next++].second));
        }
        if (is_there) continue;
        if (++added > kDensifiedMax) {
          return Refuse(
              5897900, fmt::format("Generated {} documents in $densify, which is over the limit of "
                                   "{}. Increase the 'internalQueryMaxAllowedDensifyDocs' "
                                   "parameter to allow more generated documents",
                                   added, kDensifiedMax));
        }
        MONGO_ASSIGN(Row row, Made(key, wanted, context));
        MONGO_TRY(memory.Add(row.document.bson().size() + 128));
        results.push_back(std::move(row));
      }
      while (next < partition.rows.size())
        results.push_back(std::move(partition.rows[next++].second));
    }
    return results;
  }

  Answer<Row> Made(const Value& key, const Value& value, const QueryContext& context) const {
    FieldTree tree;
    for (const Field& part : key.AsFields()) {
      MONGO_TRY(AddLeaf(tree, part.name, ConstantExpression(part.value)));
    }
    MONGO_TRY(AddLeaf(tree, field, ConstantExpression(value)));
    const model::Document empty;
    Evaluation evaluation{.root = empty, .context = context, .current = {}};
    MONGO_ASSIGN(model::Document document, ApplyAddition(tree, empty, evaluation));
    return Row{std::move(document)};
  }
};

std::unexpected<MongoError> MissingField(std::string_view name) {
  return Refuse(40414, fmt::format("BSON field '{}' is missing but a required field", name));
}

Answer<std::vector<std::string>> PartitionFields(std::string_view stage, const Value& value) {
  std::vector<std::string> fields;
  if (value.kind() != Kind::kArray) {
    return Refuse(ErrorCode::kTypeMismatch,
                  fmt::format("BSON field '{}.partitionByFields' is the wrong type '{}', expected "
                              "type 'array'",
                              stage, BsonTypeName(value.kind())));
  }
  for (const Value& name : value.AsValues()) {
    if (name.kind() != Kind::kString) {
      return Refuse(ErrorCode::kTypeMismatch,
                    fmt::format("BSON field '{}.partitionByFields.{}' is the wrong type '{}', "
                                "expected type 'string'",
                                stage, fields.size(), BsonTypeName(name.kind())));
    }
    MONGO_TRY(CheckProjectionPath(name.AsString()));
    fields.push_back(name.AsString());
  }
  return fields;
}

Outcome ReadBounds(const Value& value, DensifyStage& stage) {
  if (value.kind() == Kind::kString) {
    if (value.AsString() == "partition") {
      if (stage.partition_fields.empty()) {
        return Refuse(5733408,
                      "One cannot specify the bounds as 'partition' without specifying a non-empty "
                      "array of partitionByFields. You may have meant to specify 'full' bounds.");
      }
      stage.bounds = DensifyBounds::kPartition;
    } else if (value.AsString() != "full") {
      return Refuse(5946802, "Bounds string must either be 'full' or 'partition'");
    }
    return {};
  }
  if (value.kind() != Kind::kArray || value.AsValues().size() != 2) {
    return Refuse(5733403, "A bounding array in a range statement must have exactly two elements");
  }
  stage.bounds = DensifyBounds::kExplicit;
  stage.lower = value.AsValues()[0];
  stage.upper = value.AsValues()[1];
  const bool are_numbers = stage.lower.is_number() && stage.upper.is_number();
  const bool are_dates =
      stage.lower.kind() == Kind::kDateTime && stage.upper.kind() == Kind::kDateTime;
  if (!are_numbers && !are_dates) {
    return Refuse(5946800, "Explicit bounds must be numeric or dates");
  }
  if (are_numbers && !stage.unit.empty()) {
    return Refuse(5733409, "Numeric bounds may not have unit parameter");
  }
  if (are_dates && stage.unit.empty()) {
    return Refuse(5733410, "A unit is required for date bounds");
  }
  if (Order(stage.lower, stage.upper) > 0) {
    return Refuse(5733402,
                  "A bounding array must be an ascending array of either two dates or two numbers");
  }
  if (are_numbers &&
      (stage.lower.kind() != stage.upper.kind() || stage.lower.kind() != stage.step.kind())) {
    return Refuse(5876900, "Upper bound, lower bound, and step must all have the same type");
  }
  return {};
}

Answer<StagePtr> ParseDensify(const std::string& name, const Value& argument,
                              const StageParseContext&) {
  if (argument.kind() != Kind::kObject) {
    return Refuse(ErrorCode::kFailedToParse,
                  fmt::format("The {} stage specification must be an object, found {}", name,
                              BsonTypeName(argument.kind())));
  }
  for (const Field& field : argument.AsFields()) {
    if (field.name != "field" && field.name != "partitionByFields" && field.name != "range") {
      return Refuse(40415,
                    fmt::format("BSON field '$densify.{}' is an unknown field.", field.name));
    }
  }
  auto stage = std::make_shared<DensifyStage>();
  const Value* field = argument.Find("field");
  const Value* range = argument.Find("range");
  if (field == nullptr || field->kind() != Kind::kString) return MissingField("$densify.field");
  stage->field = field->AsString();
  MONGO_TRY(CheckProjectionPath(stage->field));
  if (const Value* fields = argument.Find("partitionByFields")) {
    MONGO_ASSIGN(stage->partition_fields, PartitionFields(name, *fields));
  }
  if (range == nullptr || range->kind() != Kind::kObject) return MissingField("$densify.range");
  for (const Field& part : range->AsFields()) {
    if (part.name != "step" && part.name != "bounds" && part.name != "unit") {
      return Refuse(40415,
                    fmt::format("BSON field '$densify.range.{}' is an unknown field.", part.name));
    }
  }
  const Value* step = range->Find("step");
  const Value* bounds = range->Find("bounds");
  const Value* unit = range->Find("unit");
  if (step == nullptr) return MissingField("$densify.range.step");
  if (bounds == nullptr) return MissingField("$densify.range.bounds");
  if (!step->is_number()) {
    return Refuse(ErrorCode::kTypeMismatch,
                  fmt::format("BSON field '$densify.range.step' is the wrong type '{}', expected "
                              "types '[int, decimal, double, long']",
                              BsonTypeName(step->kind())));
  }
  stage->step = *step;
  if (Order(*step, Value::Int32(0)) <= 0) {
    return Refuse(5733401,
                  "The step parameter in a range statement must be a strictly positive numeric "
                  "value");
  }
  if (unit != nullptr) {
    static const std::set<std::string> units = {"millisecond", "second", "minute",  "hour", "day",
                                                "week",        "month",  "quarter", "year"};
    if (unit->kind() != Kind::kString || !units.contains(unit->AsString())) {
      return Refuse(ErrorCode::kFailedToParse,
                    fmt::format("unknown time unit value: {}",
                                unit->kind() == Kind::kString ? unit->AsString() : ""));
    }
    if (!ExactInt64(*step).has_value()) {
      return Refuse(6586400,
                    "The step parameter in a range statement must be a whole number when "
                    "densifying a date range");
    }
    stage->unit = unit->AsString();
  }
  MONGO_TRY(ReadBounds(*bounds, *stage));
  return stage;
}

Value ObjectWith(std::string name, Value value) {
  return Value::Object({{std::move(name), std::move(value)}});
}

// $fill is a $setWindowFields of its methods and an $addFields of its values.
Answer<StagePtr> ParseFill(const std::string& name, const Value& argument,
                           const StageParseContext& parse) {
  if (argument.kind() != Kind::kObject) {
    return Refuse(ErrorCode::kFailedToParse,
                  fmt::format("The {} stage specification must be an object, found {}", name,
                              BsonTypeName(argument.kind())));
  }
  const Value* output = nullptr;
  model::Fields window;
  for (const Field& field : argument.AsFields()) {
    if (field.name == "output") {
      output = &field.value;
    } else if (field.name == "partitionBy") {
      if (field.value.kind() != Kind::kObject && field.value.kind() != Kind::kString) {
        return Refuse(ErrorCode::kTypeMismatch,
                      fmt::format("BSON field '$fill.partitionBy' is the wrong type '{}', expected "
                                  "type 'object'",
                                  BsonTypeName(field.value.kind())));
      }
      window.push_back({"partitionBy", field.value});
    } else if (field.name == "partitionByFields") {
      MONGO_ASSIGN(const std::vector<std::string> names, PartitionFields(name, field.value));
      model::Fields key;
      for (size_t i = 0; i < names.size(); ++i) {
        key.push_back({fmt::format("f{}", i), Value::String("$" + names[i])});
      }
      if (argument.Find("partitionBy") != nullptr) {
        return Refuse(6050204,
                      "Maximum one of 'partitionBy' and 'partitionByFields can be specified in "
                      "'$fill'");
      }
      if (!key.empty()) window.push_back({"partitionBy", Value::Object(std::move(key))});
    } else if (field.name == "sortBy") {
      window.push_back({"sortBy", field.value});
    } else {
      return Refuse(40415, fmt::format("BSON field '$fill.{}' is an unknown field.", field.name));
    }
  }
  if (output == nullptr || output->kind() != Kind::kObject) return MissingField("$fill.output");
  if (output->AsFields().empty()) {
    return Refuse(6050203,
                  "The output field in '$fill' must contain an object with at least one element");
  }
  model::Fields methods;
  model::Fields values;
  for (const Field& field : output->AsFields()) {
    MONGO_TRY(CheckProjectionPath(field.name));
    if (field.value.kind() != Kind::kObject || field.value.AsFields().size() != 1) {
      return Refuse(6050200,
                    "Each fill output specification must be an object with exactly one field");
    }
    const Field& how = field.value.AsFields().front();
    const Value path = Value::String("$" + field.name);
    if (how.name == "value") {
      values.push_back({field.name, ObjectWith("$ifNull", Value::Array({path, how.value}))});
    } else if (how.name == "method") {
      const std::string method =
          how.value.kind() == Kind::kString ? how.value.AsString() : std::string();
      if (method != "locf" && method != "linear") {
        return Refuse(6050202, "Method must be either locf or linear");
      }
      methods.push_back({field.name, ObjectWith(method == "locf" ? "$locf" : "$linearFill", path)});
    } else {
      return Refuse(40415,
                    fmt::format("BSON field '$fill.output.{}' is an unknown field.", how.name));
    }
  }
  Values stages;
  if (!methods.empty()) {
    window.push_back({"output", Value::Object(std::move(methods))});
    stages.push_back(ObjectWith("$setWindowFields", Value::Object(std::move(window))));
  }
  if (!values.empty()) {
    stages.push_back(ObjectWith("$addFields", Value::Object(std::move(values))));
  }
  return ComposeStages(std::move(stages), parse);
}

constexpr NamedStage kDensifyStages[] = {{"$densify", ParseDensify}, {"$fill", ParseFill}};

}  // namespace

std::span<const NamedStage> DensifyStages() { return kDensifyStages; }

}  // namespace orrery::mongo
