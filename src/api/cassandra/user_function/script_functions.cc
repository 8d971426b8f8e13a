#include "api/cassandra/user_function/script_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "api/cassandra/parser/parser.h"
#include "api/cassandra/schema/ddl/literal_value.h"
#include "api/cassandra/schema/ddl/signature.h"
#include "base/log.h"

namespace orrery::cassandra {
namespace {

// Compiling cannot be interrupted; the worst of what a program may have takes seconds.
constexpr std::chrono::milliseconds kCompileTimeMax{5'000};

// The value that CREATE AGGREGATE wrote out as text.
Result<std::optional<std::string>> InitialState(const UserAggregate& definition) {
  if (!definition.initial_condition.has_value()) return std::nullopt;
  const auto term = ParseTerm(*definition.initial_condition);
  if (term.has_value()) {
    auto value = LiteralValue(*term, *definition.state_type, "initcond", Micros{});
    if (value.has_value()) return *std::move(value);
  }
  return Fail(Code::kCorruption,
              fmt::format("its INITCOND {} is no {}", *definition.initial_condition,
                          definition.state_type->CqlName()));
}

std::unexpected<CqlError> DoesNotCompile(const UserFunction& function, std::string_view why) {
  return Invalid(fmt::format("Failed to compile function '{}.{}' for language {}: {}",
                             function.keyspace, function.name, function.language, why));
}

template <typename Function>
void Add(std::vector<FunctionPtr>& found, std::string_view keyspace, std::string_view name,
         Result<Function> function) {
  if (function.has_value()) {
    found.push_back(*std::move(function));
  } else {
    LogError("function {}.{} cannot be called: {}", keyspace, name, function.error().ToString());
  }
}

}  // namespace

std::vector<FunctionPtr> ScriptFunctions::Find(const Keyspace& keyspace,
                                               std::string_view name) const {
  std::vector<FunctionPtr> found;
  for (const UserFunctionPtr& definition : keyspace.functions) {
    if (definition->name == name) Add(found, keyspace.name, name, FunctionOf(definition));
  }
  for (const UserAggregatePtr& definition : keyspace.aggregates) {
    if (definition->name == name)
      Add(found, keyspace.name, name, AggregateOf(keyspace, *definition));
  }
  return found;
}

CqlStatus ScriptFunctions::Check(const UserFunction& function) const {
  if (function.language == kJava) {
    if (java_ == JavaFunctions::kSkip) return {};
    return Invalid(fmt::format(
        "Function '{}.{}' is written in Java, which this server does not run: write it with "
        "LANGUAGE javascript, or start the server with --cassandra-java-functions=skip to keep "
        "such functions in the schema without running them",
        function.keyspace, function.name));
  }
  const auto program = ProgramOf(function);
  if (!program.has_value()) return DoesNotCompile(function, program.error().message());
  // The reason where it does not compile.
  using Refusal = std::optional<std::string>;
  CQL_ASSIGN(const Refusal why,
             runner_.Run<Refusal>(
                 kCompileTimeMax,
                 [program = *program](script::Sandbox& sandbox) -> script::Outcome<Refusal> {
                   auto checked = sandbox.Check(program);
                   if (checked.has_value()) return std::nullopt;
                   if (checked.error().reason != script::Reason::kSyntax)
                     return std::unexpected(std::move(checked).error());
                   return checked.error().ToError().message();
                 }));
  if (why.has_value()) return DoesNotCompile(function, *why);
  return {};
}

Result<ScriptFunctionPtr> ScriptFunctions::FunctionOf(const UserFunctionPtr& definition) const {
  MutexLock lock(mutex_);
  if (const Kept* kept = kept_.Find(definition.get()); kept != nullptr) return kept->function;
  script::ProgramRef program;
  if (definition->language != kJava) {
    ORRERY_ASSIGN(program, ProgramOf(*definition));
  }
  auto function = std::make_shared<const ScriptFunction>(*definition, std::move(program), runner_);
  kept_.Insert(definition.get(), {definition, function}, [](const UserFunction*) {});
  return function;
}

Result<FunctionPtr> ScriptFunctions::AggregateOf(const Keyspace& keyspace,
                                                 const UserAggregate& definition) const {
  TypeList state_arguments = {definition.state_type};
  std::ranges::copy(definition.argument_types, std::back_inserter(state_arguments));
  const UserFunctionPtr state = FindFunction(keyspace, definition.state_function, state_arguments);
  if (state == nullptr) return Fail(Code::kNotFound, "its state function does not exist");
  AggregateParts parts;
  ORRERY_ASSIGN(parts.state_function, FunctionOf(state));
  if (definition.final_function.has_value()) {
    const UserFunctionPtr last =
        FindFunction(keyspace, *definition.final_function, {definition.state_type});
    if (last == nullptr) return Fail(Code::kNotFound, "its final function does not exist");
    ORRERY_ASSIGN(parts.final_function, FunctionOf(last));
  }
  ORRERY_ASSIGN(parts.initial_state, InitialState(definition));
  return std::make_shared<const ScriptAggregate>(definition, std::move(parts), runner_);
}

}  // namespace orrery::cassandra
