#include "query/predicate/predicate_builder.h"

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "model/document/json.h"
#include "model/key/key_codec.h"

namespace orrery::query {
namespace {

using model::Value;

std::string Text(const std::optional<item::ValueBound>& bound) {
  if (!bound.has_value()) return "*";
  const auto values = model::DecodeKey(bound->encoded);
  if (!values.has_value() || values->empty()) return ToHex(bound->encoded);
  return values->front().is_undefined() ? "undefined" : model::ToJson(values->front());
}

// "[1, 1] [2, 3)", or "none".
std::string Text(const std::optional<Predicate>& predicate) {
  if (!predicate.has_value()) return "none";
  std::string text;
  for (const ValueRange& range : predicate->ranges) {
    text += text.empty() ? "" : " ";
    text += range.lower.has_value() && range.lower->inclusive ? "[" : "(";
    text += Text(range.lower) + ", " + Text(range.upper);
    text += range.upper.has_value() && range.upper->inclusive ? "]" : ")";
  }
  return text;
}

const DocumentPath kPath = DocumentPath().Field("a");

TEST(PredicateBuilder, OfSql) {
  const PredicateBuilder builder(model::Order::kSql);
  EXPECT_EQ(Text(builder.Equal(kPath, Value::Int32(5))), "[5, 5]");
  EXPECT_EQ(Text(builder.Equal(kPath, Value::Array({}))), "none");
  EXPECT_EQ(Text(builder.Compare(kPath, Comparison::kLess, Value::Int32(5))), "[14, 5)");
  EXPECT_EQ(Text(builder.Between(kPath, Value::Int32(1), Value::Int32(5))), "[1, 5]");
  EXPECT_EQ(Text(builder.Between(kPath, Value::Int32(1), Value::String("x"))), "none");
  EXPECT_EQ(Text(builder.AnyOf(kPath, {Value::Int32(2), Value::Int32(1), Value::Double(2)})),
            "[1, 1] [2, 2]");
  EXPECT_EQ(builder.Present(kPath).size(), 2u);
}

TEST(PredicateBuilder, OfMongo) {
  const PredicateBuilder builder(model::Order::kMongo, MatchRules::kMongo);
  EXPECT_EQ(Text(builder.Equal(kPath, Value::Int32(5))), "[5, 5]");
  EXPECT_EQ(Text(builder.Equal(kPath, Value::Null())), "[undefined, null]");
  EXPECT_FALSE(builder.Equal(kPath, Value::Null())->equal.has_value());
  // By the first element, or as the element of another array.
  EXPECT_EQ(Text(builder.Equal(kPath, Value::Array({Value::Int32(5)}))), "[5, 5] [[5], [5]]");
  EXPECT_EQ(Text(builder.Equal(kPath, Value::Array({}))), "[undefined, null] [[], []]");
  EXPECT_EQ(Text(builder.Compare(kPath, Comparison::kGreater, Value::Null())), "none");
  EXPECT_EQ(Text(builder.Compare(kPath, Comparison::kGreater, Value::MinKey())), "none");
  EXPECT_EQ(Text(builder.Compare(kPath, Comparison::kLess, Value::Array({}))), "none");
  EXPECT_EQ(Text(builder.AnyOf(kPath, {Value::Null(), Value::Int32(1), Value::Null()})),
            "[undefined, null] [1, 1]");
  // A number is a field or the index of an element.
  EXPECT_EQ(Text(builder.Equal(kPath.Field("0"), Value::Int32(5))), "none");
  EXPECT_TRUE(builder.Present(kPath).empty());
}

TEST(PredicateBuilder, BoundsOfSeveralElementsAreNotIntersected) {
  for (const MatchRules rules : {MatchRules::kSql, MatchRules::kMongo}) {
    const PredicateBuilder builder(
        rules == MatchRules::kSql ? model::Order::kSql : model::Order::kMongo, rules);
    const auto low = builder.Compare(kPath, Comparison::kGreater, Value::Int32(1));
    const auto high = builder.Compare(kPath, Comparison::kLess, Value::Int32(5));
    const auto both = Intersect(*low, *high);
    EXPECT_EQ(Text(both), rules == MatchRules::kSql ? "(1, 5)" : "none");
  }
}

}  // namespace
}  // namespace orrery::query
