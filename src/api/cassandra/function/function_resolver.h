// Finds the function that a call means, by Cassandra's rules.
//
// Candidates are the native functions of the name and the current keyspace's own, or those of the
// keyspace that the call names. A single candidate must take the arguments. Of several, whose
// result must also fit the receiver, the first that matches exactly wins, else the only one that
// matches at all.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "api/cassandra/function/argument.h"
#include "api/cassandra/function/function.h"
#include "api/cassandra/function/function_library.h"

namespace orrery::cassandra {

// The keyspaces in which a statement looks for functions.
struct FunctionScope {
  const FunctionLibrary& native;  // must outlive it
  std::string_view keyspace;      // the current one; may be empty
  FunctionPtr token;              // of the statement's table; null when it has none
  // The overloads that users made of a name, its keyspace given; may be empty.
  std::function<std::vector<FunctionPtr>(const FunctionName&)> user_functions;
};

struct FunctionCall {
  FunctionName name;
  std::span<const Argument> arguments;
  TypePtr receiver;  // the type that the result is wanted as; null when nobody says
};

// Scalar or aggregate. With Cassandra's texts: kNotFound when there is none of the name;
// kInvalidArgument when none of them takes the arguments, or several do equally well. Whether the
// result of the only candidate fits the receiver is left to the caller, who knows the receiver's
// name.
Result<FunctionPtr> ResolveFunction(const FunctionScope& scope, const FunctionCall& call);

}  // namespace orrery::cassandra
