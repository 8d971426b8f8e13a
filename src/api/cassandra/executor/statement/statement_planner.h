// From CQL text to a planned statement.
//
// Pure but for the functions that users made, which it is handed. Thread-safe.
#pragma once

#include <functional>
#include <string_view>

#include "api/cassandra/executor/statement/planned_statement.h"
#include "api/cassandra/executor/statement/user_functions.h"
#include "api/cassandra/function/function_library.h"

namespace orrery::cassandra {

class StatementPlanner {
 public:
  // Both must outlive it and what it plans.
  StatementPlanner(const FunctionLibrary& native, const UserFunctions& user)
      : native_(native), user_(user) {}

  // Refuses a parsed statement before the work of planning it.
  using TreeCheck = std::function<CqlStatus(const ast::Statement& statement)>;

  // `keyspace` is that of the session; `now_ms` what the timestamp 'now' stands for. `check` may be
  // empty.
  CqlResult<PlannedPtr> Plan(std::string_view text, SchemaPtr schema, std::string_view keyspace,
                             int64_t now_ms, const TreeCheck& check = {}) const;

 private:
  const FunctionLibrary& native_;
  const UserFunctions& user_;
};

}  // namespace orrery::cassandra
