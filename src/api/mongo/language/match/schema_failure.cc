// The rules of a $jsonSchema that a value does not satisfy.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/mongo/language/match/failure_details.h"
#include "api/mongo/language/match/matcher.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/collator.h"
#include "api/mongo/language/value/pattern.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

using model::Field;
using model::Fields;
using model::Kind;
using model::Value;
using model::Values;

// Keywords about one value by itself, with what is said when it does not satisfy them.
struct SimpleRule {
  std::string_view name;
  std::string_view reason;
};
constexpr std::array<SimpleRule, 8> kScalarRules = {
    {{"bsonType", "type did not match"},
     {"type", "type did not match"},
     {"enum", "value was not found in enum"},
     {"maximum", "comparison failed"},
     {"minimum", "comparison failed"},
     {"pattern", "regular expression did not match"},
     {"multipleOf", "considered value is not a multiple of the specified value"},
     {"maxLength", "specified string length was not satisfied"}}};

Value SchemaText(std::string_view text) { return Value::String(std::string(text)); }
Value SchemaNumber(size_t index) { return Value::Int32(static_cast<int32_t>(index)); }

class SchemaExplainer {
 public:
  SchemaExplainer(const Value& schema, const Value& value, const QueryContextPtr& context)
      : schema_(schema), value_(value), context_(context) {}

  Values Explain() {
    for (const SimpleRule& rule : kScalarRules) AddScalar(rule.name, rule.reason);
    AddScalar("minLength", "specified string length was not satisfied");
    if (value_.kind() == Kind::kArray) AddArrayRules();
    if (value_.kind() == Kind::kObject) AddObjectRules();
    for (const std::string_view name : {"allOf", "anyOf", "oneOf"}) AddList(name);
    if (const Value* const none = schema_.Find("not");
        none != nullptr && Failed(*none, value_).empty())
      rules_.push_back(Value::Object({{"operatorName", SchemaText("not")},
                                      {"reason", SchemaText("child expression matched")}}));
    return std::move(rules_);
  }

 private:
  Values Failed(const Value& schema, const Value& value) const {
    return FailedSchemaRules(schema, value, context_);
  }

  // Returns whether a value satisfies keywords that look at nothing below it.
  bool Satisfies(Fields keywords) const {
    const Value schema =
        Value::Object({{"properties", Value::Object({{"v", Value::Object(std::move(keywords))}})}});
    const model::Document filter = model::ToDocument(Value::Object({{"$jsonSchema", schema}}));
    const auto matcher = Matcher::Parse(filter, context_);
    const model::Document document = model::ToDocument(Value::Object({{"v", value_}}));
    return !matcher.has_value() || (*matcher)->Matches(document).value_or(true);
  }

  Fields Keyword(std::string_view name) const {
    Fields keywords = {{std::string(name), *schema_.Find(name)}};
    const std::string_view exclusive = name == "maximum"   ? "exclusiveMaximum"
                                       : name == "minimum" ? "exclusiveMinimum"
                                                           : "";
    if (exclusive.empty()) return keywords;
    if (const Value* const is_exclusive = schema_.Find(exclusive))
      keywords.push_back({std::string(exclusive), *is_exclusive});
    return keywords;
  }

  void AddScalar(std::string_view name, std::string_view reason) {
    if (schema_.Find(name) == nullptr || Satisfies(Keyword(name))) return;
    Fields rule = {{"operatorName", SchemaText(name)},
                   {"specifiedAs", Value::Object(Keyword(name))},
                   {"reason", SchemaText(reason)},
                   {"consideredValue", value_}};
    if (name == "bsonType" || name == "type")
      rule.push_back({"consideredType", SchemaText(BsonTypeName(value_.kind()))});
    rules_.push_back(Value::Object(std::move(rule)));
  }

  void AddCount(std::string_view name, std::string_view reason, std::string_view counted,
                size_t count, bool shows_value) {
    if (schema_.Find(name) == nullptr || Satisfies(Keyword(name))) return;
    Fields rule = {{"operatorName", SchemaText(name)},
                   {"specifiedAs", Value::Object(Keyword(name))},
                   {"reason", SchemaText(reason)}};
    if (shows_value) rule.push_back({"consideredValue", value_});
    rule.push_back({std::string(counted), SchemaNumber(count)});
    rules_.push_back(Value::Object(std::move(rule)));
  }

  void AddArrayRules() {
    const Values& elements = value_.AsValues();
    constexpr std::string_view kLength = "array did not match specified length";
    AddCount("maxItems", kLength, "numberOfItems", elements.size(), true);
    AddCount("minItems", kLength, "numberOfItems", elements.size(), true);
    AddDuplicate();
    const Value* const items = schema_.Find("items");
    if (items != nullptr && items->kind() == Kind::kObject) {
      AddFirstElement("items", "At least one item did not match the sub-schema", *items, 0);
    } else if (items != nullptr && items->kind() == Kind::kArray) {
      AddItemList(items->AsValues());
    }
  }

