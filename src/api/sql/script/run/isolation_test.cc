// Scripts that loop, recurse, allocate or look for a way out: each fails alone, and writes nothing.
#include <gtest/gtest.h>

#include <string>

#include "api/sql/script/run/script_failure.h"
#include "api/sql/script/script_testing.h"

namespace orrery::sql {
namespace {

using ::testing::HasSubstr;

class IsolationTest : public ScriptTest {
 protected:
  IsolationTest() { limits.time = std::chrono::milliseconds(60); }

  // After the write of a document that must not stay.
  ProcedureAnswer RunAfterWrite(std::string statements) {
    return Run("function () { __.createDocument(__.getSelfLink(), {id: 'lost', pk: 'a'}); " +
               std::move(statements) + " }");
  }
  void ExpectLost(std::string statements, int status) {
    const ProcedureAnswer answer = RunAfterWrite(statements);
    ASSERT_FALSE(answer.body.has_value()) << statements;
    EXPECT_EQ(answer.body.error().status, status) << answer.body.error().message;
    EXPECT_EQ(Stored("lost"), "") << statements;
    // The next script finds the sandbox as it should be.
    EXPECT_EQ(Body("function () { __.response.setBody(1); }"), "1");
  }
};

TEST_F(IsolationTest, LoopsWithoutEnd) {
  ExpectLost("for (;;);", 408);
  ExpectLost("while (true) { try { for (;;); } catch (e) {} }", 408);
  ExpectLost(
      "const again = () => { __.readDocuments(__.getSelfLink(), again); }; again();"
      "for (;;);",
      408);
}

TEST_F(IsolationTest, Recursion) {
  ExpectLost("(function f() { return 1 + f(); })();", 400);
  ExpectLost("const a = []; a[0] = a; __.response.setBody(a);", 400);
}

TEST_F(IsolationTest, HugeAllocations) {
  limits.time = std::chrono::milliseconds(5'000);
  ExpectLost("const all = []; for (;;) all.push(new Array(10000).fill(7));", 400);
  ExpectLost("'x'.repeat(1 << 28).split('');", 400);
}

TEST_F(IsolationTest, TooLongAnAnswer) {
  ExpectLost("__.response.setBody('x'.repeat(5 * 1024 * 1024));", 400);
}

TEST_F(IsolationTest, GettersProxiesAndToJson) {
  ExpectLost("__.response.setBody({toJSON() { for (;;); }});", 408);
  ExpectLost("__.response.setBody(new Proxy({}, {ownKeys() { throw new Error('trap'); }}));", 400);
  ExpectLost("__.createDocument(__.getSelfLink(), {get id() { throw new Error('getter'); }});",
             400);
  // One that writes while it is read: both writes are part of the script.
  EXPECT_EQ(Body(R"js(function () {
      __.createDocument(__.getSelfLink(), {id: 'outer', pk: 'a', get x() {
        __.createDocument(__.getSelfLink(), {id: 'inner', pk: 'a'});
        return 1;
      }});
    })js"),
            "");
  EXPECT_NE(Stored("outer"), "");
  EXPECT_NE(Stored("inner"), "");
}

TEST_F(IsolationTest, NothingButTheApiIsThere) {
  EXPECT_EQ(Body(R"js(function () {
      const names = ['host', 'require', 'process', 'load', 'read', 'quit', 'setTimeout', 'fetch',
                     'XMLHttpRequest', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'start',
                     'collection'];
      __.response.setBody(names.filter((name) => name in globalThis));
    })js"),
            "[]");
  EXPECT_EQ(Body(R"js(function () {
      let found = null;
      const look = function () {
        try { found = look.caller || look.arguments; } catch (e) {}
      };
      __.readDocuments(__.getSelfLink(), look);
      __.filter((doc) => { look(); return true; }, () => __.response.setBody(found));
    })js"),
            "null");
}

