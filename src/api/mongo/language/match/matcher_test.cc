#include "api/mongo/language/match/matcher.h"

#include <gtest/gtest.h>

#include "model/document/json.h"

namespace orrery::mongo {
namespace {

model::Document MatchedDocument(std::string_view json) { return model::ParseJson(json).value(); }

Answer<bool> Match(std::string_view filter, std::string_view document,
                   MatchDetails* details = nullptr) {
  const auto context = std::make_shared<QueryContext>();
  MONGO_ASSIGN(const MatcherPtr matcher, Matcher::Parse(MatchedDocument(filter), context));
  return matcher->Matches(MatchedDocument(document), details);
}

bool Matches(std::string_view filter, std::string_view document) {
  const Answer<bool> answer = Match(filter, document);
  EXPECT_TRUE(answer.has_value()) << filter << ": " << answer.error().message;
  return answer.value_or(false);
}

std::string FilterError(std::string_view filter) {
  const Answer<bool> answer = Match(filter, "{}");
  if (answer.has_value()) return "";
  return std::to_string(answer.error().code) + " " + answer.error().message;
}

TEST(Matcher, ComparesAmongValuesOfOneType) {
  EXPECT_TRUE(Matches(R"({"a": {"$gt": 1}})", R"({"a": 2})"));
  EXPECT_FALSE(Matches(R"({"a": {"$gt": 1}})", R"({"a": "x"})"));
  EXPECT_FALSE(Matches(R"({"a": {"$lt": "x"}})", R"({"a": 5})"));
}

TEST(Matcher, MeetsArraysAsAWholeAndByElement) {
  EXPECT_TRUE(Matches(R"({"a": 5})", R"({"a": [1, 5]})"));
  EXPECT_TRUE(Matches(R"({"a": [1, 5]})", R"({"a": [1, 5]})"));
  EXPECT_TRUE(Matches(R"({"a": [1, 5]})", R"({"a": [[1, 5]]})"));
  EXPECT_TRUE(Matches(R"({"a": {"$gt": 1, "$lt": 3}})", R"({"a": [0, 5]})"));
  EXPECT_FALSE(Matches(R"({"a": {"$elemMatch": {"$gt": 1, "$lt": 3}}})", R"({"a": [0, 5]})"));
}

TEST(Matcher, TakesNullForNothingButNotInArraysOfScalars) {
  EXPECT_TRUE(Matches(R"({"a.x": null})", R"({"a": 5})"));
  EXPECT_FALSE(Matches(R"({"a.x": null})", R"({"a": [1, 5]})"));
  EXPECT_FALSE(Matches(R"({"a.x": null})", R"({"a": []})"));
  EXPECT_TRUE(Matches(R"({"a.x": {"$exists": false}})", R"({"a": [1, 5]})"));
  EXPECT_TRUE(Matches(R"({"a.b": null})", R"({"a": [{"b": 1}, {"c": 1}]})"));
}

TEST(Matcher, WalksPathsThroughArraysAndByIndex) {
  constexpr std::string_view kDocument = R"({"a": [{"b": 1}, {"b": [2, 3]}, {"c": 1}]})";
  EXPECT_TRUE(Matches(R"({"a.b": 2})", kDocument));
  EXPECT_TRUE(Matches(R"({"a.b.0": 2})", kDocument));
  EXPECT_TRUE(Matches(R"({"a.0.b": 1})", kDocument));
  EXPECT_FALSE(Matches(R"({"a.b": {"$ne": 1}})", kDocument));
  EXPECT_FALSE(Matches(R"({"a.b": {"$exists": false}})", kDocument));
}

TEST(Matcher, TellsWhichElementMatched) {
  MatchDetails details;
  EXPECT_TRUE(Match(R"({"a": {"$gt": 3}})", R"({"a": [1, 5]})", &details).value_or(false));
  EXPECT_EQ(details.array_index, 1U);
}

TEST(Matcher, SaysWhatIsWrongInMongoDbsWords) {
  EXPECT_EQ(FilterError(R"({"a": {"$foo": 1}})"), "2 unknown operator: $foo");
  EXPECT_EQ(FilterError(R"({"a": {"$gt": 1, "b": 2}})"), "2 unknown operator: b");
  EXPECT_EQ(FilterError(R"({"a": {"$in": 5}})"), "2 $in needs an array");
  EXPECT_EQ(FilterError(R"({"$or": []})"), "2 $and/$or/$nor must be a nonempty array");
  EXPECT_EQ(FilterError(R"({"a": {"$size": -1}})"),
            "2 Failed to parse $size. Expected a non-negative number in: $size: -1");
  EXPECT_EQ(FilterError(R"({"a": {"$type": "foo"}})"), "2 Unknown type name alias: foo");
}

TEST(Matcher, EvaluatesExpressions) {
  EXPECT_TRUE(Matches(R"({"$expr": {"$gt": ["$a", "$b"]}})", R"({"a": 2, "b": 1})"));
  EXPECT_FALSE(Matches(R"({"$expr": {"$eq": ["$a", null]}})", "{}"));
}

}  // namespace
}  // namespace orrery::mongo
