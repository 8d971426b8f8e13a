#include "api/sql/script/function/query_functions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/script_test_harness.h"

namespace orrery::sql {
namespace {

using model::Value;
using ::testing::HasSubstr;

class QueryFunctionsTest : public ::testing::Test {
 protected:
  QueryFunctionsTest() {
    // The sample of the service's documentation.
    Add("tax", R"js(function tax(income) {
        if (income == undefined) throw 'no input';
        if (income < 1000) return income * 0.1;
        else if (income < 10000) return income * 0.2;
        else return income * 0.4;
      })js");
    Add("echo", "function (x) { return x; }");
    Add("count", "function () { return typeof counter === 'undefined' ? 0 : ++counter; }");
    Add("loop", "function () { for (;;); }");
    Add("leave", "function () { return typeof getContext + typeof __; }");
  }
  void Add(std::string id, std::string body) {
    ASSERT_TRUE(scripts_.Create({ScriptKind::kFunction, std::move(id), std::move(body)}, Micros(0))
                    .has_value());
  }
  QueryFunctions Make(const QueryFunctions::Limits& limits = {}) {
    return QueryFunctions(pool_, clock_, std::make_shared<gateway::ContainerEntry>(),
                          std::make_shared<ScriptSet>(scripts_), limits);
  }

  script::SteppingClock clock_;
  script::WorkerPool pool_{script::TestEngine(), clock_, {}};
  ScriptSet scripts_;
};

TEST_F(QueryFunctionsTest, CallsByName) {
  QueryFunctions functions = Make();
  for (int i = 0; i < 3; ++i) {
    const Value income = Value::Int32(5'000);
    EXPECT_EQ(functions.Call("tax", {&income, 1}).value(), Value::Int32(1'000));
  }
  const Value object = Value::Object({{"a", Value::Array({Value::Null(), Value::String("x")})}});
  EXPECT_EQ(functions.Call("echo", {&object, 1}).value(), object);
  EXPECT_TRUE(functions.Call("echo", {}).value().is_undefined());
}

TEST_F(QueryFunctionsTest, FailuresAreTheQuerys) {
  QueryFunctions functions = Make();
  const auto thrown = functions.Call("tax", {});
  ASSERT_FALSE(thrown.has_value());
  EXPECT_EQ(thrown.error().code(), Code::kInvalidArgument);
  EXPECT_THAT(thrown.error().message(), HasSubstr("udf.tax"));
  EXPECT_THAT(thrown.error().message(), HasSubstr("no input"));
  const auto missing = functions.Call("none", {});
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code(), Code::kInvalidArgument);
  EXPECT_THAT(missing.error().message(), HasSubstr("'udf.none'"));
}

TEST_F(QueryFunctionsTest, AllCallsTogetherHaveATime) {
  QueryFunctions functions = Make({.time = std::chrono::milliseconds(60)});
  const auto looped = functions.Call("loop", {});
  ASSERT_FALSE(looped.has_value());
  EXPECT_EQ(looped.error().code(), Code::kInvalidArgument);
  const Value one = Value::Int32(1);
  EXPECT_EQ(functions.Call("echo", {&one, 1}).error().code(), Code::kInvalidArgument);
}

TEST_F(QueryFunctionsTest, FunctionsSeeNothingOfTheServer) {
  QueryFunctions functions = Make();
  EXPECT_EQ(functions.Call("leave", {}).value(), Value::String("undefinedundefined"));
  EXPECT_EQ(functions.Call("count", {}).value(), Value::Int32(0));
}

TEST_F(QueryFunctionsTest, AStoppedPoolIsNotTheQuerysFault) {
  QueryFunctions functions = Make();
  pool_.Stop();
  EXPECT_EQ(functions.Call("echo", {}).error().code(), Code::kCancelled);
}

}  // namespace
}  // namespace orrery::sql
