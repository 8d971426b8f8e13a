// The error that a client gets when a function that it called fails by itself: ERROR 1400, with the
// function's keyspace, name and argument types.
#pragma once

#include <string>

#include "api/cassandra/function/function.h"
#include "api/cassandra/protocol/error_code.h"

namespace orrery::cassandra {

// `message` is the text as FailureText made it.
CqlError FunctionFailure(const Function& function, std::string message);

}  // namespace orrery::cassandra
