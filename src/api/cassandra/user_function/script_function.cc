#include "api/cassandra/user_function/script_function.h"

#include <utility>
#include <vector>

#include "api/cassandra/types/validate.h"
#include "api/cassandra/user_function/script_value.h"
#include "base/work_scope.h"

namespace orrery::cassandra {
namespace {

script::Outcome<model::Value> RunIn(script::Sandbox& sandbox, const script::ProgramRef& program,
                                    const std::vector<model::Value>& values) {
  script::Limits limits;
  limits.time = kFunctionTimeMax;
  return sandbox.Call(program, values, limits);
}

}  // namespace

Result<script::ProgramRef> ProgramOf(const UserFunction& function) {
  script::Program program;
  program.form = script::Form::kScript;
  program.parameters = function.argument_names;
  program.source = function.body;
  program.name = function.keyspace + "." + function.name;
  program.domain = "cassandra/" + function.keyspace;
  return script::MakeProgram(std::move(program));
}

ScriptFunction::ScriptFunction(const UserFunction& definition, script::ProgramRef program,
                               const ScriptRunner& runner)
    : ScalarFunction({definition.keyspace, definition.name}, definition.argument_types,
                     definition.return_type),
      called_on_null_input_(definition.called_on_null_input),
      language_(definition.language),
      program_(std::move(program)),
      runner_(runner) {}

Status ScriptFunction::CheckProgram() const {
  if (program_ != nullptr) return {};
  return Fail(Code::kInvalidArgument,
              FailureText(*this, "its LANGUAGE is " + language_ +
                                     ", which this server does not run; create it again with "
                                     "LANGUAGE javascript"));
}

FunctionResult ScriptFunction::Call(FunctionContext&, FunctionArguments arguments) const {
  ORRERY_TRY(CheckProgram());
  if (SkipsNulls(arguments)) return std::nullopt;
  // A call costs as much as many rows without one.
  if (WorkScope::Step(StopCheck::kStepsPerLook))
    return Fail(Code::kCancelled, "the statement is not wanted any more");
  auto values = ScriptValues(arguments);
  if (!values.has_value())
    return Fail(values.error().code(), FailureText(*this, values.error().message()));
  // It goes on without the caller when it does not end in its time.
  auto ran = runner_.Run<model::Value>(
      kFunctionTimeMax, [program = program_, values = *std::move(values)](
                            script::Sandbox& sandbox) { return RunIn(sandbox, program, values); });
  if (!ran.has_value()) return Fail(ran.error().code(), FailureText(*this, ran.error().message()));
  FunctionResult result = FromScriptValue(*return_type(), *ran);
  if (result.has_value()) return result;
  return Fail(result.error().code(), FailureText(*this, result.error().message()));
}

FunctionResult ScriptFunction::CallIn(script::Sandbox& sandbox, FunctionArguments arguments) const {
  ORRERY_TRY(CheckProgram());
  if (SkipsNulls(arguments)) return std::nullopt;
  const auto fail = [this](const Error& error) {
    return Fail(error.code(), FailureText(*this, error.message()));
  };
  const auto values = ScriptValues(arguments);
  if (!values.has_value()) return fail(values.error());
  const script::Outcome<model::Value> outcome = RunIn(sandbox, program_, *values);
  if (!outcome.has_value()) return fail(outcome.error().ToError());
  FunctionResult result = FromScriptValue(*return_type(), *outcome);
  if (result.has_value()) return result;
  return fail(result.error());
}

bool ScriptFunction::SkipsNulls(FunctionArguments arguments, size_t first) const {
  if (called_on_null_input_) return false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].has_value()) return true;
    if (arguments[i]->empty() && !HasOrdinaryEmpty(*argument_types()[first + i])) return true;
  }
  return false;
}

Result<std::vector<model::Value>> ScriptFunction::ScriptValues(FunctionArguments arguments) const {
  std::vector<model::Value> values;
  values.reserve(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    values.push_back(model::Value::Null());
    if (!arguments[i].has_value()) continue;
    ORRERY_ASSIGN(values.back(), ToScriptValue(*argument_types()[i], *arguments[i]));
  }
  return values;
}

}  // namespace orrery::cassandra
