#include "api/mongo/executor/script/script_calls.h"

#include <gtest/gtest.h>

#include "api/mongo/executor/script/script_codec.h"
#include "gateway/test_server.h"
#include "model/document/json.h"
#include "script/script_test_harness.h"

namespace orrery::mongo {
namespace {

using model::Value;

class ScriptCallsTest : public testing::Test {
 protected:
  std::string Call(const std::string& body, std::vector<Value> arguments = {},
                   const Value* self = nullptr) {
    const auto called = calls_.Call(body, arguments, self);
    if (!called.has_value())
      return std::to_string(called.error().code) + ": " + called.error().message;
    return std::string(model::KindName(called->kind())) + " " + model::ToJson(*called);
  }
  static Value Object(std::string_view json) { return gateway::Json(json).view().ToObject(); }

  SystemClock clock_;
  script::WorkerPool pool_{script::TestEngine(), clock_, {}};
  ScriptCalls calls_{pool_, clock_, "db", RequestContext::kNoDeadline};
};

TEST_F(ScriptCallsTest, FunctionsExpressionsAndBodies) {
  const Value self = Object(R"({"a": 5, "b": {"c": [1, 2]}})");
  EXPECT_EQ(Call("function() { return this.a > 3; }", {}, &self), "bool true");
  EXPECT_EQ(Call("this.a > 7", {}, &self), "bool false");
  EXPECT_EQ(Call("return obj.b.c[1] == 2", {}, &self), "bool true");
  EXPECT_EQ(Call("var x = this.a; x == 5", {}, &self), "bool true");
  EXPECT_EQ(Call("/* note */ (a, b) => a + b", {Value::Int32(1), Value::Double(0.5)}),
            "double 1.5");
}

TEST_F(ScriptCallsTest, NumbersAreDoublesUnlessTheyWereGivenAsOthers) {
  EXPECT_EQ(Call("function(a) { return a + 1; }", {Value::Int32(1)}), "double 2");
  const Value object = Object(R"({"a": 1, "b": 2.5, "l": [1, 2]})");
  const auto same = calls_.Call("function(o) { return o; }", {{object}}, nullptr);
  ASSERT_TRUE(same.has_value());
  EXPECT_EQ(*same, object);
  const auto changed =
      calls_.Call("function(o) { o.a = 7; o.n = 1; return o; }", {{object}}, nullptr);
  ASSERT_TRUE(changed.has_value());
  EXPECT_EQ(changed->Find("a")->kind(), model::Kind::kInt32);
  EXPECT_EQ(changed->Find("n")->kind(), model::Kind::kDouble);
  EXPECT_EQ(changed->Find("l")->AsValues().front().kind(), model::Kind::kDouble);
  EXPECT_EQ(Call("function() { return NumberInt(3); }"), "int32 3");
  EXPECT_EQ(Call("function() { return NumberLong('9007199254740993'); }"),
            "int64 9007199254740993");
}

TEST_F(ScriptCallsTest, TypesKeepTheirValues) {
  const model::Values values = {
      Value::Int64(5),
      Value::DateTime(1'577'836'800'000),
      Value::ObjectId({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}),
      Value::Binary(std::string("\0\xff", 2), 4),
      Value::Timestamp({7, 8}),
      Value::Regex("^a", "i"),
      Value::MinKey(),
      Value::MaxKey(),
      Value::DbPointer("c", {1}),
      Value::Double(-0.0),
      Value::Object({{"__proto__", Value::Int32(1)}, {"toString", Value::String("x")}}),
  };
  for (const Value& value : values) {
    const auto back = calls_.Call("function(x) { return [x]; }", {{value}}, nullptr);
    ASSERT_TRUE(back.has_value()) << model::ToJson(value) << ": " << back.error().message;
    EXPECT_EQ(back->AsValues().front(), value) << model::ToJson(value);
  }
}

TEST_F(ScriptCallsTest, VariablesNeedNoDeclaration) {
  EXPECT_EQ(Call("function() { d = 2; for (i = 0; i < 3; i++) { d += i; } return d; }"),
            "double 5");
  EXPECT_EQ(Call("n = 4; n == 4"), "bool true");
  EXPECT_EQ(Call("function() { for (k in {a: 1}) { last = k; } return last; }"), "string \"a\"");
  EXPECT_EQ(Call("function() { return missing; }"), "139: ReferenceError: missing is not defined");
}

TEST_F(ScriptCallsTest, FailuresHaveMongosCodes) {
  EXPECT_EQ(Call("this.zz.y"), "139: TypeError: this.zz is undefined");
  EXPECT_EQ(Call("throw 'x'"), "8: uncaught exception: x");
  EXPECT_TRUE(Call("(((").starts_with("139: SyntaxError"));
  EXPECT_EQ(Call("function() { throw new Error('bad'); }"), "139: Error: bad");
}

TEST_F(ScriptCallsTest, NothingSurvivesACall) {
  EXPECT_EQ(Call("function() { globalThis.x = 1; return typeof globalThis.x; }"),
            "string \"undefined\"");
}

TEST_F(ScriptCallsTest, AnEndlessFunctionEndsWithTheCommand) {
  ScriptCalls calls(pool_, clock_, "db", clock_.Monotonic() + std::chrono::milliseconds(50));
  const auto called = calls.Call("while (true) {}", {}, nullptr);
  ASSERT_FALSE(called.has_value());
  EXPECT_EQ(called.error().code, static_cast<int32_t>(ErrorCode::kMaxTimeMsExpired));
}

TEST_F(ScriptCallsTest, FoldsAndMaps) {
  const model::Values lists = {Value::Array({Value::Int32(1)}), Value::Array({Value::Int32(2)})};
  const auto folded =
      calls_.Fold("function(state, x) { return state + x; }", Value::Double(10), lists);
  ASSERT_TRUE(folded.has_value()) << folded.error().message;
  EXPECT_EQ(*folded, Value::Double(13));
  const std::vector<model::Document> documents = {gateway::Json(R"({"k": "a", "v": 1})"),
                                                  gateway::Json(R"({"k": "b", "v": 2})")};
  const auto emitted =
      calls_.Map("function() { emit(this.k, this.v + z); }", documents, Object(R"({"z": 10})"));
  ASSERT_TRUE(emitted.has_value()) << emitted.error().message;
  ASSERT_EQ(emitted->size(), 2u);
  EXPECT_EQ(emitted->back(), std::make_pair(Value::String("b"), Value::Double(12)));
  const auto wrong = calls_.Map("function() { emit(1); }", documents, Value::Object({}));
  ASSERT_FALSE(wrong.has_value());
  EXPECT_EQ(wrong.error().code, 31220);
}

}  // namespace
}  // namespace orrery::mongo
