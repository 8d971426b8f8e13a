#include "script/pattern_limit.h"

#include <gtest/gtest.h>

#include <string>

#include "script/script_test_harness.h"

namespace orrery::script {
namespace {

using model::Value;

std::string Pattern(size_t chars) { return std::string(chars, 'a'); }
std::string Literal(size_t chars) { return "/" + Pattern(chars) + "/"; }

TEST(PatternLimitTest, LiteralsAreBounded) {
  EXPECT_FALSE(MayHoldLongPattern(""));
  EXPECT_FALSE(MayHoldLongPattern(Literal(kPatternCharsMax)));
  EXPECT_TRUE(MayHoldLongPattern(Literal(kPatternCharsMax + 1)));
  EXPECT_TRUE(MayHoldLongPattern("x;\n" + Literal(kPatternCharsMax + 1) + "\nx"));
  EXPECT_TRUE(MayHoldLongPattern("x;\r" + Literal(kPatternCharsMax + 1)));
  // A slash inside of a class does not end it.
  EXPECT_TRUE(MayHoldLongPattern("/[/]" + Pattern(kPatternCharsMax) + "/"));
}

TEST(PatternLimitTest, LongLinesPassWithoutSlashes) {
  EXPECT_FALSE(MayHoldLongPattern("'" + Pattern(100'000) + "'"));
  EXPECT_FALSE(MayHoldLongPattern(Pattern(100'000) + "/ 2"));
  EXPECT_FALSE(MayHoldLongPattern("// one\n" + Pattern(100'000) + "\n// two"));
}

TEST(PatternLimitTest, ProgramsWithLongLiteralsAreNotMade) {
  Program program;
  program.source = "return " + Literal(kPatternCharsMax) + ".test('a');";
  EXPECT_TRUE(MakeProgram(program).has_value());
  program.source = "return " + Literal(kPatternCharsMax + 1) + ".test('a');";
  EXPECT_EQ(MakeProgram(program).error().code(), Code::kInvalidArgument);
}

// Each takes the pattern p, in the realm of functions and in one of its own.
class LongPatternTest : public ::testing::TestWithParam<const char*> {
 protected:
  static std::string Source(size_t chars) {
    return "const p = 'a'.repeat(" + std::to_string(chars) + "); try { " + GetParam() +
           " return 'fine'; } catch (e) { return e.name; }";
  }
  static std::string Called(size_t chars) {
    SandboxForTest test;
    return test.Do(Source(chars)).value().AsString();
  }
  static std::string Ran(size_t chars) {
    SandboxForTest test;
    const RunReport report =
        test.sandbox.Run(SandboxForTest::Body({}, Source(chars)), {}, nullptr, DatumForm::kValue);
    return std::get<Value>(*report.outcome).AsString();
  }
};

TEST_P(LongPatternTest, IsRefused) {
  EXPECT_EQ(Called(kPatternCharsMax), "fine");
  EXPECT_EQ(Ran(kPatternCharsMax), "fine");
  // More than the engine survives.
  for (const size_t chars : {kPatternCharsMax + 1, size_t{8} << 20}) {
    EXPECT_NE(Called(chars), "fine");
    EXPECT_NE(Ran(chars), "fine");
  }
}

INSTANTIATE_TEST_SUITE_P(
    Ways, LongPatternTest,
    ::testing::Values("new RegExp(p);", "RegExp(p);", "RegExp({toString() { return p; }});",
                      "new (class extends RegExp {})(p);", "Reflect.construct(RegExp, [p]);",
                      "new (/a/.constructor)(p);", "new (RegExp[Symbol.species])(p);",
                      "RegExp({[Symbol.match]: true, source: p, flags: ''});", "'a'.match(p);",
                      "'a'.search(p);", "[...'a'.matchAll(p)];",
                      "'a'.match({[Symbol.match]: undefined, toString() { return p; }});",
                      "eval('/' + p + '/');", "(0, eval)('/' + p + '/');",
                      "new Function('return /' + p + '/')();"));

// A value that answers each question anew cannot slip through.
TEST(PatternLimitTest, WhatChangesItsMindIsAskedOnce) {
  for (const char* way :
       {"let n = 0; RegExp({toString() { return n++ === 0 ? 'a' : 'a'.repeat(5000); }}); return n;",
        "let n = 0; 'a'.match({get [Symbol.match]() { ++n; }, toString() { return 'a'; }});"
        "return n;"}) {
    SandboxForTest test;
    EXPECT_EQ(test.Do(way), Value::Int32(1)) << way;
  }
  SandboxForTest test;
  EXPECT_EQ(test.Do("try { RegExp.prototype[Symbol.split].call({constructor: undefined, flags: '',"
                    "  toString() { return 'a'.repeat(5000); }}, 'x'); return 'fine'; }"
                    "catch (e) { return e.name; }"),
            Value::String("TypeError"));
}

TEST(PatternLimitTest, StringsAndExpressionsWorkTogetherAsEver) {
  SandboxForTest test;
  EXPECT_EQ(test.Do(R"js(
    const all = [...'a1b2'.matchAll(/[a-z](\d)/g)].map((m) => m[1]).join('');
    let refused = '';
    try { 'a'.matchAll(/a/); } catch (e) { refused = e.name; }
    return ['abc'.match('b').index, 'abc'.match(/c/)[0], 'abab'.match(/b/g).length,
            'abc'.match('x'), 'a'.match(undefined)[0].length, 'nullx'.match(null)[0],
            'abc'.search('c'), 'abc'.search(/b/), all, [...'a.b'.matchAll('.')].length, refused,
            'a1b2c'.split(/\d/).join(), 'a1b2c'.split(/\d/, 2).join(),
            'abc'.replace(/b/, 'x'), 'a-a'.replaceAll(/a/g, 'b'),
            String.prototype.match.name, String.prototype.match.length].join(' ');
  )js"),
            Value::String("1 c 2  0 null 2 1 12 3 TypeError a,b,c a,b axc b-b match 1"));
}

}  // namespace
}  // namespace orrery::script
