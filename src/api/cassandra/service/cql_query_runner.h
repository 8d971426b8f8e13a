// Runs CQL statements for the explorer, on the path of those that come over the native protocol.
//
// Thread-safe. What is given must outlive it.
#pragma once

#include <string_view>

#include "api/cassandra/executor/statement_service.h"
#include "query/runner/query_runner.h"

namespace orrery::cassandra {

class CqlQueryRunner final : public query::QueryRunner {
 public:
  explicit CqlQueryRunner(StatementService& statements) : statements_(statements) {}

  std::string_view api() const override { return "cassandra"; }
  query::RunnerOutcome<query::RunnerResult> Run(const query::RunnerRequest& request) override;

 private:
  StatementService& statements_;
};

}  // namespace orrery::cassandra
