#include "model/expression/mongo_conditions.h"

#include <gtest/gtest.h>

#include "model/document/json.h"
#include "model/expression/expression_json.h"

namespace orrery::model {
namespace {

struct MongoCase {
  std::string_view condition;
  std::string_view document;
  bool expected;
};

// Comparisons with values of all kinds: model/match/mongo_match_test.cc.
TEST(MongoConditions, OfPaths) {
  constexpr MongoCase kCases[] = {
      {R"({"$eq":[{"path":"/a"},1]})", R"({"a":[2,1]})", true},
      {R"({"$gt":[{"path":"/a"},1]})", R"({"a":"x"})", false},
      {R"({"not":{"$eq":[{"path":"/a"},1]}})", R"({})", true},
      {R"({"not":{"$eq":[{"path":"/a"},null]}})", R"({})", false},
      {R"({"$in":[{"path":"/a/b"},1,null]})", R"({"a":[{"b":3},{"c":1}]})", true},
      {R"({"$in":[{"path":"/a"}]})", R"({"a":1})", false},
      {R"({"$exists":{"path":"/a/b"}})", R"({"a":[{"b":3},{"c":1}]})", true},
      {R"({"$exists":{"path":"/a/b"}})", R"({"a":[{"c":1},5]})", false},
      {R"({"$exists":{"path":"/a"}})", R"({"a":null})", true},
      {R"({"$exists":{"path":"/a/0"}})", R"({"a":[7]})", true},
      {R"({"$type":[{"path":"/a"},2]})", R"({"a":[1,"x"]})", true},
      {R"({"$type":[{"path":"/a"},4]})", R"({"a":[1,"x"]})", true},
      {R"({"$type":[{"path":"/a"},2,1]})", R"({"a":1})", false},
      {R"({"$size":[{"path":"/a"},2]})", R"({"a":[1,[2,3]]})", true},
      {R"({"$size":[{"path":"/a"},2]})", R"({"a":[[2,3]]})", false},
      {R"({"$size":[{"path":"/a/b"},0]})", R"({"a":[{"b":1},{"b":[]}]})", true},
  };
  for (const MongoCase& each : kCases) {
    const auto condition = ExpressionFromJson(*ValueFromJson(each.condition));
    ASSERT_TRUE(condition.has_value()) << each.condition;
    EXPECT_EQ(Matches(*condition, *ParseJson(each.document)), each.expected)
        << each.condition << " of " << each.document;
  }
}

TEST(MongoConditions, OfElements) {
  constexpr MongoCase kCases[] = {
      // Both conditions of one element.
      {R"({"$elemMatch":[{"path":"/a"},{"and":[{"$gt":[{"path":"/"},1]},{"$lt":[{"path":"/"},5]}]}]})",
       R"({"a":[0,7]})", false},
      {R"({"$elemMatch":[{"path":"/a"},{"and":[{"$gt":[{"path":"/"},1]},{"$lt":[{"path":"/"},5]}]}]})",
       R"({"a":[0,3]})", true},
      {R"({"$elemMatch":[{"path":"/a"},{"$eq":[{"path":"/"},1]}]})", R"({"a":[[1]]})", false},
      {R"({"$elemMatch":[{"path":"/a"},{"$eq":[{"path":"/"},1]}]})", R"({"a":1})", false},
      {R"({"$elemMatch":[{"path":"/a"},{"and":[{"$eq":[{"path":"/b"},1]},{"$eq":[{"path":"/c"},2]}]}]})",
       R"({"a":[{"b":1,"c":3},{"b":2,"c":2}]})", false},
      {R"({"$elemMatch":[{"path":"/a"},{"and":[{"$eq":[{"path":"/b"},1]},{"$eq":[{"path":"/c"},2]}]}]})",
       R"({"a":[5,{"b":[1],"c":2}]})", true},
      // A condition on fields is of elements that have fields.
      {R"({"$elemMatch":[{"path":"/a"},{"not":{"$eq":[{"path":"/b"},1]}}]})", R"({"a":[5]})",
       false},
      {R"({"$elemMatch":[{"path":"/a"},{"not":{"$eq":[{"path":"/b"},1]}}]})", R"({"a":[{}]})",
       true},
      {R"({"$elemMatch":[{"path":"/a"},{"$eq":[{"path":"/0"},1]}]})", R"({"a":[[1]]})", true},
  };
  for (const MongoCase& each : kCases) {
    const auto condition = ExpressionFromJson(*ValueFromJson(each.condition));
    ASSERT_TRUE(condition.has_value()) << each.condition;
    EXPECT_EQ(Matches(*condition, *ParseJson(each.document)), each.expected)
        << each.condition << " of " << each.document;
  }
}

TEST(MongoConditions, OperandsAreChecked) {
  for (const char* json : {R"({"$eq":[1,1]})", R"({"$eq":[{"path":"/a"},{"path":"/b"}]})",
                           R"({"$size":[{"path":"/a"},"2"]})", R"({"$type":[{"path":"/a"},2.5]})",
                           R"({"$eq":[{"field":"/a"},1]})", R"({"$exists":true})"})
    EXPECT_FALSE(ExpressionFromJson(*ValueFromJson(json)).has_value()) << json;
}

}  // namespace
}  // namespace orrery::model
