#include "api/sql/script/definition/script_program.h"

#include <fmt/format.h>

#include <chrono>
#include <future>
#include <string_view>
#include <utility>

#include "script/sandbox.h"

namespace orrery::sql {
namespace {

constexpr std::chrono::milliseconds kCheckTime{100};

// To evaluate a function expression only makes the function. What is no function might do anything,
// within the sandbox and its limits.
script::Outcome<bool> IsFunction(script::Sandbox& sandbox, const script::Program& program) {
  const size_t last = program.source.find_last_not_of(" \t\r\n;");
  script::Program question;
  question.source = fmt::format("return typeof ({}\n) === 'function';",
                                std::string_view(program.source).substr(0, last + 1));
  question.name = program.name;
  question.domain = program.domain;
  auto made = script::MakeProgram(std::move(question));
  if (!made.has_value()) return false;
  script::Limits limits;
  limits.time = kCheckTime;
  auto answer = sandbox.Call(*made, {}, limits);
  if (answer.has_value()) return answer->kind() == model::Kind::kBool && answer->AsBool();
  if (answer.error().reason == script::Reason::kCancelled)
    return std::unexpected(std::move(answer).error());
  return false;
}

script::Outcome<void> Check(script::Sandbox& sandbox, const script::ProgramRef& program) {
  if (auto compiled = sandbox.Check(program); !compiled.has_value()) return compiled;
  const script::Outcome<bool> is_function = IsFunction(sandbox, *program);
  if (!is_function.has_value()) return std::unexpected(is_function.error());
  if (*is_function) return {};
  return std::unexpected(
      script::MakeFailure(script::Reason::kSyntax, "the body is no function expression"));
}

}  // namespace

Result<script::ProgramRef> MakeScriptProgram(const gateway::ContainerEntry& container,
                                             const ScriptDefinition& definition) {
  script::Program program;
  program.form = script::Form::kFunction;
  program.source = definition.body;
  program.name = definition.id + ".js";
  program.domain = fmt::format("sql.{}", container.id.value());
  return script::MakeProgram(std::move(program));
}

Status CheckCompiles(script::WorkerPool& pool, const gateway::ContainerEntry& container,
                     const ScriptDefinition& definition) {
  ORRERY_ASSIGN(script::ProgramRef program, MakeScriptProgram(container, definition));
  std::promise<script::Outcome<void>> promise;
  std::future<script::Outcome<void>> outcome = promise.get_future();
  ORRERY_TRY(
      pool.Run([&](script::Sandbox& sandbox) { promise.set_value(Check(sandbox, program)); }));
  const script::Outcome<void> checked = outcome.get();
  if (checked.has_value()) return {};
  const Error error = checked.error().ToError();
  if (checked.error().reason != script::Reason::kSyntax) return Fail(error);
  return Fail(Code::kInvalidArgument,
              fmt::format("The {} '{}' does not compile: {}", WordFor(definition.kind),
                          definition.id, error.message()));
}

}  // namespace orrery::sql
