#include "cql/load_run.h"

#include <memory>
#include <vector>

#include "cql/wire/connection.h"
#include "load/load_thread.h"

namespace orrery::bench {

Result<LoadReport> RunLoad(const LoadPlan& plan, const Statements& statements,
                           const RowMaker& rows) {
  std::vector<std::unique_ptr<Workload>> workloads;  // outlive the loops
  std::vector<std::unique_ptr<LoadThread>> loops;
  for (size_t i = 0; i < plan.threads; ++i) {
    Workload& workload = *workloads.emplace_back(
        std::make_unique<Workload>(plan.workload, plan.keys(i), statements, rows));
    LoadThread& loop = *loops.emplace_back(std::make_unique<LoadThread>(plan.in_flight));
    const uint64_t connections = ShareOf(plan.connections, i, plan.threads);
    for (uint64_t k = 0; k < connections; ++k) {
      ORRERY_ASSIGN(auto session, Session::Open(loop.context(), plan.target));
      loop.Add(
          std::make_unique<Connection>(std::move(session), plan.in_flight, workload, loop.user()));
    }
  }
  return RunThreads(loops, plan.times);
}

}  // namespace orrery::bench