TEST_F(IsolationTest, ChangedBuiltinsHarmNobodyElse) {
  const ProcedureAnswer answer = Run(R"js(function () {
      Array.prototype.push = JSON.stringify = Error = Object.keys = null;
      Object.prototype.number = 1;
      globalThis.left = 'behind';
      __ = getContext = null;
    })js");
  EXPECT_TRUE(answer.body.has_value() || answer.body.error().status == 400);
  EXPECT_EQ(Body(R"js(function () {
      __.response.setBody([typeof left, typeof [].push, {}.number === undefined]);
    })js"),
            R"(["undefined","function",true])");
}

TEST_F(IsolationTest, TheApiSurvivesChangedBuiltins) {
  for (const char* change :
       {"Array.prototype[Symbol.iterator] = function* () { yield 5; yield 6; };",
        "Array.prototype.slice = Array.prototype.find = Array.isArray = () => 7;",
        "Function.prototype.call = Function.prototype.apply = () => 7;",
        "Map.prototype.get = Map.prototype.has = () => { throw 7; };",
        "Object.prototype.then = Object.prototype.toJSON = (resolve) => 7;",
        "Object.defineProperty(Object.prototype, 'id', {get() { return {}; }, set() {}});",
        "Error.prototype.constructor = Error.captureStackTrace = 7;"}) {
    const ProcedureAnswer answer = Run(std::string("function () { ") + change + R"js(
          const attempt = (f) => { try { f(); } catch (e) {} };
          const link = __.getSelfLink();
          attempt(() => __.createDocument(link, {pk: 'a'}, () => {}));
          attempt(() => __.readDocument(link + 'docs/1', {}, () => {}));
          attempt(() => __.queryDocuments(link, 'x', {}, () => {}));
          attempt(() => __.chain().filter((d) => true).value(() => {}));
          attempt(() => __.request.getValue('x'));
          attempt(() => __.response.appendBody({}));
          attempt(() => __.response.store());
          attempt(() => getContext().abort());
        })js");
    EXPECT_TRUE(answer.body.has_value() || answer.body.error().status == 400)
        << change << answer.body.error().message;
    EXPECT_EQ(Body("function () { __.response.setBody([1].slice()); }"), "[1]") << change;
  }
}

TEST_F(IsolationTest, FailuresNameTheLinesOfTheScript) {
  const ProcedureAnswer answer =
      Run("function main() {\n  const f = () => {\n    throw new "
          "Error('boom');\n  };\n  f();\n}");
  ASSERT_FALSE(answer.body.has_value());
  const std::string& message = answer.body.error().message;
  EXPECT_THAT(message, HasSubstr(R"(Message: {"Errors":["Encountered exception while executing )"
                                 R"(Javascript. Exception = Error: boom\r\nStack trace: Error: )"
                                 R"(boom\n   at f (p0.js:3:)"));
  EXPECT_THAT(message, HasSubstr("main (p0.js:5:"));
  EXPECT_THAT(message, ::testing::Not(HasSubstr("prelude")));
}

TEST(ScriptFailure, StatusFollowsTheReason) {
  using script::Reason;
  EXPECT_EQ(FailureOfScript(script::MakeFailure(Reason::kThrown, "x")).status, 400);
  EXPECT_EQ(FailureOfScript(script::MakeFailure(Reason::kTime, "x")).status, 408);
  EXPECT_EQ(FailureOfScript(script::MakeFailure(Reason::kCancelled, "x")).status, 503);
  EXPECT_EQ(FailureOfScript(script::MakeFailure(Reason::kInternal, "x")).status, 500);
  EXPECT_EQ(FailureOfRun(Error(Code::kInvalidArgument, "x")).status, 400);
  EXPECT_EQ(FailureOfRun(Error(Code::kUnavailable, "x")).status, 503);
  EXPECT_EQ(FailureOfRun(Error::Throttled("x", 7)).retry_after_ms, 7u);
}

}  // namespace
}  // namespace orrery::sql
