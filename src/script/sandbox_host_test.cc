// Runs that talk to a host: calls, callbacks, errors, the log.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "script/sandbox.h"
#include "script/script_test_harness.h"

namespace orrery::script {
namespace {

using model::Value;
using ::testing::HasSubstr;

// A stored-procedure interface in small: createDocument calls back with what was stored.
class SandboxHostTest : public ::testing::Test {
 protected:
  SandboxHostTest() {
    host.prelude = R"js(
      function (host) {
        'use strict';
        globalThis.getContext = () => ({
          getCollection: () => ({
            createDocument: (link, document, callback) => host.create(document, callback),
          }),
          getResponse: () => ({ setBody: (body) => host.setBody(body) }),
        });
      })js";
    host.functions.push_back(
        {"create", DatumForm::kJson, [this](HostCall& call) { return Create(call); }});
    host.functions.push_back({"setBody", DatumForm::kJson, [this](HostCall& call) -> Result<Datum> {
                                body = std::get<Json>(call.arguments()[0]).text;
                                return Datum();
                              }});
  }

  Result<Datum> Create(HostCall& call) {
    const std::string& text = std::get<Json>(call.arguments()[0]).text;
    if (text.find("bad") != std::string::npos) return Fail(Code::kAlreadyExists, "it is there");
    if (text.find("crash") != std::string::npos) throw std::runtime_error("library");
    created.push_back(text);
    if (call.is_callback(1)) {
      ORRERY_TRY(call.Later(1, {Datum(Value::Null()), Datum(Json{text})}));
    }
    return Datum(Value::Bool(true));
  }

  RunReport Run(std::string source, std::vector<Datum> arguments = {}, const Limits& limits = {}) {
    return test.sandbox.Run(test.Function(std::move(source)), arguments, &host, DatumForm::kJson,
                            limits);
  }

  SandboxForTest test;
  Host host;
  std::vector<std::string> created;
  std::string body;
};

TEST_F(SandboxHostTest, CallbacksRunAfterTheFunctionReturned) {
  const RunReport report = Run(R"js(
    function (first) {
      const collection = getContext().getCollection();
      const order = ['start'];
      const accepted = collection.createDocument('link', first, function (err, doc) {
        order.push(doc.id);
        collection.createDocument('link', {id: 'second'}, (err2, doc2) => {
          order.push(doc2.id);
          getContext().getResponse().setBody(order);
        });
      });
      order.push(accepted, 'end');
      return {accepted};
    })js",
                               {Json{R"({"id":"first","n":1.5,"ü":[null]})"}});
  ASSERT_TRUE(report.outcome.has_value()) << report.outcome.error().message;
  EXPECT_EQ(std::get<Json>(*report.outcome).text, R"({"accepted":true})");
  EXPECT_EQ(body, R"(["start",true,"end","first","second"])");
  EXPECT_THAT(created,
              ::testing::ElementsAre(R"({"id":"first","n":1.5,"ü":[null]})", R"({"id":"second"})"));
}

TEST_F(SandboxHostTest, CallbacksAndPromisesMix) {
  const RunReport report = Run(R"js(
    async function () {
      const create = (doc) => new Promise((resolve, reject) =>
          getContext().getCollection().createDocument('', doc, (e, d) => e ? reject(e) : resolve(d)));
      const a = await create({id: 1});
      const b = await create({id: a.id + 1});
      return b.id;
    })js");
  ASSERT_TRUE(report.outcome.has_value()) << report.outcome.error().message;
  EXPECT_EQ(std::get<Json>(*report.outcome).text, "2");
  EXPECT_EQ(created.size(), 2u);
}

TEST_F(SandboxHostTest, HostErrorsAreThrownAndKeepTheirCode) {
  RunReport report = Run("() => getContext().getCollection().createDocument('', 'bad')");
  ASSERT_FALSE(report.outcome.has_value());
  EXPECT_EQ(report.outcome.error().reason, Reason::kHost);
  EXPECT_EQ(report.outcome.error().code, Code::kAlreadyExists);
  EXPECT_EQ(report.outcome.error().message, "it is there");

  report =
      Run("() => { try { getContext().getCollection().createDocument('', 'bad'); }"
          " catch (e) { return [e instanceof Error, e.message, e.code]; } }");
  ASSERT_TRUE(report.outcome.has_value());
  EXPECT_EQ(std::get<Json>(*report.outcome).text, R"([true,"it is there","already_exists"])");

  report = Run("() => getContext().getCollection().createDocument('', 'crash')");
  EXPECT_EQ(report.outcome.error().code, Code::kInternal);
}

TEST_F(SandboxHostTest, AScriptsOwnErrorIsNoHostError) {
  const RunReport report =
      Run("() => { try { getContext().getCollection().createDocument('', 'bad'); } catch (e) {}"
          " const e = new Error('it is there'); e.code = 'already_exists'; throw e; }");
  EXPECT_EQ(report.outcome.error().reason, Reason::kThrown);
  EXPECT_EQ(report.outcome.error().code, Code::kInvalidArgument);
}

