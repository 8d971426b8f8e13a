// ProcessUsage is what a process has used so far, from /proc: to state rates per busy core of the
// server and to see whether its memory grows.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"

namespace orrery::bench {

struct ProcessUsage {
  double cpu_seconds = 0;  // user and system, of all threads
  uint64_t resident_bytes = 0;
};

// kNotFound when there is no such process.
Result<ProcessUsage> UsageOf(uint64_t pid);
ProcessUsage UsageOfThisProcess();

// The content of /proc/PID/stat, with its units. kInvalidArgument for anything else.
struct StatUnits {
  double ticks_per_second = 100;
  uint64_t page_bytes = 4'096;
};
Result<ProcessUsage> ParseStat(std::string_view stat, const StatUnits& units);

}  // namespace orrery::bench
