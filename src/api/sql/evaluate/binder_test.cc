#include "api/sql/evaluate/binder.h"

#include <vector>

#include "api/sql/evaluate/evaluate_testing.h"
#include "api/sql/function/operator/like_pattern.h"

namespace orrery::sql {
namespace {

using BinderTest = EvaluateTest;

struct ErrorCase {
  std::string_view expression;
  std::string_view error;
};

TEST_F(BinderTest, ErrorsSayWhere) {
  constexpr ErrorCase kCases[] = {
      {"x", "0..1 SC2001 Identifier 'x' could not be resolved."},
      {"C.a", "0..1 SC2001 Identifier 'C' could not be resolved."},
      {"c.a + d.b[0]", "6..7 SC2001 Identifier 'd' could not be resolved."},
      {"'\u20ac\U0001F600' || d", "9..10 SC2001 Identifier 'd' could not be resolved."},
      {"y IN (z)", "0..1 SC2001 Identifier 'y' could not be resolved."},
      {"c[c.a].b + NOSUCH(1)",
       "11..17 SC2005 'NOSUCH' is not a recognized built-in function name."},
      {"sum", "0..3 SC2001 Identifier 'sum' could not be resolved."},
      {"1 + ABS()", "4..9 SC2050 The ABS function requires 1 argument(s)."},
      {"abs(1, 2)", "0..9 SC2050 The ABS function requires 1 argument(s)."},
      {"contains(c.a)", "0..13 SC2050 The CONTAINS function requires 2 to 3 argument(s)."},
      {"CONCAT('a')", "0..11 SC2050 The CONCAT function requires at least 2 argument(s)."},
      {"c.a = @p", "6..8 SC2902 The query has no value for its parameter '@p'."},
      {"{documentdb-x} AND c.a", "0..14 SC2903 The placeholder 'documentdb-x' was not filled in."},
      {"1 + count(c.a)", "4..14 SC2901 The aggregate 'count' cannot stand here."},
      {"c.a + 1e999", "6..11 SC2904 The number is out of range."},
      {"(SELECT VALUE 1)", "0..16 SC2905 Subqueries are not supported here."},
      {"c.a AND EXISTS(SELECT 1)", "8..24 SC2905 Subqueries are not supported here."},
  };
  for (const ErrorCase& c : kCases) EXPECT_EQ(ErrorOf(c.expression), c.error) << c.expression;
}

TEST_F(BinderTest, ErrorsAreFoundInEveryOperand) {
  constexpr std::string_view kExpressions[] = {
      "x.a",
      "x[0]",
      "c[x]",
      "[1, x]",
      "{a: x}",
      "-x",
      "x + 1",
      "1 + x",
      "x AND true",
      "true OR x",
      "x ? 1 : 2",
      "c ? x : 2",
      "c ? 1 : x",
      "x IN (1)",
      "1 IN (c, x)",
      "x BETWEEN 1 AND 2",
      "1 BETWEEN x AND 2",
      "1 BETWEEN 0 AND x",
      "x LIKE 'a'",
      "'a' LIKE x",
      "ABS(x)",
      "udf.f(x)",
      "x ?? 1",
      "REGEXMATCH(c, x)",
  };
  for (const std::string_view text : kExpressions)
    EXPECT_TRUE(ErrorOf(text).ends_with("SC2001 Identifier 'x' could not be resolved.")) << text;
}

TEST_F(BinderTest, ConstantsThatFailAreRefused) {
  EXPECT_TRUE(ErrorOf("c.a AND REGEXMATCH(c.b, '(')").starts_with("8..28 SC2904 "));
  EXPECT_TRUE(ErrorOf("c.a AND REGEXMATCH('x', '(')").starts_with("8..28 SC2904 "));
  EXPECT_TRUE(ErrorOf("REGEXMATCH(c.b, 'a', '?')").starts_with("0..25 SC2904 "));
  EXPECT_TRUE(ErrorOf("c.a LIKE 'a' ESCAPE 'xy'").starts_with("0..24 SC2904 "));
  const std::string pattern = "c.a LIKE '" + std::string(kLikePatternBytesMax + 1, 'x') + "'";
  EXPECT_TRUE(ErrorOf(pattern).starts_with("0..16396 SC3020 "));
}

TEST_F(BinderTest, LongNamesAreShortened) {
  EXPECT_LT(ErrorOf(std::string(100'000, 'x')).size(), 400U);
}

struct ConstantCase {
  std::string_view expression;
  std::string_view value;
};

TEST_F(BinderTest, WhatNeedsNoRowIsFolded) {
  parameters_.Set("@p", ParseText(R"({"list":[1,2],"name":"x"})"));
  constexpr ConstantCase kConstants[] = {
      {"1 + 2 * 3", "7"},
      {"UPPER('a') || 'b'", R"("Ab")"},
      {"@p.list[1]", "2"},
      {"@p", R"({"list":[1,2],"name":"x"})"},
      {"[1, {a: @p.name}]", R"([1,{"a":"x"}])"},
      {"{a: {b: 5}}.a.b", "5"},
      {"true AND NOT false", "true"},
      {"1 IN (2, 1)", "true"},
      {"2 BETWEEN 1 AND 3", "true"},
      {"'abc' LIKE 'a%'", "true"},
      {"REGEXMATCH('abc', 'B', 'i')", "true"},
      {"IS_DEFINED(undefined)", "false"},
      {"undefined ?? 4", "4"},
      {"1 > 2 ? 3 : 4", "4"},
      {"ABS('x')", "undefined"},
  };
  for (const ConstantCase& c : kConstants) {
    const BoundExpressionPtr bound = MustBind(c.expression);
    ASSERT_NE(bound->constant(), nullptr) << c.expression;
    EXPECT_EQ(Show(*bound->constant()), Show(ParseText(c.value))) << c.expression;
  }
  for (const std::string_view text :
       {"c", "c.a", "1 + c.a", "[c]", "ABS(c)", "RAND()", "RAND() + 1", "GetCurrentDateTime()",
        "udf.sum(1)", "false AND c.a", "c.a LIKE 'x'"})
    EXPECT_EQ(MustBind(text)->constant(), nullptr) << text;
}

TEST_F(BinderTest, VolatileFunctionsAreCalledEachTime) {
  const BoundExpressionPtr bound = MustBind("[RAND(), RAND()]");
  EXPECT_EQ(random_.calls, 0);
  EXPECT_EQ(Show(*Evaluate(*bound, Value::Null())), "[0.5,0.3333333333333333]");
  EXPECT_EQ(Show(*Evaluate(*bound, Value::Null())), "[0.25,0.2]");
  EXPECT_EQ(random_.calls, 4);
}

TEST_F(BinderTest, ParametersAreShared) {
  parameters_.Set("@p", ParseText(R"({"a":["x"]})"));
  const BoundExpressionPtr bound = MustBind("@p.a[0]");
  EXPECT_EQ(bound->constant(), parameters_.Find("@p")->Find("a")->AsValues().data());
  parameters_ = {};
  EXPECT_EQ(Show(*bound->constant()), R"("x")");
}

TEST_F(BinderTest, ParametersAreValues) {
  parameters_.Set("@p", Value::Int32(5));
  parameters_.Set("@q", Value::Undefined());
  Expect({
      {"c.a = @p", R"({"a":5})", "true"},
      {"c[@p - 4]", "[1,2]", "2"},
      {"[@p, @q, @p]", "{}", "[5,5]"},
      {"c.a IN (@q, @p)", R"({"a":5})", "true"},
  });
}

TEST_F(BinderTest, LaterAliasesHideEarlierOnes) {
  scope_.Add("d", 1);
  scope_.Add("c", 2);
  EXPECT_EQ(scope_.Find("c"), 2U);
  const Value values[] = {Value::Int32(1), Value::Int32(2), Value::Int32(3)};
  const Value* const slots[] = {&values[0], &values[1], &values[2]};
  Frame frame{.slots = slots, .context = context_};
  Value scratch;
  EXPECT_EQ(Show(**MustBind("d * 10 + c")->Evaluate(frame, scratch)), "23");
}

// Puts the values of aggregates into slots from 1 on.
class TestSink final : public AggregateSink {
 public:
  uint32_t Add(Aggregate aggregate, BoundExpressionPtr argument,
               const ast::Expression& /*tree*/) override {
    aggregates.push_back(aggregate);
    arguments.push_back(std::move(argument));
    return static_cast<uint32_t>(aggregates.size());
  }

  std::vector<Aggregate> aggregates;
  std::vector<BoundExpressionPtr> arguments;
};

TEST_F(BinderTest, AggregatesStandWhereTheCallerTakesThem) {
  TestSink sink;
  const BoundExpressionPtr bound = MustBind("{n: COUNT(1), s: sum(c.a * 2) / 10}", &sink);
  ASSERT_EQ(sink.aggregates, (std::vector{Aggregate::kCount, Aggregate::kSum}));
  EXPECT_NE(sink.arguments[0]->constant(), nullptr);
  EXPECT_EQ(Show(*Evaluate(*sink.arguments[1], ParseText(R"({"a":4})"))), "8");
  const Value values[] = {Value::Null(), Value::Int32(3), Value::Int32(50)};
  const Value* const slots[] = {&values[0], &values[1], &values[2]};
  Frame frame{.slots = slots, .context = context_};
  Value scratch;
  EXPECT_EQ(Show(**bound->Evaluate(frame, scratch)), R"({"n":3,"s":5})");
}

TEST_F(BinderTest, AggregatesDoNotNest) {
  TestSink sink;
  EXPECT_EQ(ErrorOf("SUM(1 + MAX(c.a))", &sink),
            "0..17 SC2101 Cannot perform an aggregate function on an expression containing an "
            "aggregate or a subquery.");
  EXPECT_EQ(ErrorOf("COUNT()", &sink), "0..7 SC2050 The COUNT function requires 1 argument(s).");
}

}  // namespace
}  // namespace orrery::sql
