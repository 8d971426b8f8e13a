// An aggregate that a user made of functions (CREATE AGGREGATE): a state that the state function
// takes from row to row, and a final function that makes the result of the last one.
//
// Rows are gathered and taken to the script threads many at a time, because the way there costs
// more than a small function does. So an error of the state function may be told some rows later.
// A failure is that of the state or the final function, whichever failed; that there was no thread
// to run them on is nobody's.
//
// Immutable and shared, so thread-safe; an accumulator is used by one thread at a time.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "api/cassandra/function/function.h"
#include "api/cassandra/schema/keyspace.h"
#include "api/cassandra/user_function/script_function.h"

namespace orrery::cassandra {

// The rows and bytes that an accumulator collects before it runs.
inline constexpr size_t kGatheredRowsMax = 64;
inline constexpr size_t kGatheredBytesMax = size_t{1} << 20;
// The time that functions may take for that many rows.
inline constexpr std::chrono::milliseconds kGatheredTimeMax{10'000};

struct AggregateParts {
  ScriptFunctionPtr state_function;
  ScriptFunctionPtr final_function;          // null: the last state is the result
  std::optional<std::string> initial_state;  // none: null
};

class ScriptAggregate final : public AggregateFunction {
 public:
  // `runner` must outlive it. REQUIRES: functions of the types that the definition says.
  ScriptAggregate(const UserAggregate& definition, AggregateParts parts,
                  const ScriptRunner& runner);

  std::unique_ptr<Accumulator> Start() const override;

 private:
  const AggregateParts parts_;
  const ScriptRunner& runner_;
};

}  // namespace orrery::cassandra
