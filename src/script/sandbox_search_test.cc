// Searching in strings that are too long for the engine's own search: the same answers, in time
// that grows with the sum of the lengths, not with their product.
#include <gtest/gtest.h>

#include <string>

#include "script/script_test_harness.h"

namespace orrery::script {
namespace {

using model::Value;

// A text of a million characters and a needle of thousands that differ at the needle's end only.
// The product is past what the engine is asked for.
std::string Body(const std::string& expression) {
  return "const a = 'a'.repeat(1e6), n = 'a'.repeat(4000), b = n + 'b', t = a + 'b' + a + 'b!';"
         "return " +
         expression + ";";
}

Outcome<Value> Do(const std::string& expression) {
  SandboxForTest test;
  Limits limits;
  limits.time = std::chrono::milliseconds(1'000'000);  // by a clock that steps at each look
  return test.Do(Body(expression), limits);
}

TEST(SandboxSearchTest, FindsWhatTheEngineWould) {
  EXPECT_EQ(Do("t.indexOf(b)"), Value::Int32(996'000));
  EXPECT_EQ(Do("t.indexOf(b, 996001)"), Value::Int32(1'996'001));
  EXPECT_EQ(Do("t.indexOf(b, 1e9)"), Value::Int32(-1));
  EXPECT_EQ(Do("t.indexOf(b, -5)"), Value::Int32(996'000));
  EXPECT_EQ(Do("t.indexOf(b + 'c')"), Value::Int32(-1));
  EXPECT_EQ(Do("t.includes(b + '!')"), Value::Bool(true));
  EXPECT_EQ(Do("t.includes(b + '?')"), Value::Bool(false));
  EXPECT_EQ(Do("t.lastIndexOf(b)"), Value::Int32(1'996'001));
  EXPECT_EQ(Do("t.lastIndexOf(b, 1996000)"), Value::Int32(996'000));
  EXPECT_EQ(Do("t.lastIndexOf(n)"), Value::Int32(1'996'001));
  EXPECT_EQ(Do("t.lastIndexOf(b, 5)"), Value::Int32(-1));
}

TEST(SandboxSearchTest, SplitsAndReplacesAsTheEngineWould) {
  EXPECT_EQ(Do("t.split(b).map(x => x.length).join()"), Value::String("996000,996000,1"));
  EXPECT_EQ(Do("t.split(b, 1).length"), Value::Int32(1));
  EXPECT_EQ(Do("t.replace(b, 'x').length"), Value::Int32(2'000'003 - 4'000));
  EXPECT_EQ(Do("t.replaceAll(b, 'x').length"), Value::Int32(2'000'003 - 8'000));
  EXPECT_EQ(Do("t.replaceAll(b, (found, at) => `[${at}]`).slice(-12)"),
            Value::String("aa[1996001]!"));
  EXPECT_EQ(Do("t.replace(b, '[$$|$x]').slice(996000, 996007)"), Value::String("[$|$x]a"));
  EXPECT_EQ(Do("t.replaceAll(b, '$&') === t"), Value::Bool(true));
}

TEST(SandboxSearchTest, LeavesShortStringsAndPatternsToTheEngine) {
  SandboxForTest test;
  EXPECT_EQ(test.Do("return ['abcb'.indexOf('b'), 'abcb'.indexOf('b', 2), 'abcb'.lastIndexOf('b'), "
                    "'undefined'.indexOf(), 'abc'.includes('c'), 'a-b-c'.split('-', 2).join(), "
                    "'a1b2'.split(/\\d/).join(), 'aa'.replace('a', '$&$&'), 'a1'.replace(/\\d/, "
                    "'x'), 'aba'.replaceAll('a', 'x'), 'abc'.split('').length].join(' ');"),
            Value::String("1 3 3 0 true a,b a,b, aaa ax xbx 3"));
  EXPECT_EQ(test.Do("return ''.indexOf.length + ''.split.length + ''.replace.name;"),
            Value::String("3replace"));
  for (const char* wrong :
       {"''.includes(/a/)", "''.replaceAll(/a/, '')", "''.indexOf.call(null)"}) {
    const auto outcome = test.Do(std::string("return ") + wrong + ";");
    ASSERT_FALSE(outcome.has_value()) << wrong;
    EXPECT_NE(outcome.error().message.find("TypeError"), std::string::npos)
        << outcome.error().message;
  }
}

}  // namespace
}  // namespace orrery::script
