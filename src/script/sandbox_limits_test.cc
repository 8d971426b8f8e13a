// Scripts that try to take more than they may: each ends in its Failure, and the sandbox goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "script/sandbox.h"
#include "script/script_test_harness.h"

namespace orrery::script {
namespace {

using model::Value;

struct Hog {
  std::string name;
  std::string body;
  Reason reason;
};

std::ostream& operator<<(std::ostream& out, const Hog& hog) { return out << hog.name; }

class SandboxLimitsTest : public ::testing::TestWithParam<Hog> {};

TEST_P(SandboxLimitsTest, EndsAndTheSandboxGoesOn) {
  SandboxOptions options;
  options.heap_bytes_max = size_t{24} << 20;
  SandboxForTest test(options);
  ASSERT_EQ(test.Do("return 1;"), Value::Int32(1));
  const size_t before = test.sandbox.LiveBytes();
  Limits limits;
  // A hog of memory may take its time: the clock steps at each look.
  limits.time = std::chrono::milliseconds(GetParam().reason == Reason::kTime ? 20 : 1'000'000);
  const auto outcome = test.Do(GetParam().body, limits);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().reason, GetParam().reason) << outcome.error().message;
  EXPECT_EQ(outcome.error().code,
            GetParam().reason == Reason::kResult ? Code::kTooLarge : Code::kResourceExhausted);
  EXPECT_EQ(test.Do("return [1, 2].map(x => x + 1);"),
            Value::Array({Value::Int32(2), Value::Int32(3)}));
  EXPECT_LT(test.sandbox.LiveBytes(), before + (size_t{1} << 20));
}

INSTANTIATE_TEST_SUITE_P(
    Hogs, SandboxLimitsTest,
    ::testing::Values(
        Hog{"loop", "for (;;);", Reason::kTime},
        Hog{"loop_that_catches", "for (;;) try { for (;;); } catch (e) {} finally { continue; }",
            Reason::kTime},
        Hog{"regex", "for (;;) try { /(x+x+)+y/.test('x'.repeat(60)); } catch (e) {}",
            Reason::kTime},
        Hog{"getter", "return {get x() { for (;;); }};", Reason::kTime},
        Hog{"proxy", "return new Proxy({}, {ownKeys() { for (;;); }});", Reason::kTime},
        Hog{"async", "(async () => { for (;;) await 1; })();", Reason::kTime},
        Hog{"sparse", "return Array.prototype.indexOf.call({length: 2 ** 53 - 1}, 1);",
            Reason::kTime},
        Hog{"sort", "[3, 2, 1].sort(() => { for (;;); });", Reason::kTime},
        Hog{"generator", "for (const x of (function* () { for (;;) yield 1; })());", Reason::kTime},
        Hog{"eval", "eval('for (;;);');", Reason::kTime},
        Hog{"search", "const a = 'a'.repeat(6e6); for (;;) a.indexOf('a'.repeat(3e5) + 'b');",
            Reason::kTime},
        Hog{"objects", "const a = []; for (;;) a.push({});", Reason::kMemory},
        Hog{"strings", "const a = []; for (let i = 0;; ++i) a.push(('' + i).padEnd(1000));",
            Reason::kMemory},
        Hog{"rope", "let s = 'x'; for (let i = 0; i < 29; ++i) s += s; return s.charCodeAt(7);",
            Reason::kMemory},
        Hog{"map", "const m = new Map(); for (let i = 0;; ++i) m.set(i, i);", Reason::kMemory},
        Hog{"buffers", "const a = []; for (;;) a.push(new Uint8Array(1 << 20).fill(1));",
            Reason::kMemory},
        Hog{"closures", "let f = () => 1; for (;;) { const g = f; f = () => g; }", Reason::kMemory},
        Hog{"array", "return new Array(1e8).fill(0);", Reason::kMemory},
        Hog{"recursion", "const f = () => f() + 1; return f();", Reason::kStack},
        Hog{"nested_json", "return JSON.parse('['.repeat(1e5) + ']'.repeat(1e5));",
            Reason::kResult},
        Hog{"large_result", "return 'x'.repeat(5e6);", Reason::kResult},
        Hog{"long_result", "return new Array(4e9);", Reason::kResult},
        Hog{"circle", "const a = []; a.push(a); return a;", Reason::kResult},
        Hog{"deep", "let a = []; for (let i = 0; i < 1000; ++i) a = [a]; return a;",
            Reason::kResult},
        Hog{"large_getter", "return [1, {get x() { return 'x'.repeat(5e6); }}];", Reason::kResult}),
    [](const auto& info) { return info.param.name; });

// Natives that never ask for their limits, and whose garbage collections are all that is seen of
// them. Each took a minute or more.
TEST(SandboxLimitsTest, NativesThatFillTheHeapEnd) {
  SandboxOptions options;
  options.heap_bytes_max = size_t{16} << 20;
  SandboxForTest test(options);
  Limits limits;
  limits.time = std::chrono::milliseconds(1'000'000);
  for (const char* const body : {
           "return Object.entries(new Uint8Array(3e6)).length;",
           "return JSON.parse('[' + '[],'.repeat(5e6) + '[]]').length;",
       }) {
    const auto outcome = test.Do(body, limits);
    ASSERT_FALSE(outcome.has_value()) << body;
    EXPECT_EQ(outcome.error().reason, Reason::kMemory) << body;
    EXPECT_EQ(test.Do("return [1, 2].map(x => x + 1);"),
              Value::Array({Value::Int32(2), Value::Int32(3)}));
  }
}

TEST(SandboxLimitsTest, ANativeThatAllocatesEndsAfterItsTime) {
  SandboxForTest test;
  Limits limits;
  limits.time = std::chrono::milliseconds(20);
  const auto outcome = test.Do("return Object.entries(new Uint8Array(3e6)).length;", limits);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_TRUE(outcome.error().reason == Reason::kTime || outcome.error().reason == Reason::kMemory);
  EXPECT_EQ(test.Do("return 1;"), Value::Int32(1));
}

TEST(SandboxLimitsTest, ASingleAllocationIsBounded) {
  SandboxForTest test;
  // Out of memory can be caught like any error; what matters is that it comes at once.
  const auto outcome =
      test.Do("try { return new Uint8Array(1e9).fill(1).length; } catch (e) { return 'refused'; }");
  EXPECT_EQ(outcome, Value::String("refused"));
}

TEST(SandboxLimitsTest, ARegularExpressionThatTakesLongIsGivenUp) {
  SandboxForTest test;
  Limits limits;
  limits.time = std::chrono::milliseconds(1'000'000);
  const auto outcome = test.Do("return /(x+x+)+y/.test('x'.repeat(60));", limits);
  EXPECT_EQ(outcome.error().reason, Reason::kStack);
  EXPECT_EQ(test.Do("return /(x+x+)+y/.test('xxy');"), Value::Bool(true));
}

TEST(SandboxLimitsTest, ManyFailuresLeaveNothingBehind) {
  SandboxForTest test;
  Limits limits;
  limits.time = std::chrono::milliseconds(2);
  const ProgramRef loop = test.Body({"x"}, "Promise.resolve().then(() => x); for (;;);");
  const auto fail = [&] {
    EXPECT_EQ(test.Call(loop, {Value::String("x")}, limits).error().reason, Reason::kTime);
    EXPECT_EQ(test.Do("throw new Error('no');").error().reason, Reason::kThrown);
    EXPECT_EQ(test.Do("return (").error().reason, Reason::kSyntax);
  };
  for (int i = 0; i < 20; ++i) fail();
  const size_t before = test.sandbox.LiveBytes();
  for (int i = 0; i < 100; ++i) fail();
  EXPECT_LT(test.sandbox.LiveBytes(), before + (size_t{1} << 20));
}

TEST(SandboxLimitsTest, WhatAFailedCallLeftQueuedNeverRuns) {
  SandboxForTest test;
  const ProgramRef leave =
      test.Body({"box"}, "Promise.resolve().then(() => { for (;;); }); throw new Error('out');");
  EXPECT_EQ(test.Call(leave, {Value::Null()}).error().reason, Reason::kThrown);
  EXPECT_EQ(test.Do("return 5;"), Value::Int32(5));
}

}  // namespace
}  // namespace orrery::script
