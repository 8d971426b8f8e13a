// Runs traversals for the explorer, on the path of those that come over Gremlin's protocol. What of
// the results is vertices and edges is told as a graph, too.
//
// Thread-safe. What is given must outlive it.
#pragma once

#include <functional>
#include <string_view>

#include "api/gremlin/server/request_runner.h"
#include "base/clock.h"
#include "query/runner/query_runner.h"

namespace orrery::gremlin {

class GremlinQueryRunner final : public query::QueryRunner {
 public:
  GremlinQueryRunner(const RequestRunner& runner, const Clock& clock)
      : runner_(runner), clock_(clock) {}

  std::string_view api() const override { return "gremlin"; }
  query::RunnerOutcome<query::RunnerResult> Run(const query::RunnerRequest& request) override;

 private:
  const RequestRunner& runner_;
  const Clock& clock_;
};

}  // namespace orrery::gremlin
