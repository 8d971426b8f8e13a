// The sections of the core's bench. Each measures one promise, prints what it does to stderr and
// returns lines of Markdown.
#pragma once

#include <string>

namespace orrery::bench {

struct BenchOptions {
  std::string directory;  // scratch space on the disk to measure
  bool quick = false;     // small data: to see that everything runs, not for figures
};

std::string BenchWrites(const BenchOptions& options);
std::string BenchPointReads(const BenchOptions& options);
std::string BenchSplitPause(const BenchOptions& options);
std::string BenchFootprint(const BenchOptions& options);
std::string BenchSpread(const BenchOptions& options);
std::string BenchThrottling(const BenchOptions& options);
std::string BenchFilteredScan(const BenchOptions& options);

}  // namespace orrery::bench
