#include "api/cassandra/function/function_template.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace orrery::cassandra {

FunctionTemplate::FunctionTemplate(std::string name, std::vector<Parameter> parameters, Make make)
    : name_{std::string(kNativeKeyspace), std::move(name)},
      parameters_(std::move(parameters)),
      mandatory_(static_cast<size_t>(
          std::ranges::count_if(parameters_, [](const Parameter& p) { return !p.is_optional(); }))),
      make_(std::move(make)) {}

std::string FunctionTemplate::Text() const {
  std::vector<std::string> parameters;
  for (const Parameter& parameter : parameters_) parameters.push_back(parameter.Text());
  return fmt::format("{}({})", name_.Text(), fmt::join(parameters, ", "));
}

Result<FunctionPtr> FunctionTemplate::Instantiate(std::span<const Argument> arguments,
                                                  const TypePtr& receiver) const {
  if (arguments.size() < mandatory_ || arguments.size() > parameters_.size())
    return Fail(Code::kInvalidArgument,
                fmt::format("Invalid number of arguments for function {}", Text()));

  // Twice, because an argument may have its type from one after it.
  TypeList types;
  for (size_t i = 0; i < arguments.size(); ++i)
    types.push_back(parameters_[i].InferType(arguments[i], receiver, {}));
  for (size_t i = 0; i < arguments.size(); ++i) {
    types[i] = parameters_[i].InferType(arguments[i], receiver, types);
    if (types[i] == nullptr)
      return Fail(Code::kInvalidArgument,
                  fmt::format("Cannot infer type of argument {} in call to function {}: use type "
                              "casts to disambiguate",
                              arguments[i].text, Text()));
    ORRERY_TRY(parameters_[i].Check(name_.Text(), arguments[i], *types[i]));
  }
  return make_(name_, types, receiver);
}

}  // namespace orrery::cassandra
