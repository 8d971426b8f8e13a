#include "load/framed/framed_run.h"

#include <utility>
#include <vector>

#include "load/load_thread.h"

namespace orrery::bench {

Result<LoadReport> RunFramedLoad(const FramedPlan& plan) {
  std::vector<std::unique_ptr<FramedExchange>> exchanges;  // outlive the loops
  std::vector<std::unique_ptr<LoadThread>> loops;
  for (size_t i = 0; i < plan.threads; ++i) {
    FramedExchange& exchange = *exchanges.emplace_back(plan.exchange(i));
    LoadThread& loop = *loops.emplace_back(std::make_unique<LoadThread>(plan.in_flight));
    const uint64_t connections = ShareOf(plan.connections, i, plan.threads);
    for (uint64_t k = 0; k < connections; ++k) {
      ORRERY_ASSIGN(auto transport, Transport::Connect(loop.context(), plan.address));
      if (plan.shake_hands) ORRERY_TRY(plan.shake_hands(*transport));
      loop.Add(std::make_unique<FramedConnection>(std::move(transport), plan.in_flight, exchange,
                                                  loop.user()));
    }
  }
  return RunThreads(loops, plan.times);
}

}  // namespace orrery::bench
