// A whole run: all threads of a generator against one server, and what server and client used
// meanwhile.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "base/status.h"
#include "load/process_usage.h"
#include "load/tally.h"

namespace orrery::bench {

class LoadThread;

struct LoadTimes {
  double rate = 0;  // of all threads together; 0: saturating
  double warmup_seconds = 0;
  double seconds = 0;
  uint64_t count_max = UINT64_MAX;  // ends the run early; every thread does its share
  uint64_t server_pid = 0;          // 0: not sampled
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

// Runs all loops, which have their connections, to their end. The only error is a wrong process id:
// what goes wrong between client and server is in the tally.
Result<LoadReport> RunThreads(std::span<const std::unique_ptr<LoadThread>> loops,
                              const LoadTimes& times);

// The `index`-th of `parts` nearly equal parts of `whole`.
uint64_t ShareOf(uint64_t whole, size_t index, size_t parts);

}  // namespace orrery::bench