  void AddDuplicate() {
    const Value* const unique = schema_.Find("uniqueItems");
    if (unique == nullptr || Satisfies(Keyword("uniqueItems"))) return;
    Fields rule = {{"operatorName", SchemaText("uniqueItems")},
                   {"specifiedAs", Value::Object(Keyword("uniqueItems"))},
                   {"reason", SchemaText("found a duplicate item")},
                   {"consideredValue", value_}};
    const Values& elements = value_.AsValues();
    for (size_t i = 0; i < elements.size(); ++i) {
      const auto before = std::ranges::find_if(
          elements.begin(), elements.begin() + static_cast<ptrdiff_t>(i),
          [&](const Value& other) { return EqualValues(other, elements[i], nullptr); });
      if (before == elements.begin() + static_cast<ptrdiff_t>(i)) continue;
      rule.push_back({"duplicatedValue", elements[i]});
      break;
    }
    rules_.push_back(Value::Object(std::move(rule)));
  }

  // The first element from `begin` on that does not satisfy a schema.
  void AddFirstElement(std::string_view name, std::string_view reason, const Value& schema,
                       size_t begin) {
    const Values& elements = value_.AsValues();
    for (size_t i = begin; i < elements.size(); ++i) {
      Values failed = Failed(schema, elements[i]);
      if (failed.empty()) continue;
      rules_.push_back(Value::Object({{"operatorName", SchemaText(name)},
                                      {"reason", SchemaText(reason)},
                                      {"itemIndex", SchemaNumber(i)},
                                      {"details", Value::Array(std::move(failed))}}));
      return;
    }
  }

  void AddItemList(const Values& schemas) {
    const Values& elements = value_.AsValues();
    Values told;
    for (size_t i = 0; i < elements.size() && i < schemas.size(); ++i) {
      Values failed = Failed(schemas[i], elements[i]);
      if (failed.empty()) continue;
      told.push_back(Value::Object(
          {{"itemIndex", SchemaNumber(i)}, {"details", Value::Array(std::move(failed))}}));
    }
    if (!told.empty()) {
      rules_.push_back(Value::Object(
          {{"operatorName", SchemaText("items")}, {"details", Value::Array(std::move(told))}}));
    }
    const Value* const more = schema_.Find("additionalItems");
    if (more == nullptr || elements.size() <= schemas.size()) return;
    if (more->kind() == Kind::kObject) {
      AddFirstElement("additionalItems",
                      "At least one additional item did not match the sub-schema", *more,
                      schemas.size());
    } else if (more->kind() == Kind::kBool && !more->AsBool()) {
      Values extra(elements.begin() + static_cast<ptrdiff_t>(schemas.size()), elements.end());
      rules_.push_back(Value::Object({{"operatorName", SchemaText("additionalItems")},
                                      {"specifiedAs", Value::Object(Keyword("additionalItems"))},
                                      {"reason", SchemaText("found additional items")},
                                      {"additionalItems", Value::Array(std::move(extra))}}));
    }
  }

  void AddObjectRules() {
    AddRequired();
    AddProperties();
    AddPatternProperties();
    AddAdditional();
    constexpr std::string_view kCount = "specified number of properties was not satisfied";
    const size_t count = value_.AsFields().size();
    AddCount("minProperties", kCount, "numberOfProperties", count, false);
    AddCount("maxProperties", kCount, "numberOfProperties", count, false);
    AddDependencies();
  }

  Values MissingOf(const Value& names) const {
    Values missing;
    for (const Value& name : names.AsValues()) {
      if (name.kind() == Kind::kString && value_.Find(name.AsString()) == nullptr)
        missing.push_back(name);
    }
    std::ranges::sort(missing, {}, [](const Value& name) { return name.AsString(); });
    return missing;
  }

  void AddRequired() {
    const Value* const required = schema_.Find("required");
    if (required == nullptr || required->kind() != Kind::kArray) return;
    Values missing = MissingOf(*required);
    if (missing.empty()) return;
    rules_.push_back(Value::Object({{"operatorName", SchemaText("required")},
                                    {"specifiedAs", Value::Object(Keyword("required"))},
                                    {"missingProperties", Value::Array(std::move(missing))}}));
  }

  void AddProperties() {
    const Value* const properties = schema_.Find("properties");
    if (properties == nullptr) return;
    Values told;
    for (const Field& property : properties->AsFields()) {
      const Value* const found = value_.Find(property.name);
      if (found == nullptr) continue;
      Values failed = Failed(property.value, *found);
      if (failed.empty()) continue;
      Fields entry = {{"propertyName", SchemaText(property.name)}};
      for (const std::string_view note : {"title", "description"}) {
        if (const Value* const text = property.value.Find(note))
          entry.push_back({std::string(note), *text});
      }
      entry.push_back({"details", Value::Array(std::move(failed))});
      told.push_back(Value::Object(std::move(entry)));
    }
    if (told.empty()) return;
    rules_.push_back(Value::Object({{"operatorName", SchemaText("properties")},
                                    {"propertiesNotSatisfied", Value::Array(std::move(told))}}));
  }

