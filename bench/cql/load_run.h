// A whole run: all threads of the generator against one server, and what server and client used
// meanwhile.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/status.h"
#include "cql/cql_options.h"
#include "cql/load/key_chooser.h"
#include "cql/load/tally.h"
#include "cql/load/workload.h"
#include "cql/process_usage.h"

namespace orrery::bench {

struct LoadPlan {
  Target target;
  size_t connections = 1;
  size_t in_flight = 1;  // on each connection
  size_t threads = 1;    // at most as many as connections
  double rate = 0;       // of all threads together; 0: saturating
  double warmup_seconds = 0;
  double seconds = 0;
  uint64_t count_max = UINT64_MAX;  // ends the run early; every thread does its share
  WorkloadKind workload = WorkloadKind::kRead;
  std::function<KeyChooser(size_t thread)> keys;
  uint64_t server_pid = 0;  // 0: not sampled
};

// Between the two ends of the measured window.
struct UsageInWindow {
  double cpu_seconds = 0;
  uint64_t resident_bytes_before = 0;
  uint64_t resident_bytes_after = 0;
};

struct LoadReport {
  Tally tally;
  double seconds = 0;  // of the window
  UsageInWindow client;
  std::optional<UsageInWindow> server;

  double rate() const { return seconds > 0 ? static_cast<double>(tally.done) / seconds : 0; }
};

// Errors are those of connecting and of a wrong process id; what goes wrong later is in the tally.
Result<LoadReport> RunLoad(const LoadPlan& plan, const Statements& statements,
                           const RowMaker& rows);

}  // namespace orrery::bench
