#include "query/predicate/path_match.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "model/document/document_builder.h"
#include "model/document/json.h"

namespace orrery::query {
namespace {

using model::Value;

struct Case {
  std::vector<std::string> path;
  Comparison comparison;
  Value constant;
  std::string_view document;
  bool sql;
  bool mongo;
};

Value Array(model::Values values) { return Value::Array(std::move(values)); }

TEST(PathMatch, ByRules) {
  const Value one = Value::Int32(1);
  const Value five = Value::Int32(5);
  const Value null = Value::Null();
  const Case cases[] = {
      {{"a"}, Comparison::kEqual, one, R"({"a":1})", true, true},
      {{"a"}, Comparison::kEqual, one, R"({"a":1.0})", true, true},
      {{"a"}, Comparison::kEqual, one, R"({"a":"1"})", false, false},
      {{"a"}, Comparison::kEqual, one, R"({})", false, false},
      // Arrays are values, or are met by element.
      {{"a"}, Comparison::kEqual, one, R"({"a":[5,1]})", false, true},
      {{"a"}, Comparison::kEqual, one, R"({"a":[[1]]})", false, false},
      {{"a"}, Comparison::kEqual, Array({one, five}), R"({"a":[1,5]})", true, true},
      {{"a"}, Comparison::kEqual, Array({one, five}), R"({"a":[[1,5]]})", false, true},
      {{"a"}, Comparison::kGreater, one, R"({"a":[0,5]})", false, true},
      // Comparisons are among values of one type.
      {{"a"}, Comparison::kLess, five, R"({"a":"x"})", false, false},
      {{"a"}, Comparison::kLess, five, R"({"a":null})", false, false},
      {{"a"}, Comparison::kGreaterOrEqual, Value::String(""), R"({"a":"x"})", true, true},
      // Null, and nothing.
      {{"a"}, Comparison::kEqual, null, R"({"a":null})", true, true},
      {{"a"}, Comparison::kEqual, null, R"({})", false, true},
      {{"a"}, Comparison::kEqual, null, R"({"a":[null]})", false, true},
      {{"a"}, Comparison::kEqual, null, R"({"a":[]})", false, false},
      {{"a"}, Comparison::kGreaterOrEqual, null, R"({})", false, true},
      {{"a"}, Comparison::kGreater, null, R"({})", false, false},
      {{"a", "x"}, Comparison::kEqual, null, R"({"a":5})", false, true},
      {{"a", "x"}, Comparison::kEqual, null, R"({"a":[1,5]})", false, false},
      {{"a", "x"}, Comparison::kEqual, null, R"({"a":[]})", false, false},
      {{"a", "b"}, Comparison::kEqual, null, R"({"a":[{"b":1},{"c":1}]})", false, true},
      // Paths through arrays, and by index.
      {{"a", "b"}, Comparison::kEqual, one, R"({"a":{"b":1}})", true, true},
      {{"a", "b"}, Comparison::kEqual, one, R"({"a":[{"b":[2,1]}]})", false, true},
      {{"a", "b", "0"}, Comparison::kEqual, one, R"({"a":[{"b":[1,2]}]})", false, true},
      {{"a", "0"}, Comparison::kEqual, one, R"({"a":[{"0":1}]})", false, true},
      // The ends of all values.
      {{"a"}, Comparison::kGreater, Value::MinKey(), R"({"a":"x"})", false, true},
      {{"a"}, Comparison::kGreater, Value::MinKey(), R"({})", false, true},
      {{"a"}, Comparison::kEqual, Value::MinKey(), R"({"a":"x"})", false, false},
  };
  for (const Case& c : cases) {
    const auto document = model::ParseJson(c.document);
    ASSERT_TRUE(document.has_value());
    const auto matches = [&](MatchRules rules) {
      return Matches(*document, c.path, c.comparison, c.constant, rules);
    };
    EXPECT_EQ(matches(MatchRules::kSql), c.sql) << c.path.back() << " of " << c.document;
    EXPECT_EQ(matches(MatchRules::kMongo), c.mongo) << c.path.back() << " of " << c.document;
  }
}

TEST(PathMatch, NaNIsEqualToItselfInMongoOnly) {
  const Value nan = Value::Double(std::numeric_limits<double>::quiet_NaN());
  const model::Document document = model::ToDocument(Value::Object({{"a", nan}}));
  const std::vector<std::string> path = {"a"};
  EXPECT_TRUE(Matches(document, path, Comparison::kEqual, nan, MatchRules::kMongo));
  EXPECT_TRUE(Matches(document, path, Comparison::kLessOrEqual, nan, MatchRules::kMongo));
  EXPECT_FALSE(Matches(document, path, Comparison::kLess, Value::Int32(5), MatchRules::kMongo));
  EXPECT_FALSE(Matches(document, path, Comparison::kEqual, nan, MatchRules::kSql));
}

}  // namespace
}  // namespace orrery::query
