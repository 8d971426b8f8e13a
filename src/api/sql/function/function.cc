#include "api/sql/function/function.h"

#include "base/check.h"

namespace orrery::sql {

namespace {

// The work of a call, in elements of arrays and some characters of strings.
size_t StepsOf(Arguments arguments) {
  constexpr size_t kCharactersPerStep = 64;
  size_t steps = 1;
  for (const Value& argument : arguments) {
    if (argument.kind() == model::Kind::kArray) steps += argument.AsValues().size();
    if (argument.kind() == model::Kind::kString)
      steps += argument.AsString().size() / kCharactersPerStep;
  }
  return steps;
}

}  // namespace

Result<Value> Function::Call(Arguments arguments, const CallContext& context) const {
  ORRERY_CHECK(Takes(arguments.size()));
  if (context.stop != nullptr) ORRERY_TRY(context.stop->Count(StepsOf(arguments)));
  return body(arguments, context);
}

}  // namespace orrery::sql
