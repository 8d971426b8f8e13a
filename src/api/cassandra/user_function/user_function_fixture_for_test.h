// Functions of a keyspace "ks", run by a real engine. Included by tests only.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/cassandra/types/literal.h"
#include "api/cassandra/types/type_builder.h"
#include "api/cassandra/user_function/script_functions.h"
#include "script/script_test_harness.h"

namespace orrery::cassandra {

class NoUuids final : public UuidSource {
 public:
  std::string NextTimeUuid() override { return std::string(16, '\0'); }
  std::string NextRandomUuid() override { return std::string(16, '\0'); }
};

// Stands still until told to hurry; then each look at it costs a fifth of a second, so that what
// runs for long is over its limit after some looks, however fast or slow the machine is.
class HurryingClock final : public Clock {
 public:
  Micros Now() const override { return Monotonic(); }
  Micros Monotonic() const override { return Micros(now_.fetch_add(step_.load())); }
  void Hurry() { step_ = 200'000; }

 private:
  std::atomic<int64_t> step_ = 0;
  mutable std::atomic<int64_t> now_ = 0;
};

class UserFunctionTest : public ::testing::Test {
 protected:
  UserFunctionTest() { keyspace_.name = "ks"; }

  static UserFunction Define(std::string name, std::vector<std::string> names, TypeList types,
                             TypePtr returns, std::string body) {
    UserFunction function;
    function.keyspace = "ks";
    function.name = std::move(name);
    function.argument_names = std::move(names);
    function.argument_types = std::move(types);
    function.return_type = std::move(returns);
    function.called_on_null_input = true;
    function.language = "javascript";
    function.body = std::move(body);
    return function;
  }

  FunctionPtr Add(UserFunction function) {
    keyspace_.functions.push_back(std::make_shared<const UserFunction>(std::move(function)));
    return functions_.Find(keyspace_, keyspace_.functions.back()->name).back();
  }

  FunctionResult Call(const FunctionPtr& function,
                      const std::vector<std::optional<std::string>>& arguments) {
    std::vector<std::optional<std::string_view>> views;
    for (const auto& argument : arguments)
      views.push_back(argument ? std::optional<std::string_view>(*argument) : std::nullopt);
    FunctionContext context{Micros{}, uuids_};
    return static_cast<const ScalarFunction&>(*function).Call(context, views);
  }

  // The body as a function of x, called; its result as CQL, or its error.
  std::string Eval(const TypePtr& type, const std::optional<std::string>& x, const TypePtr& returns,
                   std::string body) {
    const FunctionPtr function = Add(Define("f" + std::to_string(keyspace_.functions.size()), {"x"},
                                            {type}, returns, std::move(body)));
    const auto result = Call(function, {x});
    if (!result.has_value()) return result.error().message();
    return result->has_value() ? ToCqlLiteral(*returns, **result).value() : "null";
  }
  // The body's value as one of the type.
  std::string Give(const TypePtr& returns, std::string body) {
    return Eval(testing::Int(), std::nullopt, returns, std::move(body));
  }

  HurryingClock clock_;
  script::WorkerPool pool_{script::TestEngine(), clock_, {.threads = 1, .sandbox = {}}};
  ScriptFunctions functions_{pool_};
  Keyspace keyspace_;
  NoUuids uuids_;
};

}  // namespace orrery::cassandra
