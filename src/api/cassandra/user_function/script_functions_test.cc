#include "api/cassandra/user_function/script_functions.h"

#include <gtest/gtest.h>

#include "api/cassandra/user_function/user_function_fixture_for_test.h"

namespace orrery::cassandra {
namespace {

using testing::Int;
using testing::Text;

TEST_F(UserFunctionTest, AFunctionIsMadeOncePerDefinition) {
  const FunctionPtr first = Add(Define("f", {"x"}, {Int()}, Int(), "x"));
  EXPECT_EQ(functions_.Find(keyspace_, "f").front(), first);
  const FunctionPtr second = Add(Define("f", {"x"}, {Text()}, Int(), "1"));
  EXPECT_EQ(functions_.Find(keyspace_, "f"), (std::vector<FunctionPtr>{first, second}));
  EXPECT_TRUE(functions_.Find(keyspace_, "g").empty());
}

TEST_F(UserFunctionTest, ABodyMustCompile) {
  EXPECT_TRUE(functions_.Check(Define("f", {"x"}, {Int()}, Int(), "return x + 1")).has_value());
  const auto broken = functions_.Check(Define("f", {"x"}, {Int()}, Int(), "x +"));
  ASSERT_FALSE(broken.has_value());
  EXPECT_EQ(broken.error().code, ErrorCode::kInvalid);
  EXPECT_TRUE(broken.error().message.starts_with(
      "Failed to compile function 'ks.f' for language javascript: SyntaxError"))
      << broken.error().message;
}

TEST_F(UserFunctionTest, JavaIsRefusedOrKeptWithoutBeingRun) {
  UserFunction java = Define("f", {"x"}, {Int()}, Int(), "return x + 1;");
  java.language = "java";
  java.called_on_null_input = false;
  const auto refused = functions_.Check(java);
  ASSERT_FALSE(refused.has_value());
  EXPECT_TRUE(refused.error().message.contains("LANGUAGE javascript")) << refused.error().message;
  EXPECT_TRUE(refused.error().message.contains("--cassandra-java-functions=skip"));
  EXPECT_TRUE(ScriptFunctions(pool_, JavaFunctions::kSkip).Check(java).has_value());
  // However it came into the schema.
  const FunctionPtr function = Add(java);
  for (const std::optional<std::string>& argument :
       {std::optional<std::string>(std::string(4, '\0')), std::optional<std::string>()}) {
    const auto called = Call(function, {argument});
    ASSERT_FALSE(called.has_value());
    EXPECT_EQ(called.error().message(),
              "execution of 'ks.f[int]' failed: its LANGUAGE is java, which this server does not "
              "run; create it again with LANGUAGE javascript");
  }
}

TEST_F(UserFunctionTest, ArgumentsNeedNamesThatScriptsCanUse) {
  EXPECT_FALSE(functions_.Check(Define("f", {"a b"}, {Int()}, Int(), "1")).has_value());
  EXPECT_FALSE(functions_.Check(Define("f", {"while"}, {Int()}, Int(), "1")).has_value());
}

TEST_F(UserFunctionTest, AStoppedPoolChecksNothing) {
  pool_.Stop();
  EXPECT_FALSE(functions_.Check(Define("f", {"x"}, {Int()}, Int(), "x")).has_value());
}

}  // namespace
}  // namespace orrery::cassandra
