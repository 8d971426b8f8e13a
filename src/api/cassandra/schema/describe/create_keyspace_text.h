// Keyspaces, types, functions and aggregates as the statements that would make them.
#pragma once

#include <string>

#include "api/cassandra/schema/keyspace.h"

namespace orrery::cassandra {

// Without what is in it.
std::string CreateKeyspaceText(const Keyspace& keyspace);
// REQUIRES: a UDT.
std::string CreateTypeText(const Type& type);
std::string CreateFunctionText(const UserFunction& function);
std::string CreateAggregateText(const UserAggregate& aggregate);

// "f(int, tuple<int, text>)": functions are distinguished by it.
std::string SignatureName(std::string_view name, const TypeList& argument_types);

}  // namespace orrery::cassandra
