// A WorkerPool lends sandboxes to jobs: a few threads, each with a sandbox of its own, and one
// bounded queue.
//
// Scripts and the host functions they call may block, so they never run on an event loop. A job
// gets the sandbox of the thread it runs on and may make many calls with it: evaluating a function
// for a page of rows is one job, not one a row.
//
// Nobody waits without end. Natives of the engine do not look at limits, so a job may go on behind
// its time: kLostAfter later it is given up, its caller is answered, and its worker is lost until
// it ends. Jobs that take long, lost or not, are replaced by stand-ins, so that others go on; the
// number of these is bounded, and what they leave behind in the queue is given up there in time.
// docs/decisions/0046-work-with-an-end.md.
//
// Thread-safe. The destructor calls Stop() and waits for lost workers, too.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <list>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "script/engine.h"
#include "script/failure.h"
#include "script/limits.h"
#include "script/sandbox.h"
#include "script/watchdog.h"

namespace orrery::script {

struct WorkerPoolOptions {
  size_t threads = 2;
  // Threads beyond these, for jobs that take long.
  size_t stand_ins_max = 4;
  size_t queue_max = 1'024;
  // The longest time that a job may wait for a thread.
  std::chrono::milliseconds queue_time_max{10'000};
  SandboxOptions sandbox;
};

// A Job is what a pool runs. It owns all that `work` uses, or outlives the pool: a job that was
// given up goes on after its caller has gone.
struct Job {
  std::move_only_function<void(Sandbox&)> work;
  // Called at most once, while `work` goes on or instead of it: kTime when it took too long,
  // kCancelled with kOverloaded when it waited too long, and with kCancelled when the pool stops.
  // On a thread of the pool; must not block. May be empty. It may come at the same time as the end
  // of `work`: whoever answers decides (await.h), or uses Sandbox::Claim.
  std::move_only_function<void(Failure)> give_up{};
  // The longest time that its scripts may take together.
  std::chrono::milliseconds time_max{5'000};
};

class WorkerPool {
 public:
  // A job that has run for so long is replaced by a stand-in.
  static constexpr std::chrono::milliseconds kLongJob{50};
  // The time behind its limit after which a job is given up.
  static constexpr std::chrono::milliseconds kLostAfter{1'000};
  // The longest time that Stop() waits for jobs that do not listen.
  static constexpr std::chrono::milliseconds kStopTimeMax{1'000};

  // Both must outlive the pool.
  WorkerPool(Engine& engine, const Clock& clock, const WorkerPoolOptions& options);
  ~WorkerPool();

  // Queues the job. kOverloaded when the queue is full, kCancelled after Stop; the job was then
  // not taken, and is not given up either.
  Status Run(Job job) EXCLUDES(mutex_);

  // Cancels the scripts that run, lets every queued job begin (its calls fail with kCancelled, so
  // each of them still answers its caller), and joins. Jobs that do not listen are given up.
  // Idempotent. Not from a job.
  void Stop() EXCLUDES(mutex_);

  size_t queued() const EXCLUDES(mutex_);
  const WorkerPoolOptions& options() const { return options_; }

 private:
  struct Queued {
    Job job;
    Micros expires{0};
  };
  struct Worker {
    std::thread thread;
    int tid = 0;
    Sandbox* sandbox = nullptr;  // while the thread runs
    bool busy = false;
    bool replaced = false;  // it ends with its job
    bool lost = false;
    bool ended = false;
    // Of its job, while it is busy.
    Micros long_from{0};
    Micros lost_from{0};
    std::move_only_function<void(Failure)> give_up;
  };
  using Given = std::vector<std::pair<std::move_only_function<void(Failure)>, Failure>>;

  void AddWorkers() REQUIRES(mutex_);
  void Work(Worker& worker) EXCLUDES(mutex_);
  void Keep() EXCLUDES(mutex_);
  // Returns whether anything runs or waits.
  bool LookAtJobs(Given& given) REQUIRES(mutex_);
  bool GiveUp(Worker& worker, Failure failure, Given& given) REQUIRES(mutex_);
  void JoinEnded() EXCLUDES(mutex_);

  Engine& engine_;
  const Clock& clock_;
  const WorkerPoolOptions options_;
  Watchdog watchdog_;
  mutable Mutex mutex_;
  CondVar wakeup_;
  CondVar keeper_wakeup_;  // also of who stops
  std::deque<Queued> queue_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;
  bool keeper_asleep_ GUARDED_BY(mutex_) = false;
  size_t made_ GUARDED_BY(mutex_) = 0;  // for names
  std::list<Worker> workers_ GUARDED_BY(mutex_);
  std::thread keeper_;  // last: it uses all of the above
};

}  // namespace orrery::script