  void AddPatternProperties() {
    const Value* const patterns = schema_.Find("patternProperties");
    if (patterns == nullptr) return;
    Values told;
    for (const Field& pattern : patterns->AsFields()) {
      const auto compiled = Pattern::Compile(pattern.name, "");
      if (!compiled.has_value()) continue;
      for (const Field& field : value_.AsFields()) {
        if (!(*compiled)->Matches(field.name)) continue;
        Values failed = Failed(pattern.value, field.value);
        if (failed.empty()) continue;
        told.push_back(Value::Object({{"propertyName", SchemaText(field.name)},
                                      {"regexMatched", SchemaText(pattern.name)},
                                      {"details", Value::Array(std::move(failed))}}));
        break;
      }
    }
    if (told.empty()) return;
    rules_.push_back(Value::Object({{"operatorName", SchemaText("patternProperties")},
                                    {"details", Value::Array(std::move(told))}}));
  }

  bool IsNamed(const std::string& name) const {
    const Value* const properties = schema_.Find("properties");
    if (properties != nullptr && properties->Find(name) != nullptr) return true;
    const Value* const patterns = schema_.Find("patternProperties");
    if (patterns == nullptr) return false;
    return std::ranges::any_of(patterns->AsFields(), [&](const Field& pattern) {
      const auto compiled = Pattern::Compile(pattern.name, "");
      return compiled.has_value() && (*compiled)->Matches(name);
    });
  }

  void AddAdditional() {
    const Value* const additional = schema_.Find("additionalProperties");
    if (additional == nullptr) return;
    Values extra;
    for (const Field& field : value_.AsFields()) {
      if (IsNamed(field.name)) continue;
      if (additional->kind() == Kind::kBool) {
        if (!additional->AsBool()) extra.push_back(SchemaText(field.name));
        continue;
      }
      Values failed = Failed(*additional, field.value);
      if (failed.empty()) continue;
      rules_.push_back(Value::Object(
          {{"operatorName", SchemaText("additionalProperties")},
           {"reason", SchemaText("at least one additional property did not match the subschema")},
           {"failingProperty", SchemaText(field.name)},
           {"details", Value::Array(std::move(failed))}}));
      return;
    }
    if (extra.empty()) return;
    rules_.push_back(Value::Object({{"operatorName", SchemaText("additionalProperties")},
                                    {"specifiedAs", Value::Object(Keyword("additionalProperties"))},
                                    {"additionalProperties", Value::Array(std::move(extra))}}));
  }

  void AddDependencies() {
    const Value* const dependencies = schema_.Find("dependencies");
    if (dependencies == nullptr) return;
    Values told;
    for (const Field& dependency : dependencies->AsFields()) {
      if (value_.Find(dependency.name) == nullptr) continue;
      const bool is_list = dependency.value.kind() == Kind::kArray;
      Values failed = is_list ? MissingOf(dependency.value) : Failed(dependency.value, value_);
      if (failed.empty()) continue;
      told.push_back(Value::Object(
          {{"conditionalProperty", SchemaText(dependency.name)},
           {is_list ? "missingProperties" : "details", Value::Array(std::move(failed))}}));
    }
    if (told.empty()) return;
    rules_.push_back(Value::Object({{"operatorName", SchemaText("dependencies")},
                                    {"failingDependencies", Value::Array(std::move(told))}}));
  }

  void AddList(std::string_view name) {
    const Value* const list = schema_.Find(name);
    if (list == nullptr || list->kind() != Kind::kArray) return;
    Values told;
    Values matching;
    const Values& schemas = list->AsValues();
    for (size_t i = 0; i < schemas.size(); ++i) {
      Values failed = Failed(schemas[i], value_);
      if (failed.empty()) {
        matching.push_back(SchemaNumber(i));
        continue;
      }
      told.push_back(Value::Object(
          {{"index", SchemaNumber(i)}, {"details", Value::Array(std::move(failed))}}));
    }
    if (name == "oneOf" && matching.size() > 1) {
      rules_.push_back(Value::Object({{"operatorName", SchemaText(name)},
                                      {"reason", SchemaText("more than one subschema matched")},
                                      {"matchingSchemaIndexes", Value::Array(matching)}}));
      return;
    }
    const bool is_met = name == "allOf" ? told.empty() : !matching.empty();
    if (is_met) return;
    rules_.push_back(Value::Object({{"operatorName", SchemaText(name)},
                                    {"schemasNotSatisfied", Value::Array(std::move(told))}}));
  }

  const Value& schema_;
  const Value& value_;
  const QueryContextPtr& context_;
  Values rules_;
};

}  // namespace

std::vector<Value> FailedSchemaRules(const Value& schema, const Value& value,
                                     const QueryContextPtr& context) {
  if (schema.kind() != Kind::kObject) return {};
  return SchemaExplainer(schema, value, context).Explain();
}

}  // namespace orrery::mongo
