// The functions and aggregates that users made, as something that can be called, and whether a new
// one can be.
//
// A function is made once for its definition and kept (by the definition's identity), so that the
// script engine keeps what it compiled of it too; kFunctionsKept of them, those used last.
//
// Thread-safe.
#pragma once

#include <string_view>
#include <vector>

#include "api/cassandra/executor/statement/statement_planner.h"
#include "api/cassandra/schema/ddl/plan_context.h"
#include "api/cassandra/user_function/script_aggregate.h"
#include "api/cassandra/user_function/script_function.h"
#include "api/cassandra/user_function/script_runner.h"
#include "base/mutex.h"
#include "script/lru_map.h"
#include "script/worker_pool.h"

namespace orrery::cassandra {

inline constexpr size_t kFunctionsKept = 1'024;

// The treatment of CREATE FUNCTION .. LANGUAGE java.
enum class JavaFunctions : uint8_t {
  kRefuse,
  kSkip,  // take it, although it cannot be called
};

class ScriptFunctions final : public UserFunctions, public FunctionChecker {
 public:
  // `pool` must outlive it; it must outlive the functions that it gives.
  explicit ScriptFunctions(script::WorkerPool& pool, JavaFunctions java = JavaFunctions::kRefuse)
      : runner_(pool), java_(java) {}

  // One whose definition cannot be used (its state function is gone) is left out and logged.
  std::vector<FunctionPtr> Find(const Keyspace& keyspace, std::string_view name) const override
      EXCLUDES(mutex_);

  // Checks that the body compiles, or is one in Java that is taken as it is. May block.
  CqlStatus Check(const UserFunction& function) const override;

 private:
  struct Kept {
    UserFunctionPtr definition;  // held, so that its address stays its own
    ScriptFunctionPtr function;
  };

  Result<ScriptFunctionPtr> FunctionOf(const UserFunctionPtr& definition) const EXCLUDES(mutex_);
  Result<FunctionPtr> AggregateOf(const Keyspace& keyspace, const UserAggregate& definition) const
      EXCLUDES(mutex_);

  const ScriptRunner runner_;
  const JavaFunctions java_;
  mutable Mutex mutex_;
  mutable script::LruMap<const UserFunction*, Kept> kept_ GUARDED_BY(mutex_){kFunctionsKept};
};

}  // namespace orrery::cassandra
