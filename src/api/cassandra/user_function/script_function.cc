#include "api/cassandra/user_function/script_function.h"

#include <utility>
#include <vector>

#include "api/cassandra/types/validate.h"
#include "api/cassandra/user_function/script_value.h"

namespace orrery::cassandra {

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
  std::optional<std::string> result;
  const Status ran = runner_.Run([&](script::Sandbox& sandbox) -> Status {
    ORRERY_ASSIGN(result, Evaluate(sandbox, arguments));
    return {};
  });
  if (ran.has_value()) return result;
  return Fail(ran.error().code(), FailureText(*this, ran.error().message()));
}

FunctionResult ScriptFunction::CallIn(script::Sandbox& sandbox, FunctionArguments arguments) const {
  ORRERY_TRY(CheckProgram());
  if (SkipsNulls(arguments)) return std::nullopt;
  FunctionResult result = Evaluate(sandbox, arguments);
  if (result.has_value()) return result;
  return Fail(result.error().code(), FailureText(*this, result.error().message()));
}

bool ScriptFunction::SkipsNulls(FunctionArguments arguments, size_t first) const {
  if (called_on_null_input_) return false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].has_value()) return true;
    if (arguments[i]->empty() && !HasOrdinaryEmpty(*argument_types()[first + i])) return true;
  }
  return false;
}

FunctionResult ScriptFunction::Evaluate(script::Sandbox& sandbox,
                                        FunctionArguments arguments) const {
  std::vector<model::Value> values;
  values.reserve(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    values.push_back(model::Value::Null());
    if (!arguments[i].has_value()) continue;
    ORRERY_ASSIGN(values.back(), ToScriptValue(*argument_types()[i], *arguments[i]));
  }
  script::Limits limits;
  limits.time = kFunctionTimeMax;
  const script::Outcome<model::Value> outcome = sandbox.Call(program_, values, limits);
  if (!outcome.has_value()) return Fail(outcome.error().ToError());
  return FromScriptValue(*return_type(), *outcome);
}

}  // namespace orrery::cassandra
