// Native functions written as lambdas: most are too small for a class of their own.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "api/cassandra/function/function.h"

namespace orrery::cassandra {

struct FunctionTraits {
  bool pure = true;
  bool monotonic = false;
  bool fails_as_function = false;
};

class NativeScalar final : public ScalarFunction {
 public:
  using Body = std::function<FunctionResult(FunctionContext&, FunctionArguments)>;

  NativeScalar(FunctionName name, TypeList argument_types, TypePtr return_type, Body body,
               FunctionTraits traits = {})
      : ScalarFunction(std::move(name), std::move(argument_types), std::move(return_type)),
        body_(std::move(body)),
        traits_(traits) {}

  bool is_pure() const override { return traits_.pure; }
  bool is_monotonic() const override { return traits_.monotonic; }
  bool fails_as_function() const override { return traits_.fails_as_function; }
  FunctionResult Call(FunctionContext& context, FunctionArguments arguments) const override {
    return body_(context, arguments);
  }

 private:
  const Body body_;
  const FunctionTraits traits_;
};

class NativeAggregate final : public AggregateFunction {
 public:
  using Starter = std::function<std::unique_ptr<Accumulator>()>;

  NativeAggregate(FunctionName name, TypeList argument_types, TypePtr return_type, Starter starter)
      : AggregateFunction(std::move(name), std::move(argument_types), std::move(return_type)),
        starter_(std::move(starter)) {}

  std::unique_ptr<Accumulator> Start() const override { return starter_(); }

 private:
  const Starter starter_;
};

inline FunctionName NativeName(std::string name) {
  return {std::string(kNativeKeyspace), std::move(name)};
}

// Null, or the empty value, which stands for nothing in types that are neither text nor blob.
inline bool IsNothing(const std::optional<std::string_view>& value) {
  return !value.has_value() || value->empty();
}
inline bool HasNothing(FunctionArguments arguments) {
  return std::ranges::any_of(arguments, IsNothing);
}
inline bool HasNull(FunctionArguments arguments) {
  return std::ranges::any_of(arguments, [](const auto& value) { return !value.has_value(); });
}

}  // namespace orrery::cassandra
