// $jsonSchema: conditions on the shape of documents, draft 4 with BSON types.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "api/mongo/language/match/operand_parser.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/collator.h"
#include "api/mongo/language/value/number.h"
#include "api/mongo/language/value/pattern.h"
#include "model/document/document_builder.h"
#include "model/number/decimal128.h"
#include "model/number/number.h"

namespace orrery::mongo {
namespace {

using model::Field;
using model::Fields;
using model::Kind;
using model::Value;

struct Schema;
using SchemaPtr = std::shared_ptr<const Schema>;

// One parsed schema. A keyword that is about another type than the value's says nothing.
struct Schema {
  std::optional<std::set<uint8_t>> types;
  std::optional<model::Values> listed;  // enum
  std::map<std::string, SchemaPtr> properties;
  std::vector<std::pair<PatternPtr, SchemaPtr>> pattern_properties;
  bool allows_additional = true;
  SchemaPtr additional;
  std::vector<std::string> required;
  std::vector<std::pair<std::string, std::vector<std::string>>> dependencies;
  std::vector<std::pair<std::string, SchemaPtr>> schema_dependencies;
  std::optional<int64_t> properties_min, properties_max, items_min, items_max, length_min,
      length_max;
  SchemaPtr items;
  std::vector<SchemaPtr> item_list;
  bool allows_more_items = true;
  SchemaPtr more_items;
  bool has_unique_items = false;
  std::optional<Value> minimum, maximum, multiple_of;
  bool excludes_minimum = false;
  bool has_exclusive_minimum = false;
  bool has_exclusive_maximum = false;
  bool excludes_maximum = false;
  PatternPtr pattern;
  std::vector<SchemaPtr> all_of, any_of, one_of;
  SchemaPtr none_of;

  bool Accepts(const Value& value) const;

