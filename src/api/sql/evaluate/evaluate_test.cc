#include "api/sql/evaluate/evaluate_testing.h"

namespace orrery::sql {
namespace {

TEST_F(EvaluateTest, Literals) {
  Expect({
      {"undefined", "{}", "undefined"},
      {"null", "{}", "null"},
      {"true", "{}", "true"},
      {"false", "{}", "false"},
      {"0", "{}", "0"},
      {"12.5", "{}", "12.5"},
      {"12.", "{}", "12"},
      {".5", "{}", "0.5"},
      {"1e5", "{}", "100000"},
      {"1.5E-2", "{}", "0.015"},
      {"0xFF", "{}", "255"},
      {"0X10000000000000000", "{}", "18446744073709552000"},
      {"9007199254740993", "{}", "9007199254740993"},
      {"123456789012345678901234567890", "{}", "123456789012345678901234567890"},
      {"'it\\'s'", "{}", R"("it's")"},
      {"\"\\u20ac\"", "{}", R"("\u20ac")"},
  });
}

TEST_F(EvaluateTest, Accesses) {
  Expect({
      {"c", R"({"a":1})", R"({"a":1})"},
      {"c", "5", "5"},
      {"c.a", R"({"a":1})", "1"},
      {"c.b", R"({"a":1})", "undefined"},
      {"c.A", R"({"a":1})", "undefined"},
      {"c.a.b.c", R"({"a":{"b":{"c":[7]}}})", "[7]"},
      {"c.a.b.c", R"({"a":{"b":5}})", "undefined"},
      {"c.a", "null", "undefined"},
      {"c.a", "[1]", "undefined"},
      {"c['a b']", R"({"a b":2})", "2"},
      {"c['length']", "[1]", "undefined"},
      {"c[0]", "[7,8]", "7"},
      {"c[1]", "[7,8]", "8"},
      {"c[1.0]", "[7,8]", "8"},
      {"c[2]", "[7,8]", "undefined"},
      {"c[-1]", "[7,8]", "undefined"},
      {"c[0.5]", "[7,8]", "undefined"},
      {"c[1e300]", "[7,8]", "undefined"},
      {"c[0]", R"({"0":1})", "undefined"},
      {"c[0]", R"("text")", "undefined"},
      {"c[null]", "[1]", "undefined"},
      {"c[true]", "[1]", "undefined"},
      {"c[undefined]", "[1]", "undefined"},
      {"c[c.name]", R"({"name":"x","x":3})", "3"},
      {"c[c.name]", R"({"name":"y","x":3})", "undefined"},
      {"c[c.name]", R"(["a"])", "undefined"},
      {"c.list[c.at].v", R"({"at":1,"list":[{"v":1},{"v":2}]})", "2"},
      {"{a: [1, c.x]}.a[1]", R"({"x":9})", "9"},
      {"[c, 2][0].x", R"({"x":9})", "9"},
      {"(c.a ?? {b: 4}).b", "{}", "4"},
  });
}

TEST_F(EvaluateTest, Arithmetic) {
  Expect({
      {"1 + 2", "{}", "3"},
      {"c.a + c.b", R"({"a":1,"b":0.5})", "1.5"},
      {"c.a - c.b", R"({"a":1,"b":3})", "-2"},
      {"c.a * c.b", R"({"a":4,"b":2.5})", "10"},
      {"c.a / c.b", R"({"a":1,"b":4})", "0.25"},
      {"c.a / 0", R"({"a":1})", "Infinity"},
      {"c.a % c.b", R"({"a":-7,"b":3})", "-1"},
      {"2 + 3 * c.a", R"({"a":4})", "14"},
      {"(2 + 3) * c.a", R"({"a":4})", "20"},
      {"10 - 3 - 2", "{}", "5"},
      {"-c.a", R"({"a":4})", "-4"},
      {"- -c.a", R"({"a":4})", "4"},
      {"+c.a", R"({"a":4.5})", "4.5"},
      {"+c.a", R"({"a":"4"})", "undefined"},
      {"-c.a", R"({"a":true})", "undefined"},
      {"~c.a", R"({"a":5})", "-6"},
      {"~c.a", R"({"a":null})", "undefined"},
      {"c.a & 1000", R"({"a":100})", "96"},
      {"c.a | 1000", R"({"a":100})", "1004"},
      {"c.a ^ 1000", R"({"a":100})", "908"},
      {"c.a << 2", R"({"a":100})", "400"},
      {"c.a >> 2", R"({"a":-100})", "-25"},
      {"c.a >>> 0", R"({"a":-1})", "4294967295"},
      {"c.a + 1", R"({"a":"1"})", "undefined"},
      {"c.a + 1", "{}", "undefined"},
      {"c.a + 1", R"({"a":null})", "undefined"},
      {"1 & c.a", R"({"a":[]})", "undefined"},
      {"c.a || ' ' || c.b", R"({"a":"x","b":"y"})", R"("x y")"},
      {"c.a || 'x'", R"({"a":1})", "undefined"},
      {"c.a || 'x'", "{}", "undefined"},
  });
}

TEST_F(EvaluateTest, Comparisons) {
  Expect({
      {"c.a = 1", R"({"a":1})", "true"},
      {"c.a = 1", R"({"a":1.0})", "true"},
      {"c.a = 1", R"({"a":2})", "false"},
      {"c.a = 1", R"({"a":"1"})", "undefined"},
      {"c.a = 1", "{}", "undefined"},
      {"c.a = undefined", "{}", "undefined"},
      {"c.a = null", R"({"a":null})", "true"},
      {"c.a = null", R"({"a":0})", "undefined"},
      {"c.a != 1", R"({"a":2})", "true"},
      {"c.a <> 1", R"({"a":1})", "false"},
      {"c.a != 1", R"({"a":null})", "undefined"},
      {"c.a < 'b'", R"({"a":"a"})", "true"},
      {"c.a < 1", R"({"a":"a"})", "undefined"},
      {"c.a <= 1", R"({"a":1})", "true"},
      {"c.a > 1", R"({"a":1})", "false"},
      {"c.a >= 1", R"({"a":1})", "true"},
      {"c.a > false", R"({"a":true})", "true"},
      {"c.a > 1", "{}", "undefined"},
      {"c.a = {x: [1, {y: null}], z: 2}", R"({"a":{"z":2,"x":[1,{"y":null}]}})", "true"},
      {"c.a = [1, 2]", R"({"a":[2,1]})", "false"},
      {"c.a < [2]", R"({"a":[1]})", "undefined"},
      {"c.a = c.b", R"({"a":{"k":1},"b":{"k":1}})", "true"},
  });
}

TEST_F(EvaluateTest, Logic) {
  Expect({
      {"c.t AND c.t", R"({"t":true,"f":false})", "true"},
      {"c.t AND c.f", R"({"t":true,"f":false})", "false"},
      {"c.t AND c.u", R"({"t":true,"f":false})", "undefined"},
      {"c.u AND c.t", R"({"t":true,"f":false})", "undefined"},
      {"c.u AND c.f", R"({"t":true,"f":false})", "false"},
      {"c.f AND c.u", R"({"t":true,"f":false})", "false"},
      {"c.u AND c.u", R"({"t":true,"f":false})", "undefined"},
      {"c.f OR c.f", R"({"t":true,"f":false})", "false"},
      {"c.f OR c.t", R"({"t":true,"f":false})", "true"},
      {"c.u OR c.t", R"({"t":true,"f":false})", "true"},
      {"c.t OR c.u", R"({"t":true,"f":false})", "true"},
      {"c.u OR c.f", R"({"t":true,"f":false})", "undefined"},
      {"c.f OR c.u", R"({"t":true,"f":false})", "undefined"},
      {"c.u OR c.u OR c.u OR c.t", R"({"t":true})", "true"},
      {"c.t AND c.t AND c.t AND c.f", R"({"t":true,"f":false})", "false"},
      {"NOT c.t", R"({"t":true})", "false"},
      {"NOT c.f", R"({"f":false})", "true"},
      {"NOT c.u", "{}", "undefined"},
      {"NOT c.n", R"({"n":null})", "undefined"},
      {"NOT (c.a = 1 OR c.b = 2)", R"({"a":3,"b":4})", "true"},
      {"c.a AND true", R"({"a":1})", "undefined"},
      {"c.a OR true", R"({"a":"true"})", "true"},
      {"c.a OR false", R"({"a":null})", "undefined"},
  });
}

TEST_F(EvaluateTest, Choices) {
  Expect({
      {"c.a ?? 5", R"({"a":1})", "1"},
      {"c.a ?? 5", "{}", "5"},
      {"c.a ?? 5", R"({"a":null})", "null"},
      {"c.a ?? c.b ?? 'none'", R"({"b":2})", "2"},
      {"c.a ?? c.b ?? 'none'", "{}", R"("none")"},
      {"c.a ?? c.b", "{}", "undefined"},
      {"c.a ? 1 : 2", R"({"a":true})", "1"},
      {"c.a ? 1 : 2", R"({"a":false})", "2"},
      {"c.a ? 1 : 2", R"({"a":1})", "2"},
      {"c.a ? 1 : 2", R"({"a":null})", "2"},
      {"c.a ? 1 : 2", "{}", "undefined"},
      {"c.a ? c.x : c.y", R"({"a":true,"y":1})", "undefined"},
      {"c.n > 10 ? 'big' : c.n > 5 ? 'middle' : 'small'", R"({"n":7})", R"("middle")"},
      {"c.n > 10 ? 'big' : c.n > 5 ? 'middle' : 'small'", R"({"n":1})", R"("small")"},
      {"true ? c.a : c.b", R"({"a":{"x":[1]}})", R"({"x":[1]})"},
  });
}

TEST_F(EvaluateTest, Predicates) {
  Expect({
      {"c.a IN (1, 2)", R"({"a":2})", "true"},
      {"c.a IN (1, 2)", R"({"a":3})", "false"},
      {"c.a IN (1, 'x')", R"({"a":3})", "undefined"},
      {"c.a IN (1, 'x')", R"({"a":"x"})", "true"},
      {"c.a IN (1, 2)", "{}", "undefined"},
      {"c.a IN (c.b, c.d)", R"({"a":3,"d":3})", "true"},
      {"c.a IN ([1], {x: 1})", R"({"a":{"x":1}})", "true"},
      {"c.a NOT IN (1, 2)", R"({"a":3})", "true"},
      {"c.a NOT IN (1, 2)", R"({"a":1})", "false"},
      {"c.a NOT IN (1, 2)", R"({"a":null})", "undefined"},
      {"c.a BETWEEN 1 AND 3", R"({"a":1})", "true"},
      {"c.a BETWEEN 1 AND 3", R"({"a":3})", "true"},
      {"c.a BETWEEN 1 AND 3", R"({"a":4})", "false"},
      {"c.a BETWEEN 'a' AND 'c'", R"({"a":"b"})", "true"},
      {"c.a BETWEEN 1 AND 3", R"({"a":"2"})", "undefined"},
      {"c.a BETWEEN c.low AND 3", R"({"a":2})", "undefined"},
      {"c.a BETWEEN c.low AND 3", R"({"a":5})", "false"},
      {"c.a NOT BETWEEN 1 AND 3", R"({"a":4})", "true"},
      {"c.a NOT BETWEEN 1 AND 3", "{}", "undefined"},
      {"c.a LIKE 'f%t'", R"({"a":"fruit"})", "true"},
      {"c.a LIKE 'f%t'", R"({"a":"Fruit"})", "false"},
      {"c.a LIKE '_[a-c]%'", R"({"a":"xb"})", "true"},
      {"c.a LIKE '50!%' ESCAPE '!'", R"({"a":"50%"})", "true"},
      {"c.a LIKE '50!%' ESCAPE '!'", R"({"a":"500"})", "false"},
      {"c.a NOT LIKE 'f%'", R"({"a":"x"})", "true"},
      {"c.a NOT LIKE 'f%'", R"({"a":5})", "undefined"},
      {"c.a LIKE 'f%'", "{}", "undefined"},
      {"c.a LIKE c.p", R"({"a":"fox","p":"f_x"})", "true"},
      {"c.a LIKE c.p ESCAPE '!'", R"({"a":"_","p":"!_"})", "true"},
      {"c.a LIKE c.p", R"({"a":"fox"})", "undefined"},
      {"c.a LIKE 5", R"({"a":"5"})", "undefined"},
      {"'fruit' LIKE c.p", R"({"p":"%it"})", "true"},
      {"'fruit' LIKE 'f%'", "{}", "true"},
      {"c.a LIKE '%' || c.b || '%'", R"({"a":"xyz","b":"y"})", "true"},
  });
}

TEST_F(EvaluateTest, Constructors) {
  Expect({
      {"[]", "{}", "[]"},
      {"{}", "{}", "{}"},
      {"[c.a, 2, 'x']", R"({"a":1})", R"([1,2,"x"])"},
      {"[c.a, c.u, c.a]", R"({"a":1})", "[1,1]"},
      {"[undefined, null]", "{}", "[null]"},
      {"{a: c.a, 'b c': [c.b]}", R"({"a":1,"b":2})", R"({"a":1,"b c":[2]})"},
      {"{a: c.u, b: null}", "{}", R"({"b":null})"},
      {"{a: 1, b: 2, a: c.x}", R"({"x":3})", R"({"a":3,"b":2})"},
      {"{a: {b: {c: c}}}", R"({"x":1})", R"({"a":{"b":{"c":{"x":1}}}})"},
      {"[[c.u], {k: c.u}]", "{}", "[[],{}]"},
  });
}

TEST_F(EvaluateTest, Calls) {
  Expect({
      {"ABS(c.a)", R"({"a":-4})", "4"},
      {"abs(c.a)", R"({"a":"x"})", "undefined"},
      {"PI() > 3", "{}", "true"},
      {"CONCAT(c.a, 'b', c.c)", R"({"a":"a","c":"c"})", R"("abc")"},
      {"CONTAINS(c.a, 'EL', true)", R"({"a":"hello"})", "true"},
      {"IS_DEFINED(c.a)", R"({"a":null})", "true"},
      {"IS_DEFINED(c.a)", "{}", "false"},
      {"NOT IS_DEFINED(c.a.b)", R"({"a":1})", "true"},
      {"LEFT(UPPER(c.a), 2)", R"({"a":"abc"})", R"("AB")"},
      {"ARRAY_CONTAINS(c.tags, {n: 1}, true)", R"({"tags":[{"n":1,"m":2}]})", "true"},
      {"ABS({a: c.x}.a)", R"({"x":-1})", "1"},
      {"CONCAT([c.x][0], 'y')", R"({"x":"x"})", R"("xy")"},
      {"REGEXMATCH(c.a, '^a.c$')", R"({"a":"abc"})", "true"},
      {"REGEXMATCH(c.a, '^A.C$', 'i')", R"({"a":"abc"})", "true"},
      {"REGEXMATCH(c.a, '^a')", R"({"a":"ba"})", "false"},
      {"REGEXMATCH(c.a, 'a')", R"({"a":1})", "undefined"},
      {"REGEXMATCH(c.a, c.p)", R"({"a":"abc","p":"b"})", "true"},
      {"REGEXMATCH('abc', c.p, 'i')", R"({"p":"B"})", "true"},
      {"REGEXMATCH(c.a, 5)", R"({"a":"5"})", "undefined"},
      {"REGEXMATCH('abc', 'b')", "{}", "true"},
      {"udf.sum(c.a, 2, 3)", R"({"a":1})", "6"},
      {"udf.sum()", "{}", "0"},
      {"udf.sum(c.a) * 2", R"({"a":4})", "8"},
  });
}

TEST_F(EvaluateTest, PathsCopyNothing) {
  const Value document = ParseText(R"({"a":{"b":[{"c":"text"}]}})");
  const Value* const slots[] = {&document};
  Frame frame{.slots = slots, .context = context_};
  Value scratch;
  const auto found = MustBind("c.missing ?? (true ? c.a.b[0].c : 1)")->Evaluate(frame, scratch);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(*found, document.Find("a")->Find("b")->AsValues()[0].Find("c"));
}

TEST_F(EvaluateTest, WhatDoesNotMatterIsNotEvaluated) {
  Expect({
      {"c.f AND udf.fail()", R"({"f":false})", "false"},
      {"c.t OR udf.fail()", R"({"t":true})", "true"},
      {"c.t ? 1 : udf.fail()", R"({"t":true})", "1"},
      {"c.f ? udf.fail() : 2", R"({"f":false})", "2"},
      {"c.u ? udf.fail() : udf.fail()", "{}", "undefined"},
      {"c.t ?? udf.fail()", R"({"t":true})", "true"},
      {"c.x IN (1, udf.fail())", R"({"x":1})", "true"},
  });
  EXPECT_EQ(user_functions_.calls, 0);
}

TEST_F(EvaluateTest, FailuresEndTheQuery) {
  constexpr std::string_view kExpressions[] = {
      "udf.fail()",
      "udf.none(1)",
      "c.x + udf.fail()",
      "[1, udf.fail()]",
      "{a: udf.fail()}",
      "-udf.fail()",
      "udf.fail().a",
      "c[udf.fail()]",
      "ABS(udf.fail())",
      "udf.fail() ?? 1",
      "udf.fail() ? 1 : 2",
      "c.x IN (udf.fail())",
      "udf.fail() LIKE c.p",
      "udf.fail() BETWEEN 1 AND 2",
      "REGEXMATCH(udf.fail(), 'a')",
      "REGEXMATCH('a', c.bad)",
      "c.bad LIKE REPLICATE(c.bad, 10000) || REPLICATE(c.bad, 9000)",
  };
  for (const std::string_view text : kExpressions)
    EXPECT_FALSE(Evaluate(text, R"({"x":5,"bad":"("})").has_value()) << text;
}

TEST_F(EvaluateTest, UserFunctionsNeedACaller) {
  Frame frame{.slots = {}, .context = context_};
  Value scratch;
  const auto result = MustBind("udf.sum(1)")->Evaluate(frame, scratch);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code(), Code::kUnsupported);
}

TEST_F(EvaluateTest, ConditionsHoldWhenTheyAreTrue) {
  const Value document = ParseText(R"({"t":true,"n":1})");
  const Value* const slots[] = {&document};
  Frame frame{.slots = slots, .context = context_};
  EXPECT_EQ(Holds(*MustBind("c.t"), frame), Truth::kTrue);
  EXPECT_EQ(Holds(*MustBind("NOT c.t"), frame), Truth::kFalse);
  EXPECT_EQ(Holds(*MustBind("c.n"), frame), Truth::kUndefined);
  EXPECT_EQ(Holds(*MustBind("c.none"), frame), Truth::kUndefined);
  EXPECT_FALSE(Holds(*MustBind("udf.f()"), frame).has_value());
}

}  // namespace
}  // namespace orrery::sql
