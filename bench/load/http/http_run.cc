#include "load/http/http_run.h"

#include <utility>
#include <vector>

#include "load/http/http_connection.h"
#include "load/load_thread.h"

namespace orrery::bench {

Result<LoadReport> RunHttpLoad(const HttpPlan& plan) {
  std::vector<std::unique_ptr<HttpWorkload>> workloads;  // outlive the loops
  std::vector<std::unique_ptr<LoadThread>> loops;
  for (size_t i = 0; i < plan.threads; ++i) {
    HttpWorkload& workload = *workloads.emplace_back(plan.workload(i));
    LoadThread& loop = *loops.emplace_back(std::make_unique<LoadThread>(plan.in_flight));
    const uint64_t connections = ShareOf(plan.connections, i, plan.threads);
    for (uint64_t k = 0; k < connections; ++k) {
      ORRERY_ASSIGN(auto transport, Transport::Connect(loop.context(), plan.address));
      loop.Add(std::make_unique<HttpConnection>(std::move(transport), plan.in_flight, workload,
                                                loop.user()));
    }
  }
  return RunThreads(loops, plan.times);
}

}  // namespace orrery::bench
