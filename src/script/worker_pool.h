// A WorkerPool lends sandboxes to jobs: a few threads, each with a sandbox of its own, and one
// bounded queue.
//
// Scripts and the host functions they call may block, so they never run on an event loop. A job
// gets the sandbox of the thread it runs on and may make many calls with it: evaluating a function
// for a page of rows is one job, not one a row.
//
// Thread-safe. The destructor calls Stop().
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "script/engine.h"
#include "script/limits.h"
#include "script/sandbox.h"
#include "script/watchdog.h"

namespace orrery::script {

struct WorkerPoolOptions {
  size_t threads = 2;
  size_t queue_max = 1'024;
  SandboxOptions sandbox;
};

class WorkerPool {
 public:
  using Job = std::move_only_function<void(Sandbox&)>;

  // Both must outlive the pool.
  WorkerPool(Engine& engine, const Clock& clock, const WorkerPoolOptions& options);
  ~WorkerPool();

  // Queues the job. kOverloaded when the queue is full, kCancelled after Stop; the job was then
  // not taken.
  Status Run(Job job) EXCLUDES(mutex_);

  // Cancels the scripts that run, lets every queued job begin (its calls fail with kCancelled, so
  // each of them still answers its caller), and joins. Idempotent. Not from a job.
  void Stop() EXCLUDES(mutex_);

  size_t queued() const EXCLUDES(mutex_);

 private:
  struct Worker {
    std::thread thread;
    Sandbox* sandbox = nullptr;  // while the thread runs; guarded by mutex_
  };

  void Work(Worker& worker) EXCLUDES(mutex_);

  Engine& engine_;
  const Clock& clock_;
  const WorkerPoolOptions options_;
  Watchdog watchdog_;
  mutable Mutex mutex_;
  CondVar wakeup_;
  std::deque<Job> queue_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::vector<std::unique_ptr<Worker>> workers_;  // written by the constructor only
};

}  // namespace orrery::script
