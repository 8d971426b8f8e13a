// A whole run of the CQL generator against one server.
#pragma once

#include <cstdint>
#include <functional>

#include "base/status.h"
#include "cql/cql_options.h"
#include "cql/load/workload.h"
#include "load/key_chooser.h"
#include "load/load_run.h"

namespace orrery::bench {

struct LoadPlan {
  Target target;
  size_t connections = 1;
  size_t in_flight = 1;  // on each connection
  size_t threads = 1;    // at most as many as connections
  LoadTimes times;
  WorkloadKind workload = WorkloadKind::kRead;
  std::function<KeyChooser(size_t thread)> keys;
};

// Errors are those of connecting and of a wrong process id; what goes wrong later is in the tally.
Result<LoadReport> RunLoad(const LoadPlan& plan, const Statements& statements,
                           const RowMaker& rows);

}  // namespace orrery::bench
