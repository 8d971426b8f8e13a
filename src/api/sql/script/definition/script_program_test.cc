#include "api/sql/script/definition/script_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/script_test_harness.h"

namespace orrery::sql {
namespace {

using ::testing::HasSubstr;

class ScriptProgramTest : public ::testing::Test {
 protected:
  Status Check(std::string body) {
    return CheckCompiles(pool_, container_, {ScriptKind::kTrigger, "t", std::move(body)});
  }
  void ExpectRefused(std::string body, std::string text) {
    const Status status = Check(std::move(body));
    ASSERT_FALSE(status.has_value());
    EXPECT_EQ(status.error().code(), Code::kInvalidArgument);
    EXPECT_THAT(status.error().message(), HasSubstr(text));
  }

  script::SteppingClock clock_;
  script::WorkerPool pool_{
      script::TestEngine(), clock_, {.threads = 1, .queue_max = 16, .sandbox = {}}};
  gateway::ContainerEntry container_;
};

TEST_F(ScriptProgramTest, TakesFunctionsOfEveryForm) {
  for (const char* body : {"function () {}", "function named(a, b) { return a; };", "(a) => a",
                           "async function () {}", "  // first\nfunction () {} // last\n;"}) {
    const Status status = Check(body);
    EXPECT_TRUE(status.has_value()) << body << ": " << status.error().message();
  }
}

TEST_F(ScriptProgramTest, SaysWhereItDoesNotCompile) {
  ExpectRefused("function () {\n  var x = ;\n}", "line 2, column 11");
  ExpectRefused("function () {", "trigger 't' does not compile");
}

TEST_F(ScriptProgramTest, WhatIsNoFunctionIsRefused) {
  ExpectRefused("42", "no function");
  ExpectRefused("", "");
  ExpectRefused("(() => { throw 1; })()", "no function");
  ExpectRefused("(() => { for (;;); })()", "no function");
}

TEST_F(ScriptProgramTest, AStoppedPoolIsNotTheAuthorsFault) {
  pool_.Stop();
  EXPECT_EQ(Check("function () {}").error().code(), Code::kCancelled);
}

}  // namespace
}  // namespace orrery::sql
