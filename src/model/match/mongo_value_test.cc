#include "model/match/mongo_value.h"

#include <gtest/gtest.h>

#include "model/document/json.h"
#include "model/expression/expression.h"

namespace orrery::model {
namespace {

// The value at the path as JSON text, by the function and by the operator of expressions.
std::string ValueAt(std::string_view json, std::vector<std::string> steps) {
  const Document document = *ParseJson(json);
  const Value value = MongoValueAt(document, steps);
  const auto expression =
      Expression::Apply(Operator::kMongoValue, {Expression::Reference(Path(std::move(steps)))});
  EXPECT_TRUE(expression.has_value());
  EXPECT_EQ(Evaluate(*expression, document), value);
  return value.is_undefined() ? "missing" : ToJson(value);
}

TEST(MongoValue, LeadsThroughObjects) {
  EXPECT_EQ(ValueAt(R"({"a":5})", {"a"}), "5");
  EXPECT_EQ(ValueAt(R"({"a":{"b":[1,2]}})", {"a", "b"}), "[1,2]");
  EXPECT_EQ(ValueAt(R"({"a":5})", {"b"}), "missing");
  EXPECT_EQ(ValueAt(R"({"a":5})", {"a", "b"}), "missing");
  EXPECT_EQ(ValueAt(R"({"a":null})", {"a"}), "null");
}

TEST(MongoValue, GathersFromArraysAndKnowsNoIndex) {
  EXPECT_EQ(ValueAt(R"({"a":[{"b":1},5,{"c":1},{"b":[2]}]})", {"a", "b"}), "[1,[2]]");
  EXPECT_EQ(ValueAt(R"({"a":[]})", {"a", "b"}), "[]");
  EXPECT_EQ(ValueAt(R"({"a":[7]})", {"a", "0"}), "[]");
  EXPECT_EQ(ValueAt(R"({"a":[{"0":7}]})", {"a", "0"}), "[7]");
  EXPECT_EQ(ValueAt(R"({"a":[[{"b":1}]]})", {"a", "b"}), "[]");
}

}  // namespace
}  // namespace orrery::model
