// The sections of the bench on Ceph. Each prints what it does to stderr and returns lines of
// Markdown.
#pragma once

#include <string>

#include "storage/rados/object/librados_store.h"

namespace orrery::bench {

struct RadosBenchOptions {
  storage::rados::LibradosStore::Options store;  // a namespace that is not used otherwise
  double seconds = 10;                           // of each measurement
  std::string break_command;                     // what fails a part of the cluster, for `stall`
  std::string mend_command;                      // what brings it back
  uint64_t times = 1;                            // how often it is failed
};

// One write at a time, as the log of a partition makes them; then several in flight.
std::string BenchAppends(const RadosBenchOptions& options);
// Measures how long writers wait when a part of the cluster fails.
std::string BenchStall(const RadosBenchOptions& options);
// Synced writes of an engine, by how many records share one.
std::string BenchCommits(const RadosBenchOptions& options);
// Measures how long a process needs to take an engine over.
std::string BenchOpens(const RadosBenchOptions& options);

// The store, or the end of the program with its message.
std::unique_ptr<storage::rados::LibradosStore> ConnectOrExit(const RadosBenchOptions& options);

}  // namespace orrery::bench
