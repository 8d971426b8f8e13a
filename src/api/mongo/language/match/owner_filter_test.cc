#include "api/mongo/language/match/owner_filter.h"

#include <gtest/gtest.h>

#include "model/document/document_builder.h"
#include "model/document/json.h"
#include "model/value_generator.h"

namespace orrery::mongo {
namespace {

using model::Value;

constexpr uint64_t kOwnerFilterSeed = 23;
constexpr int kOwnerFilterRounds = 20'000;

MatcherPtr OwnerMatcher(const model::Document& filter) {
  const auto matcher = Matcher::Parse(filter, std::make_shared<QueryContext>());
  return matcher.has_value() ? *matcher : nullptr;
}

OwnerFilter FilterOf(std::string_view json) {
  const MatcherPtr matcher = OwnerMatcher(model::ParseJson(json).value());
  EXPECT_NE(matcher, nullptr) << json;
  return OwnerFilterOf(matcher.get());
}

TEST(OwnerFilter, SaysWhetherItIsAllOfIt) {
  EXPECT_TRUE(OwnerFilterOf(nullptr).is_whole);
  EXPECT_EQ(OwnerFilterOf(nullptr).expression, nullptr);
  EXPECT_TRUE(FilterOf("{}").is_whole);
  for (const std::string_view whole :
       {R"({"a": 1, "b": {"$gt": 2, "$ne": 5}})",
        R"({"$or": [{"a.b": {"$in": [1, "x"]}}, {"c": null}]})",
        R"({"$nor": [{"a": {"$exists": true}}]})", R"({"a": {"$size": 2, "$type": "string"}})"}) {
    EXPECT_TRUE(FilterOf(whole).is_whole) << whole;
    EXPECT_NE(FilterOf(whole).expression, nullptr) << whole;
  }
  // The rest is left to whoever asks.
  const OwnerFilter part = FilterOf(R"({"a": 1, "b": {"$regex": "x"}})");
  EXPECT_FALSE(part.is_whole);
  ASSERT_NE(part.expression, nullptr);
  EXPECT_TRUE(model::Matches(*part.expression, model::ParseJson(R"({"a": 1})").value()));
  for (const std::string_view none :
       {R"({"b": {"$regex": "x"}})", R"({"$or": [{"a": 1}, {"b": {"$mod": [2, 0]}}]})",
        R"({"a.0": 1})", R"({"$expr": {"$eq": ["$a", 1]}})"}) {
    EXPECT_FALSE(FilterOf(none).is_whole) << none;
    EXPECT_EQ(FilterOf(none).expression, nullptr) << none;
  }
}

// A condition at random, on one of few paths, mostly with a value that documents have.
Value ConditionOf(model::ValueGenerator& generator, const std::vector<Value>& values) {
  const auto value = [&] {
    return generator.Below(4) == 0 ? generator.Any() : values[generator.Below(values.size())];
  };
  const auto named = [](const char* name, Value operand) {
    return Value::Object({{name, std::move(operand)}});
  };
  switch (generator.Below(12)) {
    case 0:
      return named("$exists", Value::Bool(generator.Below(2) == 0));
    case 1:
      return named("$size", Value::Int32(static_cast<int32_t>(generator.Below(3))));
    case 2:
      return named("$in", Value::Array({value(), value()}));
    case 3:
      return named("$nin", Value::Array({value()}));
    case 4:
      return named("$ne", value());
    case 5:
      return named("$lt", value());
    case 6:
      return named("$lte", value());
    case 7:
      return named("$gt", value());
    case 8:
      return named("$gte", value());
    case 9:
      return named("$not", named("$gt", value()));
    case 10:
      return named("$type", Value::Array({Value::String("number"), Value::String("array")}));
    default:
      return named("$eq", value());
  }
}

TEST(OwnerFilter, AgreesWithTheMatcher) {
  model::ValueGenerator generator(kOwnerFilterSeed);
  const std::string paths[] = {"a", "b", "a.b", "a.a", "b.a.b"};
  int compared = 0;
  int met = 0;
  for (int round = 0; round < kOwnerFilterRounds; ++round) {
    std::vector<Value> values;
    for (int i = 0; i < 3; ++i) values.push_back(generator.Any());
    const Value inner = Value::Object({{"b", values[0]}, {"a", values[1]}});
    model::Fields fields;
    if (generator.Below(4) > 0) {
      fields.push_back({"a", generator.Below(3) == 0   ? values[2]
                             : generator.Below(2) == 0 ? inner
                                                       : Value::Array({inner, values[2]})});
    }
    if (generator.Below(2) == 0)
      fields.push_back({"b", Value::Object({{"a", Value::Array({inner})}})});
    const model::Document document = model::ToDocument(Value::Object(std::move(fields)));
    model::Fields conditions;
    for (size_t n = 1 + generator.Below(2); n > 0; --n)
      conditions.push_back(
          {paths[generator.Below(std::size(paths))], ConditionOf(generator, values)});
    const model::Document filter = model::ToDocument(Value::Object(std::move(conditions)));
    const MatcherPtr matcher = OwnerMatcher(filter);
    if (matcher == nullptr) continue;  // an operand that MongoDB refuses
    const OwnerFilter owner = OwnerFilterOf(matcher.get());
    const auto expected = matcher->Matches(document);
    ASSERT_TRUE(expected.has_value());
    const bool found = owner.expression == nullptr || model::Matches(*owner.expression, document);
    if (owner.is_whole) {
      ++compared;
      met += *expected;
      ASSERT_EQ(found, *expected) << model::ToJson(filter) << " of " << model::ToJson(document)
                                  << " seed " << kOwnerFilterSeed << " round " << round;
    } else {
      ASSERT_TRUE(found || !*expected)
          << model::ToJson(filter) << " of " << model::ToJson(document);
    }
  }
  EXPECT_GT(compared, kOwnerFilterRounds / 2);
  EXPECT_GT(met, kOwnerFilterRounds / 8);
}

}  // namespace
}  // namespace orrery::mongo
