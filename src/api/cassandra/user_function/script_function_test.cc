#include "api/cassandra/user_function/script_function.h"

#include <gtest/gtest.h>

#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/user_function/user_function_fixture_for_test.h"

namespace orrery::cassandra {
namespace {

using testing::Int;
using testing::Text;

std::string Encoded(int32_t value) { return EncodeInteger(value); }

TEST_F(UserFunctionTest, TheResultIsReturnedOrTheLastValue) {
  EXPECT_EQ(Eval(Int(), Encoded(20), Int(), "return x + 1;"), "21");
  EXPECT_EQ(Eval(Int(), Encoded(20), Int(), "x + 1;"), "21");
  EXPECT_EQ(Eval(Int(), Encoded(20), Int(), "var y = x; if (y > 10) { y * 2 } else { 0 }"), "40");
  EXPECT_EQ(Eval(Int(), Encoded(20), Int(), "var y = 1;"), "null");
}

TEST_F(UserFunctionTest, SeveralArguments) {
  const FunctionPtr function = Add(Define("join", {"a", "b"}, {Text(), Int()}, Text(), "a + b"));
  EXPECT_EQ(Call(function, {"n", Encoded(7)}).value(), "n7");
  EXPECT_EQ(function->Signature(), "ks.join : (text, int) -> text");
  EXPECT_FALSE(static_cast<const ScalarFunction&>(*function).is_pure());
}

TEST_F(UserFunctionTest, NullsAreSkippedOrPassed) {
  UserFunction definition = Define("f", {"x"}, {Int()}, Text(), "String(x)");
  EXPECT_EQ(Call(Add(definition), {std::nullopt}).value(), "null");
  EXPECT_EQ(Call(Add(definition), {""}).value(), "null");
  definition.called_on_null_input = false;
  EXPECT_EQ(Call(Add(definition), {std::nullopt}).value(), std::nullopt);
  EXPECT_EQ(Call(Add(definition), {""}).value(), std::nullopt);
  EXPECT_EQ(Call(Add(definition), {Encoded(1)}).value(), "1");
  definition.argument_types = {Text()};
  EXPECT_EQ(Call(Add(definition), {""}).value(), "");
}

TEST_F(UserFunctionTest, FailuresAreTheFunctions) {
  const FunctionPtr function =
      Add(Define("f", {"x"}, {Int()}, Int(), "if (x > 1) throw new Error('too many'); 'no int'"));
  const std::string thrown = Call(function, {Encoded(2)}).error().message();
  EXPECT_TRUE(thrown.starts_with("execution of 'ks.f[int]' failed: Error: too many")) << thrown;
  const std::string wrong = Call(function, {Encoded(1)}).error().message();
  EXPECT_TRUE(wrong.starts_with("execution of 'ks.f[int]' failed: ")) << wrong;
  EXPECT_TRUE(static_cast<const ScalarFunction&>(*function).fails_as_function());
}

TEST_F(UserFunctionTest, TimeIsBounded) {
  const FunctionPtr function = Add(Define("f", {"x"}, {Int()}, Int(), "while (true) {}"));
  clock_.Hurry();
  const auto result = Call(function, {Encoded(1)});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code(), Code::kResourceExhausted);
  // The thread is free for others.
  EXPECT_EQ(Eval(Int(), Encoded(1), Int(), "x"), "1");
}

TEST_F(UserFunctionTest, AStoppedPoolAnswers) {
  const FunctionPtr function = Add(Define("f", {"x"}, {Int()}, Int(), "x"));
  pool_.Stop();
  EXPECT_EQ(Call(function, {Encoded(1)}).error().code(), Code::kCancelled);
}

}  // namespace
}  // namespace orrery::cassandra
