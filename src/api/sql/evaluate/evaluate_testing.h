// Tables of expressions for tests: the text, the document that alias c means, and the result.
//
// Documents and results are JSON, with undefined besides (function_testing.h).
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "api/sql/evaluate/binder.h"
#include "api/sql/function/function_testing.h"
#include "api/sql/parser/parser.h"
#include "model/number/number.h"

namespace orrery::sql {

struct EvaluateCase {
  std::string_view expression;
  std::string_view document;
  std::string_view result;
};

// udf.sum(..) adds numbers, udf.fail() fails; there are no others.
class TestUserFunctions final : public UserFunctions {
 public:
  Result<Value> Call(std::string_view name, Arguments arguments) override {
    ++calls;
    if (name == "fail") return Fail(Code::kInvalidArgument, "it failed");
    if (name != "sum") return Fail(Code::kNotFound, "no such function");
    double sum = 0;
    for (const Value& argument : arguments) sum += model::ToDouble(argument);
    return model::NumberFromDouble(sum);
  }

  int calls = 0;
};

// 1/2, 1/3, 1/4 and so on.
class CountingRandom final : public RandomSource {
 public:
  double Next() override { return 1.0 / (++calls + 1); }

  int calls = 0;
};

class EvaluateTest : public testing::Test {
 protected:
  EvaluateTest() { scope_.Add("c", 0); }

  Parsed<BoundExpressionPtr> BindText(std::string_view text, AggregateSink* aggregates = nullptr) {
    const Parsed<ast::Expression> tree = ParseExpression(text);
    if (!tree.has_value()) return std::unexpected(tree.error());
    return Bind(*tree, {.text = text,
                        .scope = scope_,
                        .parameters = parameters_,
                        .functions = registry_,
                        .aggregates = aggregates});
  }

  // REQUIRES: it can be bound.
  BoundExpressionPtr MustBind(std::string_view text, AggregateSink* aggregates = nullptr) {
    Parsed<BoundExpressionPtr> bound = BindText(text, aggregates);
    EXPECT_TRUE(bound.has_value()) << text << ": " << bound.error().message;
    return bound.has_value() ? *std::move(bound) : nullptr;
  }

  Result<Value> Evaluate(const BoundExpression& expression, const Value& document) {
    const Value* const slots[] = {&document};
    const FrameContext context(calls_, &user_functions_);
    Frame frame{.slots = slots, .context = context};
    Value scratch;
    ORRERY_ASSIGN(const Value* value, expression.Evaluate(frame, scratch));
    return Take(value, scratch);
  }

  Result<Value> Evaluate(std::string_view text, std::string_view document) {
    const BoundExpressionPtr expression = MustBind(text);
    if (expression == nullptr) return Fail(Code::kInternal, "not bound");
    return Evaluate(*expression, ParseText(document));
  }

  void Expect(std::initializer_list<EvaluateCase> cases) {
    for (const EvaluateCase& c : cases) {
      SCOPED_TRACE(std::string(c.expression) + " of " + std::string(c.document));
      const Result<Value> result = Evaluate(c.expression, c.document);
      if (!result.has_value()) {
        ADD_FAILURE() << result.error().ToString();
        continue;
      }
      EXPECT_EQ(Show(*result), Show(ParseText(c.result)));
    }
  }

  // "start..end code message", or nothing when the text can be bound.
  std::string ErrorOf(std::string_view text, AggregateSink* aggregates = nullptr) {
    const Parsed<BoundExpressionPtr> bound = BindText(text, aggregates);
    if (bound.has_value()) return "";
    const QueryError& error = bound.error();
    return std::to_string(error.start) + ".." + std::to_string(error.end) + " " + error.code + " " +
           error.message;
  }

  ManualClock clock_;
  CountingRandom random_;
  CallContext calls_{clock_, random_, clock_.Now()};
  FrameContext context_{calls_};
  TestUserFunctions user_functions_;
  FunctionRegistry registry_;
  Parameters parameters_;
  Scope scope_;
};

}  // namespace orrery::sql
