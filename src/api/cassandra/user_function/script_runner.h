// Runs work in a sandbox of the script threads and waits for it.
//
// Thread-safe. Blocks: not for event loops, and not from a script's own thread.
#pragma once

#include <functional>

#include "base/status.h"
#include "script/sandbox.h"
#include "script/worker_pool.h"

namespace orrery::cassandra {

class ScriptRunner {
 public:
  // `pool` must outlive it.
  explicit ScriptRunner(script::WorkerPool& pool) : pool_(pool) {}

  // Returns the result of `work`; kOverloaded when too much is waiting, kCancelled when the pool is
  // stopped.
  Status Run(std::function<Status(script::Sandbox&)> work) const;

 private:
  script::WorkerPool& pool_;
};

}  // namespace orrery::cassandra
