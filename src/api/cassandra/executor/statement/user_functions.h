// The functions that users made, as something that can be called. Where they come from is
// user_function/'s affair.
//
// Thread-safe. Must outlive whatever was planned with what it gave.
#pragma once

#include <string_view>
#include <vector>

#include "api/cassandra/function/function.h"
#include "api/cassandra/schema/keyspace.h"

namespace orrery::cassandra {

class UserFunctions {
 public:
  virtual ~UserFunctions() = default;
  // The overloads of a name in a keyspace; none when there are none.
  virtual std::vector<FunctionPtr> Find(const Keyspace& keyspace, std::string_view name) const = 0;
};

}  // namespace orrery::cassandra