 private:
  bool AcceptsNumber(const Value& value) const;
  bool AcceptsText(const Value& value) const;
  bool AcceptsArray(const Value& value) const;
  bool AcceptsObject(const Value& value) const;
};

bool IsWithin(size_t size, const std::optional<int64_t>& min, const std::optional<int64_t>& max) {
  const auto count = static_cast<int64_t>(size);
  return (!min.has_value() || count >= *min) && (!max.has_value() || count <= *max);
}

bool IsMultiple(const Value& value, const Value& divisor) {
  if (value.kind() == Kind::kDecimal128 || divisor.kind() == Kind::kDecimal128) {
    return model::IsZero(model::Modulo(ToDecimal(value), ToDecimal(divisor)));
  }
  if (value.kind() == Kind::kDouble || divisor.kind() == Kind::kDouble) {
    return std::fmod(model::ToDouble(value), model::ToDouble(divisor)) == 0;
  }
  return divisor.AsInteger() == -1 || value.AsInteger() % divisor.AsInteger() == 0;
}

bool Schema::AcceptsNumber(const Value& value) const {
  if (minimum.has_value()) {
    const auto order = CompareValues(value, *minimum, nullptr);
    if (excludes_minimum ? order <= 0 : order < 0) return false;
  }
  if (maximum.has_value()) {
    const auto order = CompareValues(value, *maximum, nullptr);
    if (excludes_maximum ? order >= 0 : order > 0) return false;
  }
  return !multiple_of.has_value() || IsMultiple(value, *multiple_of);
}

bool Schema::AcceptsText(const Value& value) const {
  const std::string& text = value.AsString();
  const auto characters =
      std::ranges::count_if(text, [](char c) { return (static_cast<uint8_t>(c) & 0xc0) != 0x80; });
  return IsWithin(static_cast<size_t>(characters), length_min, length_max) &&
         (pattern == nullptr || pattern->Matches(text));
}

bool Schema::AcceptsArray(const Value& value) const {
  const model::Values& elements = value.AsValues();
  if (!IsWithin(elements.size(), items_min, items_max)) return false;
  if (has_unique_items) {
    for (size_t i = 0; i < elements.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (EqualValues(elements[i], elements[j], nullptr)) return false;
      }
    }
  }
  for (size_t i = 0; i < elements.size(); ++i) {
    if (items != nullptr && !items->Accepts(elements[i])) return false;
    if (i < item_list.size()) {
      if (!item_list[i]->Accepts(elements[i])) return false;
    } else if (!item_list.empty()) {
      if (!allows_more_items) return false;
      if (more_items != nullptr && !more_items->Accepts(elements[i])) return false;
    }
  }
  return true;
}

bool Schema::AcceptsObject(const Value& value) const {
  const Fields& fields = value.AsFields();
  if (!IsWithin(fields.size(), properties_min, properties_max)) return false;
  for (const std::string& name : required) {
    if (value.Find(name) == nullptr) return false;
  }
  for (const auto& [name, needed] : dependencies) {
    if (value.Find(name) == nullptr) continue;
    for (const std::string& other : needed) {
      if (value.Find(other) == nullptr) return false;
    }
  }
  for (const auto& [name, schema] : schema_dependencies) {
    if (value.Find(name) != nullptr && !schema->Accepts(value)) return false;
  }
  for (const Field& field : fields) {
    bool is_known = false;
    if (const auto found = properties.find(field.name); found != properties.end()) {
      is_known = true;
      if (!found->second->Accepts(field.value)) return false;
    }
    for (const auto& [matching, schema] : pattern_properties) {
      if (!matching->Matches(field.name)) continue;
      is_known = true;
      if (!schema->Accepts(field.value)) return false;
    }
    if (is_known) continue;
    if (!allows_additional) return false;
    if (additional != nullptr && !additional->Accepts(field.value)) return false;
  }
  return true;
}

bool Schema::Accepts(const Value& value) const {
  const auto accepts = [&](const SchemaPtr& schema) { return schema->Accepts(value); };
  if (types.has_value() && !types->contains(static_cast<uint8_t>(BsonTypeNumber(value.kind())))) {
    return false;
  }
  if (listed.has_value() && std::ranges::none_of(*listed, [&](const Value& other) {
        return EqualValues(value, other, nullptr);
      })) {
    return false;
  }
  if (value.is_number() && !AcceptsNumber(value)) return false;
  if (value.kind() == Kind::kString && !AcceptsText(value)) return false;
  if (value.kind() == Kind::kArray && !AcceptsArray(value)) return false;
  if (value.kind() == Kind::kObject && !AcceptsObject(value)) return false;
  return std::ranges::all_of(all_of, accepts) &&
         (any_of.empty() || std::ranges::any_of(any_of, accepts)) &&
         (one_of.empty() || std::ranges::count_if(one_of, accepts) == 1) &&
         (none_of == nullptr || !none_of->Accepts(value));
}

class SchemaParser {
 public:
  Answer<SchemaPtr> Parse(const Value& value) {
    if (value.kind() != Kind::kObject) {
      return Refuse(ErrorCode::kTypeMismatch, "$jsonSchema must be an object");
    }
    if (++depth_ > kParseDepthMax) {
      return Refuse(ErrorCode::kFailedToParse, "$jsonSchema is nested too deeply");
    }
    auto schema = std::make_shared<Schema>();
    for (const Field& field : value.AsFields()) MONGO_TRY(AddKeyword(*schema, field));
    const bool lacks_minimum = schema->has_exclusive_minimum && value.Find("minimum") == nullptr;
    if (lacks_minimum || (schema->has_exclusive_maximum && value.Find("maximum") == nullptr)) {
      const std::string_view name = lacks_minimum ? "inimum" : "aximum";
      return Refuse(ErrorCode::kFailedToParse,
                    fmt::format("$jsonSchema keyword 'm{}' must be a present if exclusiveM{} is "
                                "present",
                                name, name));
    }
    --depth_;
    return schema;
  }

 private:
  static std::unexpected<MongoError> WrongType(const Field& field, std::string_view wanted) {
    return Refuse(
        ErrorCode::kTypeMismatch,
        fmt::format("$jsonSchema keyword '{}' must be {}, but found an element of type {}",
                    field.name, wanted, BsonTypeName(field.value.kind())));
  }

  static Answer<int64_t> Count(const Field& field) {
    if (!field.value.is_number()) return WrongType(field, "a number");
    const std::optional<int64_t> number = ExactInt64(field.value);
    if (!number.has_value() || *number < 0) {
      return Refuse(
          ErrorCode::kFailedToParse,
          fmt::format("$jsonSchema keyword '{}' must be a non-negative integer", field.name));
    }
    return *number;
  }

