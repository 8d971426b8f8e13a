#include "api/cassandra/user_function/script_aggregate.h"

#include <gtest/gtest.h>

#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/user_function/user_function_fixture_for_test.h"

namespace orrery::cassandra {
namespace {

using testing::Int;
using testing::TupleOf;

class ScriptAggregateTest : public UserFunctionTest {
 protected:
  ScriptAggregateTest() {
    UserFunction step = Define("step", {"s", "x"}, {state_, Int()}, state_, "[s[0] + 1, s[1] + x]");
    step.called_on_null_input = false;
    Add(std::move(step));
    Add(Define("ratio", {"s"}, {state_}, Type::Native(TypeKind::kDouble),
               "s[0] == 0 ? null : s[1] / s[0]"));
  }

  // The mean of whole numbers.
  UserAggregate Mean() const {
    UserAggregate mean;
    mean.keyspace = "ks";
    mean.name = "mean";
    mean.argument_types = {Int()};
    mean.state_function = "step";
    mean.state_type = state_;
    mean.final_function = "ratio";
    mean.return_type = Type::Native(TypeKind::kDouble);
    mean.initial_condition = "(0, 0)";
    return mean;
  }

  FunctionPtr Find(UserAggregate aggregate) {
    keyspace_.aggregates = {std::make_shared<const UserAggregate>(std::move(aggregate))};
    const auto found = functions_.Find(keyspace_, "mean");
    return found.empty() ? nullptr : found.back();
  }

  static Status AddRow(Accumulator& rows, std::optional<int32_t> x) {
    const std::string bytes = EncodeInteger(x.value_or(0));
    const std::optional<std::string_view> row[] = {x ? std::optional<std::string_view>(bytes)
                                                     : std::nullopt};
    return rows.Add(row);
  }

  const TypePtr state_ = TupleOf({Int(), Type::Native(TypeKind::kBigint)});
};

TEST_F(ScriptAggregateTest, AllRowsCount) {
  const FunctionPtr mean = Find(Mean());
  ASSERT_NE(mean, nullptr);
  ASSERT_TRUE(mean->is_aggregate());
  const auto rows = static_cast<const AggregateFunction&>(*mean).Start();
  for (int32_t i = 0; i < 3 * static_cast<int32_t>(kGatheredRowsMax) + 1; ++i) {
    ASSERT_TRUE(AddRow(*rows, i).has_value());
    ASSERT_TRUE(AddRow(*rows, std::nullopt).has_value());
  }
  EXPECT_EQ(rows->Finish().value(), EncodeDouble(96.0));
}

TEST_F(ScriptAggregateTest, NoRowsGiveWhatTheInitialStateGives) {
  EXPECT_EQ(static_cast<const AggregateFunction&>(*Find(Mean())).Start()->Finish().value(),
            std::nullopt);
  UserAggregate plain = Mean();
  plain.final_function.reset();
  plain.return_type = state_;
  const auto state = static_cast<const AggregateFunction&>(*Find(plain)).Start()->Finish().value();
  EXPECT_EQ(ToCqlLiteral(*state_, *state).value(), "(0, 0)");
}

TEST_F(ScriptAggregateTest, TheStateMayBeTheResult) {
  UserAggregate plain = Mean();
  plain.final_function.reset();
  plain.return_type = state_;
  const FunctionPtr aggregate = Find(plain);
  const auto rows = static_cast<const AggregateFunction&>(*aggregate).Start();
  ASSERT_TRUE(AddRow(*rows, 5).has_value());
  EXPECT_EQ(ToCqlLiteral(*state_, *rows->Finish().value()).value(), "(1, 5)");
}

TEST_F(ScriptAggregateTest, AFailureIsTheStateFunctions) {
  keyspace_.functions.clear();
  Add(Define("step", {"s", "x"}, {state_, Int()}, state_, "throw 'no'"));
  UserAggregate plain = Mean();
  plain.final_function.reset();
  const FunctionPtr aggregate = Find(plain);
  const auto rows = static_cast<const AggregateFunction&>(*aggregate).Start();
  ASSERT_TRUE(AddRow(*rows, 5).has_value());
  const auto result = rows->Finish();
  ASSERT_FALSE(result.has_value());
  EXPECT_TRUE(result.error().message().starts_with(
      "execution of 'ks.step[tuple<int, bigint>, int]' failed: "))
      << result.error().message();
  ASSERT_NE(rows->failed_function(), nullptr);
  EXPECT_EQ(rows->failed_function()->name().Text(), "ks.step");
}

TEST_F(ScriptAggregateTest, AFailureIsTheStateFunctionsWhileRowsCome) {
  keyspace_.functions.clear();
  Add(Define("step", {"s", "x"}, {state_, Int()}, state_, "throw 'no'"));
  UserAggregate plain = Mean();
  plain.final_function.reset();
  const FunctionPtr aggregate = Find(plain);
  const auto rows = static_cast<const AggregateFunction&>(*aggregate).Start();
  for (size_t i = 1; i < kGatheredRowsMax; ++i) ASSERT_TRUE(AddRow(*rows, 5).has_value());
  EXPECT_EQ(rows->failed_function(), nullptr);
  EXPECT_FALSE(AddRow(*rows, 5).has_value());
  ASSERT_NE(rows->failed_function(), nullptr);
  EXPECT_EQ(rows->failed_function()->name().Text(), "ks.step");
}

TEST_F(ScriptAggregateTest, AFailureIsTheFinalFunctions) {
  std::erase_if(keyspace_.functions,
                [](const auto& function) { return function->name == "ratio"; });
  Add(Define("ratio", {"s"}, {state_}, Type::Native(TypeKind::kDouble), "throw 'no'"));
  const FunctionPtr aggregate = Find(Mean());
  const auto rows = static_cast<const AggregateFunction&>(*aggregate).Start();
  ASSERT_TRUE(AddRow(*rows, 5).has_value());
  ASSERT_FALSE(rows->Finish().has_value());
  ASSERT_NE(rows->failed_function(), nullptr);
  EXPECT_EQ(rows->failed_function()->name().Text(), "ks.ratio");
}

TEST_F(ScriptAggregateTest, ThatThePoolIsStoppedIsNobodysFailure) {
  const FunctionPtr aggregate = Find(Mean());
  const auto rows = static_cast<const AggregateFunction&>(*aggregate).Start();
  ASSERT_TRUE(AddRow(*rows, 5).has_value());
  pool_.Stop();
  EXPECT_EQ(rows->Finish().error().code(), Code::kCancelled);
  EXPECT_EQ(rows->failed_function(), nullptr);
}

TEST_F(ScriptAggregateTest, OneWithoutItsPartsIsLeftOut) {
  UserAggregate broken = Mean();
  broken.state_function = "gone";
  EXPECT_EQ(Find(broken), nullptr);
  broken = Mean();
  broken.initial_condition = "'text'";
  EXPECT_EQ(Find(broken), nullptr);
}

}  // namespace
}  // namespace orrery::cassandra
