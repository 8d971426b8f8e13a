#include "api/sql/script/function/query_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "api/sql/script/definition/script_program.h"
#include "script/await.h"
#include "script/sandbox.h"

namespace orrery::sql {
namespace {

Error ErrorOf(const script::Failure& failure, std::string_view name) {
  // Only what stops for the server's sake is not the query's fault.
  if (failure.reason == script::Reason::kCancelled || failure.reason == script::Reason::kInternal)
    return failure.ToError();
  return Error(Code::kInvalidArgument,
               fmt::format("Encountered exception while executing Javascript: udf.{}: {}", name,
                           failure.ToError().message()));
}

}  // namespace

Result<script::ProgramRef> QueryFunctions::ProgramOf(std::string_view name) {
  if (const auto found = programs_.find(name); found != programs_.end()) return found->second;
  const StoredScript* function = scripts_->Find(ScriptKind::kFunction, name);
  if (function == nullptr) {
    return Fail(
        Code::kInvalidArgument,
        fmt::format("The user-defined function 'udf.{}' is not found in the container", name));
  }
  ORRERY_ASSIGN(script::ProgramRef program, MakeScriptProgram(*container_, function->definition));
  return programs_.emplace(name, std::move(program)).first->second;
}

Result<model::Value> QueryFunctions::Call(std::string_view name, Arguments arguments) {
  ORRERY_ASSIGN(const script::ProgramRef program, ProgramOf(name));
  script::Limits limits;
  limits.time =
      std::max(std::chrono::milliseconds(1),
               std::chrono::duration_cast<std::chrono::milliseconds>(limits_.time - used_));
  limits.result_bytes_max = limits_.result_bytes_max;
  struct Called {
    script::Outcome<model::Value> outcome;
    Micros took{0};
  };
  // It goes on without the query when it does not end in its time.
  auto answer = script::Await<Called>(
      pool_, limits.time,
      [program, given = std::vector<model::Value>(arguments.begin(), arguments.end()), limits,
       &clock = clock_](script::Sandbox& sandbox) -> script::Outcome<Called> {
        Called called;
        const Micros start = clock.Monotonic();
        called.outcome = sandbox.Call(program, given, limits);
        called.took = clock.Monotonic() - start;
        return called;
      });
  if (!answer.has_value()) return Fail(ErrorOf(answer.error(), name));
  script::Outcome<model::Value>& called = answer->outcome;
  used_ += answer->took;
  if (!called.has_value()) return Fail(ErrorOf(called.error(), name));
  if (used_ > limits_.time) {
    return Fail(Code::kInvalidArgument,
                fmt::format("the user-defined functions of the query ran longer than {} ms",
                            limits_.time.count()));
  }
  return *std::move(called);
}

}  // namespace orrery::sql
