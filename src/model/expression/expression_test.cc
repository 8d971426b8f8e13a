#include "model/expression/expression.h"

#include <gtest/gtest.h>

#include "model/document/json.h"
#include "model/expression/expression_json.h"

namespace orrery::model {
namespace {

const char* const kDocument =
    R"({"n":5,"f":2.5,"s":"Straße","t":"abc","b":true,"z":null,"a":[1,2,{"x":1,"y":2}],"o":{"p":{"q":7}},"big":9007199254740993})";

// An expression's JSON to its value's JSON; "undefined" for that.
std::string Eval(std::string_view json) {
  const Result<Value> form = ValueFromJson(json);
  if (!form.has_value()) return form.error().message();
  const Result<Expression> expression = ExpressionFromJson(*form);
  if (!expression.has_value()) return expression.error().message();
  const Document document = *ParseJson(kDocument);
  const Value value = Evaluate(*expression, document);
  return value.is_undefined() ? "undefined" : ToJson(value);
}

struct Case {
  const char* expression;
  const char* expected;
};

void Expect(std::initializer_list<Case> cases) {
  for (const Case& c : cases) EXPECT_EQ(Eval(c.expression), c.expected) << c.expression;
}

TEST(ExpressionTest, ReferencesAndLiterals) {
  Expect({{R"({"path":"/o/p/q"})", "7"},
          {R"({"path":"/a/0"})", "1"},
          {R"({"path":"/missing"})", "undefined"},
          {R"("x")", R"("x")"},
          {R"({"literal":[1,{"a":2}]})", R"([1,{"a":2}])"}});
}

TEST(ExpressionTest, ComparisonNeedsOneType) {
  Expect({{R"({"=":[{"path":"/n"},5.0]})", "true"},
          {R"({"!=":[{"path":"/n"},5]})", "false"},
          {R"({"=":[{"path":"/n"},"5"]})", "undefined"},
          {R"({"=":[{"path":"/missing"},1]})", "undefined"},
          {R"({"=":[{"path":"/z"},null]})", "true"},
          {R"({"<":[{"path":"/t"},"abd"]})", "true"},
          {R"({">=":[{"path":"/f"},2.5]})", "true"},
          {R"({">":[false,true]})", "false"},
          {R"({"=":[{"literal":{"x":1,"y":[2]}},{"literal":{"y":[2.0],"x":1}}]})", "true"},
          {R"({"<":[{"literal":[1]},{"literal":[2]}]})", "undefined"}});
}

// Rows and columns: true, false, undefined.
TEST(ExpressionTest, ThreeValuedLogic) {
  const char* const kOperand[] = {"true", "false", R"({"path":"/missing"})"};
  const char* const kAnd[3][3] = {{"true", "false", "undefined"},
                                  {"false", "false", "false"},
                                  {"undefined", "false", "undefined"}};
  const char* const kOr[3][3] = {
      {"true", "true", "true"}, {"true", "false", "undefined"}, {"true", "undefined", "undefined"}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const std::string operands = std::string(":[") + kOperand[i] + "," + kOperand[j] + "]}";
      EXPECT_EQ(Eval("{\"and\"" + operands), kAnd[i][j]) << i << j;
      EXPECT_EQ(Eval("{\"or\"" + operands), kOr[i][j]) << i << j;
    }
  }
  Expect({{R"({"not":true})", "false"},
          {R"({"not":[{"path":"/missing"}]})", "undefined"},
          {R"({"not":1})", "undefined"}});
}

TEST(ExpressionTest, Arithmetic) {
  Expect({{R"({"+":[{"path":"/n"},1]})", "6"},
          {R"({"-":[{"path":"/n"},0.5]})", "4.5"},
          {R"({"*":[{"path":"/f"},2]})", "5"},
          {R"({"/":[7,2]})", "3.5"},
          {R"({"/":[7,0]})", "undefined"},
          {R"({"%":[7,4]})", "3"},
          {R"({"%":[7,0]})", "undefined"},
          {R"({"negate":{"path":"/n"}})", "-5"},
          {R"({"abs":-2.5})", "2.5"},
          {R"({"+":[{"path":"/big"},1]})", "9007199254740994"},
          {R"({"+":[1,"1"]})", "undefined"}});
}

TEST(ExpressionTest, Choices) {
  Expect({{R"({"??":[{"path":"/missing"},1]})", "1"},
          {R"({"??":[null,1]})", "null"},
          {R"({"?:":[{"path":"/b"},1,2]})", "1"},
          {R"({"?:":[{"path":"/missing"},1,2]})", "2"},
          {R"({"in":[{"path":"/n"},1,"x",5]})", "true"},
          {R"({"in":[{"path":"/n"},1,"x"]})", "undefined"},
          {R"({"in":[{"path":"/n"},1,2]})", "false"},
          {R"({"in":[{"path":"/missing"},1]})", "undefined"},
          {R"({"between":[{"path":"/n"},5,6]})", "true"},
          {R"({"between":[{"path":"/n"},6,7]})", "false"},
          {R"({"between":[{"path":"/n"},"a","z"]})", "undefined"}});
}

TEST(ExpressionTest, TypeChecks) {
  Expect({{R"({"is_defined":{"path":"/missing"}})", "false"},
          {R"({"is_defined":{"path":"/z"}})", "true"},
          {R"({"is_null":{"path":"/z"}})", "true"},
          {R"({"is_number":{"path":"/f"}})", "true"},
          {R"({"is_string":{"path":"/n"}})", "false"},
          {R"({"is_bool":{"path":"/b"}})", "true"},
          {R"({"is_array":{"path":"/a"}})", "true"},
          {R"({"is_object":{"path":"/o"}})", "true"},
          {R"({"is_object":{"path":"/missing"}})", "false"}});
}

TEST(ExpressionTest, TextAndArrays) {
  Expect({{R"({"||":[{"path":"/t"},"d"]})", R"("abcd")"},
          {R"({"||":[{"path":"/t"},1]})", "undefined"},
          {R"({"starts_with":[{"path":"/t"},"ab"]})", "true"},
          {R"({"ends_with":[{"path":"/t"},"ab"]})", "false"},
          {R"({"contains":[{"path":"/t"},"b"]})", "true"},
          {R"({"contains":[{"path":"/n"},"b"]})", "undefined"},
          {R"({"length":{"path":"/s"}})", "6"},
          {R"({"upper":{"path":"/t"}})", R"("ABC")"},
          {R"({"lower":"ABC"})", R"("abc")"},
          {R"({"lower":"ÄŻ"})", R"("äż")"},
          {R"({"array_contains":[{"path":"/a"},{"literal":{"y":2,"x":1}}]})", "true"},
          {R"({"array_contains":[{"path":"/a"},3]})", "false"},
          {R"({"array_length":{"path":"/a"}})", "3"},
          {R"({"array":[1,{"path":"/missing"},{"path":"/t"}]})", R"([1,"abc"])"},
          {R"({"object":{"x":{"path":"/n"},"y":{"path":"/missing"}}})", R"({"x":5})"}});
}

TEST(ExpressionTest, MatchesOnlyWhenExactlyTrue) {
  const Document document = *ParseJson(kDocument);
  EXPECT_TRUE(Matches(Expression::Literal(Value::Bool(true)), document));
  EXPECT_FALSE(Matches(Expression::Literal(Value::Int32(1)), document));
  EXPECT_FALSE(Matches(Expression::Literal(Value::Undefined()), document));
}

TEST(ExpressionTest, BadFormsAreRefused) {
  for (const char* json :
       {R"({"=":[1]})", R"({"nope":1})", R"([1])", R"({})", R"({"=":[1,2],"<":[1,2]})",
        R"({"path":1})", R"({"path":"/a/*"})", R"({"object":[]})"}) {
    EXPECT_FALSE(ExpressionFromJson(*ValueFromJson(json)).has_value()) << json;
  }
}

TEST(ExpressionTest, DepthIsLimited) {
  Result<Expression> expression = Expression::Literal(Value::Bool(true));
  for (int i = 1; i < kExpressionDepthMax; ++i) {
    expression = Expression::Apply(Operator::kNot, {*expression});
    ASSERT_TRUE(expression.has_value());
  }
  EXPECT_FALSE(Expression::Apply(Operator::kNot, {*expression}).has_value());
  Value json = Value::Bool(true);
  for (int i = 0; i < kExpressionDepthMax; ++i) json = Value::Object({{"not", json}});
  EXPECT_FALSE(ExpressionFromJson(json).has_value());
}

TEST(ExpressionTest, JsonFormReadsBack) {
  const char* json =
      R"({"and":[{"=":[{"path":"/n"},{"literal":5}]},{"is_defined":[{"object":{"x":{"path":"/a"}}}]}]})";
  const Result<Expression> expression = ExpressionFromJson(*ValueFromJson(json));
  ASSERT_TRUE(expression.has_value());
  EXPECT_EQ(ToJson(ExpressionToJson(*expression)), json);
}

}  // namespace
}  // namespace orrery::model