TEST_F(SandboxHostTest, AnErrorInACallbackEndsTheRun) {
  const RunReport report =
      Run("() => { const c = getContext().getCollection(); c.createDocument('', 1, () => { throw "
          "'x' });"
          " c.createDocument('', 2, () => c.createDocument('', 3)); }");
  ASSERT_FALSE(report.outcome.has_value());
  EXPECT_EQ(created.size(), 2u);
}

TEST_F(SandboxHostTest, EndlessCallbacksEnd) {
  Limits limits;
  limits.time = std::chrono::milliseconds(20);
  RunReport report =
      Run("function () { const c = getContext().getCollection();"
          " const again = () => { c.createDocument('', 1, again); }; again(); }",
          {}, limits);
  EXPECT_EQ(report.outcome.error().reason, Reason::kTime);
  created.clear();
  limits.time = std::chrono::milliseconds(1'000'000);
  report =
      Run("function () { const c = getContext().getCollection();"
          " for (;;) c.createDocument('', 1, () => {}); }",
          {}, limits);
  EXPECT_EQ(report.outcome.error().code, Code::kResourceExhausted);
  EXPECT_EQ(created.size(), kCallbacksPendingMax + 1);
  EXPECT_TRUE(Run("() => 1").outcome.has_value());
}

TEST_F(SandboxHostTest, AnEndedRunDoesNotReachTheHost) {
  const RunReport report =
      Run("function () { const c = getContext().getResponse();"
          " Promise.resolve('late').then(c.setBody); throw new Error('first'); }");
  EXPECT_FALSE(report.outcome.has_value());
  EXPECT_EQ(body, "");
}

TEST_F(SandboxHostTest, TheHostObjectStaysHidden) {
  const RunReport report = Run(
      "function () { let seen; getContext().getCollection().createDocument('', {"
      "   get x() { try { seen = arguments.callee.caller; } catch (e) { seen = 0; } return 1; }});"
      " return [typeof host, seen === undefined || seen === null || seen === 0]; }");
  ASSERT_TRUE(report.outcome.has_value()) << report.outcome.error().message;
  EXPECT_EQ(std::get<Json>(*report.outcome).text, R"(["undefined",true])");
}

TEST_F(SandboxHostTest, ConsoleLogIsKeptAndBounded) {
  RunReport report = Run("() => { console.log('a', 1, {b: [2]}, null); console.error('c'); }");
  EXPECT_EQ(report.log, "a 1 {\"b\":[2]} nullc");
  EXPECT_FALSE(report.log_is_cut);

  report = Run("() => { console.log('before'); throw 1; }");
  EXPECT_EQ(report.log, "before");
  EXPECT_FALSE(report.outcome.has_value());

  Limits limits;
  limits.log_bytes_max = 10;
  report = Run(
      "() => { console.log('12345'); console.log('x'.repeat(1e6)); console.log(['x'.repeat(99)]);"
      " console.log('1'); return 1; }",
      {}, limits);
  EXPECT_TRUE(report.outcome.has_value());
  EXPECT_EQ(report.log, "12345");
  EXPECT_TRUE(report.log_is_cut);
}

TEST_F(SandboxHostTest, TheNumberOfAnErrorIsKept) {
  const auto number = [&](const char* source) { return Run(source).outcome.error().number; };
  EXPECT_EQ(number("() => { const e = new Error('x'); e.number = -7; throw e; }"), -7);
  EXPECT_EQ(number("async () => { const e = new TypeError('x'); e.number = 2 ** 31; throw e; }"),
            0);
  EXPECT_EQ(number("() => { const e = new Error('x'); e.number = '7'; throw e; }"), 0);
  EXPECT_EQ(number("() => { throw new Error('x'); }"), 0);
  EXPECT_EQ(number("() => { throw {number: 7}; }"), 0);
  EXPECT_EQ(number("() => { throw 7; }"), 0);
}

TEST_F(SandboxHostTest, JsonOutIsJsonForEverybody) {
  const RunReport report = Run(R"js(x => [x, '\ud800', '\\ud800', '😀', undefined, NaN])js",
                               {Json{R"({"a":"\udfff","b":1e400,"b":-0})"}});
  ASSERT_TRUE(report.outcome.has_value());
  EXPECT_EQ(std::get<Json>(*report.outcome).text,
            R"([{"a":"�","b":0},"�","\\ud800","😀",null,null])");
  EXPECT_EQ(Run("() => 1n").outcome.error().reason, Reason::kThrown);
  EXPECT_EQ(Run("x => x", {Json{"{bad"}}).outcome.error().reason, Reason::kThrown);
}

TEST_F(SandboxHostTest, ABadProgramOrPreludeIsSaid) {
  EXPECT_EQ(Run("function ( {").outcome.error().reason, Reason::kSyntax);
  host.prelude = "function (host) { throw new Error('prelude'); }";
  EXPECT_THAT(Run("() => 1").outcome.error().message, HasSubstr("prelude"));
}

TEST_F(SandboxHostTest, ManyRunsLeaveNothingBehind) {
  const auto run = [&](int count) {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(Run("() => { const a = new Array(1000).fill('x'); return a.length; }")
                      .outcome.has_value());
    }
  };
  run(50);
  const size_t before = test.sandbox.LiveBytes();
  run(500);
  EXPECT_LT(test.sandbox.LiveBytes(), before + (size_t{1} << 20));
}

}  // namespace
}  // namespace orrery::script
