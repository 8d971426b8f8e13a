#include "api/cassandra/planner/term/function_failure.h"

#include <utility>

namespace orrery::cassandra {

CqlError FunctionFailure(const Function& function, std::string message) {
  FunctionFailureDetails details;
  details.keyspace = function.name().keyspace;
  details.function = function.name().name;
  for (const TypePtr& type : function.argument_types())
    details.argument_types.push_back(type->CqlName());
  return {ErrorCode::kFunctionFailure, std::move(message), std::move(details), 0};
}

}  // namespace orrery::cassandra
