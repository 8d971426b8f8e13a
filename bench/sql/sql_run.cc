#include "sql/sql_run.h"

#include <memory>

#include "load/framed/framed_run.h"
#include "load/http/http_run.h"
#include "sql/wire/direct_exchange.h"

namespace orrery::bench {
namespace {

Result<LoadReport> RunDirect(const SqlPlan& plan) {
  FramedPlan framed;
  framed.address = plan.address;
  framed.connections = plan.connections;
  framed.in_flight = plan.in_flight;
  framed.threads = plan.threads;
  framed.times = plan.times;
  framed.shake_hands = DirectExchange::ShakeHands;
  framed.exchange = [&](size_t thread) {
    return std::make_unique<DirectExchange>(plan.workload(thread));
  };
  return RunFramedLoad(framed);
}

}  // namespace

Result<LoadReport> RunSqlLoad(const SqlPlan& plan) {
  if (plan.direct) return RunDirect(plan);
  HttpPlan http;
  http.address = plan.address;
  http.connections = plan.connections;
  http.in_flight = plan.in_flight;
  http.threads = plan.threads;
  http.times = plan.times;
  http.workload = [&](size_t thread) {
    return std::make_unique<SqlWorkload>(plan.workload(thread));
  };
  return RunHttpLoad(http);
}

}  // namespace orrery::bench
