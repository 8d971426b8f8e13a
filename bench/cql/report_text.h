// A run as people and as programs read it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cql/cql_options.h"
#include "cql/load_run.h"

namespace orrery::bench {

// The server's memory before and with the idle connections; zero when no process was named.
struct IdleCost {
  uint64_t connections = 0;
  uint64_t resident_bytes_before = 0;
  uint64_t resident_bytes_after = 0;
};

struct CqlReport {
  std::optional<LoadReport> load;  // none for the workload "none"
  std::optional<IdleCost> idle;
};

// A few lines, each "what: figures".
std::string ReportText(const CqlOptions& options, const CqlReport& report);
// One object: settings, figures with their units in the names, latencies by kind of operation.
std::string ReportJson(const CqlOptions& options, const CqlReport& report);

}  // namespace orrery::bench
