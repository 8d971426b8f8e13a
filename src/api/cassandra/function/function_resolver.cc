#include "api/cassandra/function/function_resolver.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace orrery::cassandra {
namespace {

constexpr std::string_view kTokenName = "token";

std::unexpected<Error> Invalid(std::string message) {
  return Fail(Code::kInvalidArgument, std::move(message));
}

std::string Signatures(const std::vector<FunctionPtr>& functions) {
  std::vector<std::string> texts;
  for (const FunctionPtr& function : functions) texts.push_back(function->Signature());
  return fmt::format("{}", fmt::join(texts, ", "));
}

// Appends the native functions of the call's name. What a template has against the arguments
// matters only when nothing else has the name: it comes back by `refusal`.
void AddNative(const FunctionScope& scope, const FunctionCall& call,
               std::vector<FunctionPtr>& candidates, std::optional<Error>& refusal) {
  const std::string& name = call.name.name;
  if (name == kTokenName) {
    if (scope.token != nullptr) {
      candidates.push_back(scope.token);
    } else {
      refusal = Error(Code::kInvalidArgument,
                      "No receiver table has been specified for function system.token");
    }
  }
  const auto overloads = scope.native.Overloads(name);
  candidates.insert(candidates.end(), overloads.begin(), overloads.end());
  for (const FunctionTemplate& made : scope.native.Templates(name)) {
    Result<FunctionPtr> function = made.Instantiate(call.arguments, call.receiver);
    if (function.has_value()) {
      candidates.push_back(*std::move(function));
    } else {
      refusal = std::move(function).error();
    }
  }
}

void AddUserMade(const FunctionScope& scope, std::string_view keyspace, const FunctionCall& call,
                 std::vector<FunctionPtr>& candidates) {
  if (!scope.user_functions || keyspace.empty() || keyspace == kNativeKeyspace) return;
  std::ranges::move(scope.user_functions({std::string(keyspace), call.name.name}),
                    std::back_inserter(candidates));
}

// With a text that says what is wrong, as only a single candidate can have it.
Status CheckArguments(const Function& function, std::span<const Argument> arguments) {
  const TypeList& types = function.argument_types();
  if (arguments.size() != types.size())
    return Invalid(fmt::format(
        "Invalid number of arguments in call to function {}: {} required but {} provided",
        function.name().Text(), types.size(), arguments.size()));
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].test(*types[i]) == Assignability::kNot)
      return Invalid(
          fmt::format("Type error: {} cannot be passed as argument {} of function {} of type {}",
                      arguments[i].text, i, function.name().Text(), types[i]->CqlName()));
  }
  return {};
}

// As good as the worst of the arguments.
Assignability Match(const Function& function, const FunctionCall& call) {
  const TypeList& types = function.argument_types();
  if (call.arguments.size() != types.size()) return Assignability::kNot;
  if (call.receiver != nullptr &&
      TestAssignment(*function.return_type(), *call.receiver) == Assignability::kNot)
    return Assignability::kNot;
  Assignability match = Assignability::kExact;
  for (size_t i = 0; i < types.size() && match != Assignability::kNot; ++i)
    match = std::min(match, call.arguments[i].test(*types[i]));
  return match;
}

Result<FunctionPtr> PickBest(const FunctionCall& call, const std::vector<FunctionPtr>& candidates) {
  std::vector<FunctionPtr> weak;
  for (const FunctionPtr& candidate : candidates) {
    const Assignability match = Match(*candidate, call);
    if (match == Assignability::kExact) return candidate;
    if (match == Assignability::kWeak) weak.push_back(candidate);
  }
  if (weak.empty())
    return Invalid(
        fmt::format("Invalid call to function {}, none of its type signatures match "
                    "(known type signatures: {})",
                    call.name.Text(), Signatures(candidates)));
  if (weak.size() > 1)
    return Invalid(
        fmt::format("Ambiguous call to function {} (can be matched by following "
                    "signatures: {}): use type casts to disambiguate",
                    call.name.Text(), Signatures(weak)));
  return weak.front();
}

}  // namespace

Result<FunctionPtr> ResolveFunction(const FunctionScope& scope, const FunctionCall& call) {
  std::vector<FunctionPtr> candidates;
  std::optional<Error> refusal;
  const bool is_qualified = !call.name.keyspace.empty();
  if (!is_qualified || call.name.keyspace == kNativeKeyspace)
    AddNative(scope, call, candidates, refusal);
  AddUserMade(scope, is_qualified ? std::string_view(call.name.keyspace) : scope.keyspace, call,
              candidates);

  if (candidates.empty()) {
    if (refusal.has_value()) return Fail(*std::move(refusal));
    return Fail(Code::kNotFound, fmt::format("Unknown function '{}'", call.name.Text()));
  }
  if (candidates.size() == 1) {
    ORRERY_TRY(CheckArguments(*candidates.front(), call.arguments));
    return candidates.front();
  }
  return PickBest(call, candidates);
}

}  // namespace orrery::cassandra
