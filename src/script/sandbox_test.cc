#include "script/sandbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

#include "script/script_test_harness.h"

namespace orrery::script {
namespace {

using model::Value;
using ::testing::HasSubstr;

TEST(EngineTest, IsStartedOnceAProcess) {
  TestEngine();
  auto second = Engine::Start();
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code(), Code::kPreconditionFailed);
}

TEST(SandboxTest, CallsABodyWithParameters) {
  SandboxForTest test;
  const ProgramRef add = test.Body({"a", "b"}, "return a + b * 2;");
  EXPECT_EQ(test.Call(add, {Value::Int32(1), Value::Int32(3)}), Value::Int32(7));
  EXPECT_EQ(test.Call(add, {Value::String("x"), Value::Double(0.25)}), Value::String("x0.5"));
  EXPECT_TRUE(std::isnan(test.Call(add, {Value::Int32(1)})->AsDouble()));
}

TEST(SandboxTest, AScriptGivesItsLastValue) {
  SandboxForTest test;
  const auto run = [&](const std::string& source) {
    return test.Call(test.Make(Form::kScript, {"x"}, source), {Value::Int32(20)});
  };
  EXPECT_EQ(run("x + 1"), Value::Int32(21));
  EXPECT_EQ(run("\n  Math.max(x, 3); // the larger\n"), Value::Int32(20));
  EXPECT_EQ(run("var y = x * 2; y + 1;"), Value::Int32(41));
  EXPECT_EQ(run("let s = 0; for (let i = 0; i < x; ++i) s += i; s"), Value::Int32(190));
  EXPECT_EQ(run("if (x > 10) 'much'; else 'little';"), Value::String("much"));
  EXPECT_EQ(run("{ x }"), Value::Int32(20));
  EXPECT_EQ(run("return x / 4;"), Value::Int32(5));
  EXPECT_EQ(run(""), Value::Undefined());
  EXPECT_EQ(run("1); (2").error().reason, Reason::kSyntax);
}

TEST(SandboxTest, SourcesAreUnicode) {
  SandboxForTest test;
  for (const Form form : {Form::kBody, Form::kScript}) {
    EXPECT_EQ(test.Call(test.Make(form, {}, "return 'ü😀'.length + 'ü😀';")),
              Value::String("3ü😀"));
  }
  EXPECT_EQ(test.Call(test.Make(Form::kScript, {}, "'ü😀'")), Value::String("ü😀"));
  EXPECT_EQ(test.Call(test.Make(Form::kScript, {}, "var ä = '😀'; ä")), Value::String("😀"));
  EXPECT_EQ(test.Call(test.Function("() => 'ü😀'")), Value::String("ü😀"));
}

TEST(SandboxTest, AFunctionIsMadeAnewForEachCall) {
  SandboxForTest test;
  const ProgramRef tax = test.Function("function tax(income) { return income * 0.5; }\n;");
  EXPECT_EQ(test.Call(tax, {Value::Int32(10)}), Value::Int32(5));
  const ProgramRef counter = test.Function("(() => { let n = 0; return () => ++n; })()");
  EXPECT_EQ(test.Call(counter), Value::Int32(1));
  EXPECT_EQ(test.Call(counter), Value::Int32(1));
  EXPECT_THAT(test.Call(test.Function("42")).error().message, HasSubstr("no function"));
}

TEST(SandboxTest, PromisesAreAwaited) {
  SandboxForTest test;
  EXPECT_EQ(
      test.Call(test.Function("async function (x) { return (await x) + 1; }"), {Value::Int32(1)}),
      Value::Int32(2));
  const auto rejected = test.Call(test.Function("async () => { throw new TypeError('no'); }"));
  ASSERT_FALSE(rejected.has_value());
  EXPECT_EQ(rejected.error().reason, Reason::kThrown);
  EXPECT_THAT(rejected.error().message, HasSubstr("TypeError: no"));
  EXPECT_EQ(test.Do("return new Promise(() => {});").error().reason, Reason::kResult);
}

TEST(SandboxTest, ErrorsSayWhere) {
  SandboxForTest test;
  const auto thrown = test.Do("const a = 1;\n\n  throw new RangeError('too far');");
  ASSERT_FALSE(thrown.has_value());
  EXPECT_EQ(thrown.error().reason, Reason::kThrown);
  EXPECT_EQ(thrown.error().code, Code::kInvalidArgument);
  EXPECT_EQ(thrown.error().message, "RangeError: too far");
  EXPECT_EQ(thrown.error().line, 3u);
  EXPECT_EQ(thrown.error().column, 9u);
  EXPECT_THAT(thrown.error().stack, HasSubstr("f:3:9"));
  EXPECT_EQ(thrown.error().ToError().message(), "RangeError: too far (line 3, column 9)");

  const auto in_function = test.Call(test.Function("function () {\n  return missing;\n}"));
  EXPECT_EQ(in_function.error().line, 2u);
  EXPECT_THAT(in_function.error().message, HasSubstr("missing is not defined"));

  const auto on_line_one = test.Call(test.Function("() => missing"));
  EXPECT_EQ(on_line_one.error().line, 1u);
  EXPECT_EQ(on_line_one.error().column, 7u);
}

TEST(SandboxTest, AnythingCanBeThrown) {
  SandboxForTest test;
  EXPECT_THAT(test.Do("throw 'plain';").error().message, HasSubstr("plain"));
  EXPECT_EQ(test.Do("throw undefined;").error().reason, Reason::kThrown);
  EXPECT_EQ(test.Do("throw {toString() { throw 1; }};").error().reason, Reason::kThrown);
  EXPECT_LE(test.Do("throw 'x'.repeat(1e6);").error().message.size(), 10'000u);
  Limits limits;
  limits.time = std::chrono::milliseconds(20);
  EXPECT_EQ(test.Do("throw {toString() { for (;;); }};", limits).error().reason, Reason::kTime);
}

TEST(SandboxTest, CheckFindsSyntaxErrors) {
  SandboxForTest test;
  EXPECT_TRUE(test.sandbox.Check(test.Body({"x"}, "return x;")).has_value());
  const auto bad = test.sandbox.Check(test.Body({"x"}, "return x;\nreturn (;"));
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().reason, Reason::kSyntax);
  EXPECT_EQ(bad.error().line, 2u);
  EXPECT_EQ(test.sandbox.Check(test.Body({"if"}, "return 1;")).error().reason, Reason::kSyntax);
  EXPECT_EQ(test.sandbox.Check(test.Body({}, "return 1; } function g() {")).error().reason,
            Reason::kSyntax);
}

TEST(SandboxTest, ProgramsAreCheckedBeforeTheyAreMade) {
  Program program;
  program.parameters = {"a = steal()"};
  EXPECT_EQ(MakeProgram(program).error().code(), Code::kInvalidArgument);
  program.parameters = {"a"};
  program.form = Form::kFunction;
  EXPECT_EQ(MakeProgram(program).error().code(), Code::kInvalidArgument);
  program.parameters.clear();
  program.source.assign(kSourceBytesMax + 1, ' ');
  EXPECT_EQ(MakeProgram(program).error().code(), Code::kTooLarge);
}

TEST(SandboxTest, CachesAreBounded) {
  SandboxOptions options;
  options.realms_max = 2;
  options.functions_max = 4;
  SandboxForTest test(options);
  std::vector<ProgramRef> programs;
  for (int i = 0; i < 12; ++i) {
    programs.push_back(test.Make(Form::kBody, {}, "return " + std::to_string(i) + ";",
                                 "domain" + std::to_string(i % 3)));
  }
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 12; ++i) EXPECT_EQ(test.Call(programs[i]), Value::Int32(i));
  }
}

