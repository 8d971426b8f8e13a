// Answers of queries with aggregates when a function of a user fails in them.
#include "api/cassandra/executor/read/row_group.h"

#include <gtest/gtest.h>

#include "api/cassandra/executor/read/read_fixture.h"
#include "api/cassandra/types/type_builder.h"

namespace orrery::cassandra {
namespace {

using testing::Int;
using testing::TableBuilder;

// Takes all that it is given for a reason to fail.
class Failing final : public ScalarFunction {
 public:
  Failing(std::string name, TypeList types)
      : ScalarFunction({"ks", std::move(name)}, std::move(types), Int()) {}
  bool is_pure() const override { return false; }
  bool fails_as_function() const override { return true; }
  FunctionResult Call(FunctionContext&, FunctionArguments) const override {
    return Fail(Code::kInvalidArgument, FailureText(*this, "no"));
  }
};

enum class Where : uint8_t { kAdd, kFinish, kOutside };

// An aggregate whose `step` fails at a row, whose `last` fails in the end, or for which there was
// no place to run.
class Broken final : public AggregateFunction {
 public:
  Broken(std::string name, Where where)
      : AggregateFunction({"ks", std::move(name)}, {Int()}, Int()), where_(where) {}

  std::unique_ptr<Accumulator> Start() const override { return std::make_unique<Rows>(*this); }

 private:
  class Rows final : public Accumulator {
   public:
    explicit Rows(const Broken& of) : of_(of) {}
    Status Add(FunctionArguments) override {
      if (of_.where_ == Where::kOutside) return orrery::Fail(Code::kOverloaded, "busy");
      if (of_.where_ == Where::kAdd) return Fail(of_.step_);
      return {};
    }
    FunctionResult Finish() override {
      if (of_.where_ == Where::kFinish) return Fail(of_.last_);
      return std::nullopt;
    }
    const Function* failed_function() const override { return failed_; }

   private:
    std::unexpected<Error> Fail(const Function& function) {
      failed_ = &function;
      return orrery::Fail(Code::kInvalidArgument, FailureText(function, "no"));
    }
    const Broken& of_;
    const Function* failed_ = nullptr;
  };

  const Where where_;
  const Failing step_{"step", {Int(), Int()}};
  const Failing last_{"last", {Int()}};
};

class RowGroups : public testing::ReadFixture {
 protected:
  RowGroups() {
    Create(TableBuilder().Key("k", Int()).Clustering("c", Int()).Regular("v", Int()));
    Write("INSERT INTO ks.t (k, c, v) VALUES (1, 1, 1)");
    Write("INSERT INTO ks.t (k, c, v) VALUES (2, 1, 2)");
    user_functions = {std::make_shared<Broken>("at_rows", Where::kAdd),
                      std::make_shared<Broken>("at_end", Where::kFinish),
                      std::make_shared<Broken>("outside", Where::kOutside),
                      std::make_shared<Failing>("fails", TypeList{Int()})};
  }

  // "ks.step(int, int): text", or the code when it is another error than a function's.
  std::string Failure(std::string_view text) {
    const testing::ReadPage page = ReadOne(text);
    const auto* details = std::get_if<FunctionFailureDetails>(&page.details);
    if (page.code != ErrorCode::kFunctionFailure || details == nullptr)
      return std::to_string(static_cast<int>(page.code)) + ": " + page.error;
    std::string types;
    for (const std::string& type : details->argument_types)
      types += (types.empty() ? "" : ", ") + type;
    return details->keyspace + "." + details->function + "(" + types + "): " + page.error;
  }

  static constexpr const char* kStepFailed =
      "ks.step(int, int): execution of 'ks.step[int, int]' failed: no";
  static constexpr const char* kLastFailed = "ks.last(int): execution of 'ks.last[int]' failed: no";
  static constexpr const char* kScalarFailed =
      "ks.fails(int): execution of 'ks.fails[int]' failed: no";
};

TEST_F(RowGroups, AFailingStateFunctionIsNamed) {
  EXPECT_EQ(Failure("SELECT at_rows(v) FROM ks.t"), kStepFailed);
  EXPECT_EQ(Failure("SELECT at_rows(v) FROM ks.t WHERE k = 1"), kStepFailed);
  EXPECT_EQ(Failure("SELECT k, sum(v), at_rows(v) FROM ks.t GROUP BY k"), kStepFailed);
  EXPECT_EQ(Failure("SELECT JSON at_rows(v) FROM ks.t"), kStepFailed);
}

TEST_F(RowGroups, AFailingFinalFunctionIsNamed) {
  EXPECT_EQ(Failure("SELECT at_end(v) FROM ks.t"), kLastFailed);
  EXPECT_EQ(Failure("SELECT at_end(v) FROM ks.t WHERE k = 3"), kLastFailed);
  EXPECT_EQ(Failure("SELECT k, at_end(v) FROM ks.t GROUP BY k"), kLastFailed);
}

TEST_F(RowGroups, AFailingFunctionAroundOrInsideAnAggregateIsNamed) {
  EXPECT_EQ(Failure("SELECT sum(fails(v)) FROM ks.t"), kScalarFailed);
  EXPECT_EQ(Failure("SELECT fails(sum(v)) FROM ks.t GROUP BY k"), kScalarFailed);
  EXPECT_EQ(Failure("SELECT at_rows(fails(v)) FROM ks.t"), kScalarFailed);
  EXPECT_EQ(Failure("SELECT fails(at_end(v)) FROM ks.t"), kLastFailed);
}

TEST_F(RowGroups, WhatIsNoFunctionsFailureKeepsItsCode) {
  const testing::ReadPage page = ReadOne("SELECT outside(v) FROM ks.t");
  EXPECT_EQ(page.code, ErrorCode::kOverloaded);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(page.details));
}

}  // namespace
}  // namespace orrery::cassandra
