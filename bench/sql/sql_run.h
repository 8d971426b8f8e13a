// A whole run of the SQL generator against one server.
#pragma once

#include <cstddef>
#include <functional>

#include "base/status.h"
#include "load/address.h"
#include "load/load_run.h"
#include "sql/sql_workload.h"

namespace orrery::bench {

struct SqlPlan {
  Address address;
  bool direct = false;  // speak RNTBD there
  size_t connections = 1;
  size_t in_flight = 1;  // on each connection
  size_t threads = 1;    // at most as many as connections
  LoadTimes times;
  std::function<SqlWorkload(size_t thread)> workload;
};

// Errors are those of connecting and of a wrong process id; what goes wrong later is in the tally.
Result<LoadReport> RunSqlLoad(const SqlPlan& plan);

}  // namespace orrery::bench