  static Answer<std::vector<std::string>> Names(const Field& field) {
    if (field.value.kind() != Kind::kArray) return WrongType(field, "an array");
    std::vector<std::string> names;
    for (const Value& entry : field.value.AsValues()) {
      if (entry.kind() != Kind::kString) return WrongType(field, "an array of strings");
      names.push_back(entry.AsString());
    }
    if (names.empty()) {
      return Refuse(ErrorCode::kFailedToParse,
                    fmt::format("$jsonSchema keyword '{}' cannot be an empty array", field.name));
    }
    return names;
  }

  Answer<std::vector<SchemaPtr>> List(const Field& field) {
    if (field.value.kind() != Kind::kArray) return WrongType(field, "an array");
    if (field.value.AsValues().empty()) {
      return Refuse(ErrorCode::kBadValue,
                    fmt::format("$jsonSchema keyword '{}' must be a non-empty array", field.name));
    }
    std::vector<SchemaPtr> schemas;
    for (const Value& entry : field.value.AsValues()) {
      MONGO_ASSIGN(SchemaPtr schema, Parse(entry));
      schemas.push_back(std::move(schema));
    }
    return schemas;
  }

  static Answer<std::set<uint8_t>> JsonTypes(const Field& field) {
    // JSON's words; "integer" is refused, as MongoDB does.
    static const std::map<std::string, std::string, std::less<>> kWords = {
        {"array", "array"},   {"boolean", "bool"},  {"null", "null"},
        {"number", "number"}, {"object", "object"}, {"string", "string"}};
    model::Values words =
        field.value.kind() == Kind::kArray ? field.value.AsValues() : model::Values{field.value};
    for (Value& word : words) {
      if (word.kind() != Kind::kString)
        return WrongType(field, "either a string or an array of strings");
      if (word.AsString() == "integer") {
        return Refuse(ErrorCode::kFailedToParse,
                      "$jsonSchema type 'integer' is not currently supported.");
      }
      const auto found = kWords.find(word.AsString());
      if (found == kWords.end()) {
        return Refuse(ErrorCode::kBadValue,
                      fmt::format("Unknown type name alias: {}", word.AsString()));
      }
      word = Value::String(found->second);
    }
    return ParseTypes("$type", Value::Array(std::move(words)));
  }

  Outcome AddKeyword(Schema& schema, const Field& field) {
    const std::string& name = field.name;
    if (name == "title" || name == "description") {
      if (field.value.kind() != Kind::kString) return WrongType(field, "of type string");
      return {};
    }
    if (name == "bsonType") {
      MONGO_ASSIGN(schema.types, ParseTypes("$type", field.value));
      return {};
    }
    if (name == "type") {
      MONGO_ASSIGN(schema.types, JsonTypes(field));
      return {};
    }
    if (name == "enum") {
      if (field.value.kind() != Kind::kArray) return WrongType(field, "an array");
      const model::Values& listed = field.value.AsValues();
      if (listed.empty()) {
        return Refuse(ErrorCode::kFailedToParse,
                      "$jsonSchema keyword 'enum' cannot be an empty array");
      }
      for (size_t i = 0; i < listed.size(); ++i) {
        for (size_t j = 0; j < i; ++j) {
          if (!EqualValues(listed[i], listed[j], nullptr)) continue;
          return Refuse(ErrorCode::kFailedToParse,
                        "$jsonSchema keyword 'enum' array cannot contain duplicate values.");
        }
      }
      schema.listed = listed;
      return {};
    }
    if (name == "required") {
      MONGO_ASSIGN(schema.required, Names(field));
      return {};
    }
    if (name == "pattern") {
      if (field.value.kind() != Kind::kString) return WrongType(field, "a string");
      MONGO_ASSIGN(schema.pattern, Pattern::Compile(field.value.AsString(), ""));
      return {};
    }
    if (name == "uniqueItems") {
      if (field.value.kind() != Kind::kBool) return WrongType(field, "a boolean");
      schema.has_unique_items = field.value.AsBool();
      return {};
    }
    if (name == "not") {
      MONGO_ASSIGN(schema.none_of, Parse(field.value));
      return {};
    }
    if (name == "allOf" || name == "anyOf" || name == "oneOf") {
      auto& list = name == "allOf"   ? schema.all_of
                   : name == "anyOf" ? schema.any_of
                                     : schema.one_of;
      MONGO_ASSIGN(list, List(field));
      return {};
    }
    MONGO_ASSIGN(const bool is_limit, AddLimit(schema, field));
    if (is_limit) return {};
    MONGO_ASSIGN(const bool is_shape, AddShape(schema, field));
    if (is_shape) return {};
    return Refuse(ErrorCode::kFailedToParse, fmt::format("Unknown $jsonSchema keyword: {}", name));
  }

