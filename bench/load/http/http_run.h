// A whole run over keep-alive connections of HTTP against one server.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "base/status.h"
#include "load/address.h"
#include "load/http/http_workload.h"
#include "load/load_run.h"

namespace orrery::bench {

struct HttpPlan {
  Address address;
  size_t connections = 1;
  size_t in_flight = 1;  // on each connection
  size_t threads = 1;    // at most as many as connections
  LoadTimes times;
  std::function<std::unique_ptr<HttpWorkload>(size_t thread)> workload;
};

// Errors are those of connecting and of a wrong process id; what goes wrong later is in the tally.
Result<LoadReport> RunHttpLoad(const HttpPlan& plan);

}  // namespace orrery::bench
