// Runs queries of the SQL API for the explorer.
//
// Thread-safe. What is given must outlive it.
#pragma once

#include <string>
#include <string_view>

#include "api/sql/query/query_engine.h"
#include "api/sql/script/definition/script_sets.h"
#include "base/clock.h"
#include "gateway/gateway.h"
#include "query/runner/query_runner.h"
#include "script/worker_pool.h"

namespace orrery::sql {

class SqlQueryRunner final : public query::QueryRunner {
 public:
  struct Parts {
    gateway::Gateway& gateway;
    const QueryEngine& engine;
    ScriptSets& scripts;
    script::WorkerPool& functions;  // for user-defined functions
    const Clock& clock;
  };
  explicit SqlQueryRunner(const Parts& parts) : parts_(parts) {}

  std::string_view api() const override { return "sql"; }
  query::RunnerOutcome<query::RunnerResult> Run(const query::RunnerRequest& request) override;
  query::RunnerOutcome<std::string> Plan(const query::RunnerRequest& request) override;

 private:
  const Parts parts_;
};

}  // namespace orrery::sql