  static Answer<bool> AddLimit(Schema& schema, const Field& field) {
    const std::string& name = field.name;
    if (name == "minimum" || name == "maximum" || name == "multipleOf") {
      if (!field.value.is_number()) return WrongType(field, "a number");
      if (name == "multipleOf" && !(model::ToDouble(field.value) > 0)) {
        return Refuse(ErrorCode::kFailedToParse,
                      "$jsonSchema keyword 'multipleOf' must have a positive value");
      }
      (name == "minimum"   ? schema.minimum
       : name == "maximum" ? schema.maximum
                           : schema.multiple_of) = field.value;
      return true;
    }
    if (name == "exclusiveMinimum" || name == "exclusiveMaximum") {
      if (field.value.kind() != Kind::kBool) return WrongType(field, "a boolean");
      (name == "exclusiveMinimum" ? schema.has_exclusive_minimum : schema.has_exclusive_maximum) =
          true;
      (name == "exclusiveMinimum" ? schema.excludes_minimum : schema.excludes_maximum) =
          field.value.AsBool();
      return true;
    }
    std::optional<int64_t>* limit = name == "minProperties"   ? &schema.properties_min
                                    : name == "maxProperties" ? &schema.properties_max
                                    : name == "minItems"      ? &schema.items_min
                                    : name == "maxItems"      ? &schema.items_max
                                    : name == "minLength"     ? &schema.length_min
                                    : name == "maxLength"     ? &schema.length_max
                                                              : nullptr;
    if (limit == nullptr) return false;
    MONGO_ASSIGN(*limit, Count(field));
    return true;
  }

  Answer<bool> AddShape(Schema& schema, const Field& field) {
    const std::string& name = field.name;
    if (name == "properties" || name == "patternProperties" || name == "dependencies") {
      if (field.value.kind() != Kind::kObject) return WrongType(field, "an object");
      for (const Field& inner : field.value.AsFields()) {
        if (name == "dependencies" && inner.value.kind() == Kind::kArray) {
          MONGO_ASSIGN(std::vector<std::string> names, Names(inner));
          schema.dependencies.emplace_back(inner.name, std::move(names));
          continue;
        }
        MONGO_ASSIGN(SchemaPtr below, Parse(inner.value));
        if (name == "properties") {
          schema.properties[inner.name] = std::move(below);
        } else if (name == "dependencies") {
          schema.schema_dependencies.emplace_back(inner.name, std::move(below));
        } else {
          MONGO_ASSIGN(PatternPtr matching, Pattern::Compile(inner.name, ""));
          schema.pattern_properties.emplace_back(std::move(matching), std::move(below));
        }
      }
      return true;
    }
    if (name == "additionalProperties" || name == "additionalItems") {
      const bool is_items = name == "additionalItems";
      if (field.value.kind() == Kind::kBool) {
        (is_items ? schema.allows_more_items : schema.allows_additional) = field.value.AsBool();
        return true;
      }
      MONGO_ASSIGN((is_items ? schema.more_items : schema.additional), Parse(field.value));
      return true;
    }
    if (name == "items") {
      if (field.value.kind() == Kind::kArray) {
        for (const Value& entry : field.value.AsValues()) {
          MONGO_ASSIGN(SchemaPtr below, Parse(entry));
          schema.item_list.push_back(std::move(below));
        }
        return true;
      }
      MONGO_ASSIGN(schema.items, Parse(field.value));
      return true;
    }
    return false;
  }

  int depth_ = 0;
};

class SchemaNode final : public MatchNode {
 public:
  explicit SchemaNode(SchemaPtr schema) : schema_(std::move(schema)) {}
  bool Matches(model::DocumentView document, MatchRun&) const override {
    return schema_->Accepts(document.ToObject());
  }

 private:
  SchemaPtr schema_;
};

}  // namespace

Answer<MatchNodePtr> ParseJsonSchema(const Value& value, const QueryContext&) {
  MONGO_ASSIGN(SchemaPtr schema, SchemaParser().Parse(value));
  return std::make_unique<SchemaNode>(std::move(schema));
}

}  // namespace orrery::mongo
