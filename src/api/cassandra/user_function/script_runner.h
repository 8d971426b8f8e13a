// Runs work in a sandbox of the script threads and waits for it; the wait has an end.
//
// `work` owns all that it uses: when it does not end in its time it is given up, its caller goes
// on, and it ends later. Thread-safe. Blocks: not for event loops, and not from a script's own
// thread.
#pragma once

#include <chrono>
#include <utility>

#include "base/status.h"
#include "script/await.h"
#include "script/sandbox.h"
#include "script/worker_pool.h"

namespace orrery::cassandra {

class ScriptRunner {
 public:
  // `pool` must outlive it.
  explicit ScriptRunner(script::WorkerPool& pool) : pool_(pool) {}

  // Returns what `work`, a callable that takes a Sandbox, returns: a T. `time_max` is what it may
  // take. kOverloaded when too much is waiting, kResourceExhausted when it took too long,
  // kCancelled when the pool is stopped.
  template <typename T, typename Work>
  Result<T> Run(std::chrono::milliseconds time_max, Work work) const {
    auto outcome = script::Await<T>(pool_, time_max, std::move(work));
    if (outcome.has_value()) return *std::move(outcome);
    return Fail(outcome.error().ToError());
  }

 private:
  script::WorkerPool& pool_;
};

}  // namespace orrery::cassandra
