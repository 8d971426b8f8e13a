// Runs queries over the entities of tables for the explorer: a text is what stands behind $filter=,
// with further query options behind a '&' ("Price gt 5&$select=Name").
//
// Thread-safe. What is given must outlive it.
#pragma once

#include <string_view>

#include "api/table/executor/tables.h"
#include "base/clock.h"
#include "gateway/gateway.h"
#include "query/runner/query_runner.h"

namespace orrery::table {

class TableQueryRunner final : public query::QueryRunner {
 public:
  TableQueryRunner(gateway::Gateway& gateway, const Clock& clock)
      : gateway_(gateway), clock_(clock), tables_(gateway.catalog()) {}

  std::string_view api() const override { return "table"; }
  query::RunnerOutcome<query::RunnerResult> Run(const query::RunnerRequest& request) override;

 private:
  gateway::Gateway& gateway_;
  const Clock& clock_;
  const Tables tables_;
};

}  // namespace orrery::table