TEST(SandboxTest, ManyCallsLeaveNothingBehind) {
  SandboxForTest test;
  const ProgramRef program = test.Body(
      {"x"}, "const o = {x, list: [x, x], text: 'n' + x}; return o.list.map(v => v + o.text);");
  for (int i = 0; i < 1'000; ++i) ASSERT_TRUE(test.Call(program, {Value::Int32(i)}).has_value());
  const size_t before = test.sandbox.LiveBytes();
  for (int i = 0; i < 50'000; ++i) ASSERT_TRUE(test.Call(program, {Value::Int32(i)}).has_value());
  EXPECT_LT(test.sandbox.LiveBytes(), before + 256 * 1024);
}

TEST(SandboxTest, CancelEndsEverything) {
  SandboxForTest test;
  EXPECT_EQ(test.Do("return 1;"), Value::Int32(1));
  test.sandbox.Cancel();
  EXPECT_EQ(test.Do("return 1;").error().reason, Reason::kCancelled);
}

// Printed for whoever is curious, never asserted.
TEST(SandboxTest, CallsASecond) {
  TestEngine();
  const SystemClock clock;
  Watchdog watchdog;
  Sandbox sandbox(TestEngine(), clock, watchdog);
  const ProgramRef program = SandboxForTest::Body({"a", "b"}, "return a + b * 2;");
  const Value arguments[] = {Value::Int32(1), Value::Double(0.5)};
  constexpr int kCalls = 200'000;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kCalls; ++i) ASSERT_TRUE(sandbox.Call(program, arguments).has_value());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("%.0f calls a second\n", kCalls / took.count());
}

}  // namespace
}  // namespace orrery::script
