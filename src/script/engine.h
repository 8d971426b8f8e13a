// The Engine is SpiderMonkey's presence in this process.
//
// The library can be started once per process and, once shut down, never again; so the server's
// object graph owns the one Engine and hands it to whatever makes sandboxes. It costs a few
// milliseconds and about 2 MB; each sandbox that has run something costs some 6 MB more.
//
// Thread-safe after Start. Must outlive every Sandbox.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/status.h"

namespace orrery::script {

// Workers of all pools that were given up (worker_pool.h).
struct LostWorkers {
  std::atomic<int64_t> lost_now{0};  // those whose job has not ended yet
  std::atomic<uint64_t> lost_total{0};
};

class Engine {
 public:
  // kPreconditionFailed when this process already had an engine; kUnsupported when the library does
  // not let single allocations be bounded (spidermonkey/allocation_cap.h).
  static Result<std::unique_ptr<Engine>> Start();
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  LostWorkers& counts() { return counts_; }

 private:
  Engine() = default;

  LostWorkers counts_;
};

}  // namespace orrery::script
