// A fixed number of threads that run tasks from one bounded queue.
//
// For work that may block (disk reads, commits, splits). Event loops never run such work
// themselves: they hand it over here, and a full queue is the signal to slow down.
//
// A pool may have stand-ins, so that short tasks never wait for long ones: when a task has run for
// kLongTask its thread no longer counts, gets a tenth of a thread's share of the processor, and
// ends with its task; another takes its place. With all stand-ins in use tasks wait.
//
// Thread-safe. The destructor calls Stop().
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <list>
#include <string>
#include <thread>

#include "base/mutex.h"

namespace orrery {

// The scheduling of a pool's threads. kPatient has a full share, but does not preempt a running
// thread when there is work, so that the producer makes more of it meanwhile. kLow yields to all
// others, for work that nobody waits for.
enum class ThreadPriority { kNormal, kPatient, kLow };

// Lowers the priority of one thread of this process, for good. `tid` is the system's.
void LowerPriority(int tid);

class ThreadPool {
 public:
  using Task = std::move_only_function<void()>;

  // A task that may take longer is long, and must not hold up others.
  static constexpr std::chrono::milliseconds kLongTask{50};

  // `name` is shown by ps and gdb (at most 12 characters are kept).
  ThreadPool(std::string name, size_t threads, size_t queue_max,
             ThreadPriority priority = ThreadPriority::kNormal, size_t stand_ins_max = 0);
  ~ThreadPool();

  // False when the queue is full or the pool is stopping; the task was not taken.
  [[nodiscard]] bool Submit(Task task) EXCLUDES(mutex_);

  // Lets the queued tasks finish, then joins. Idempotent. Not from a task of this pool.
  void Stop() EXCLUDES(mutex_);

  size_t queued() const EXCLUDES(mutex_);
  // Without stand-ins.
  size_t threads() const { return thread_count_; }
  // The number of tasks that are long.
  size_t long_tasks() const EXCLUDES(mutex_);

 private:
  using Time = std::chrono::steady_clock::time_point;

  struct Worker {
    std::thread thread;
    int tid = 0;
    bool busy = false;
    bool replaced = false;  // its task is long; it ends with it
    bool ended = false;
    Time started;  // the task, while it is busy
  };

  void AddWorker() REQUIRES(mutex_);
  void Run(Worker& worker) EXCLUDES(mutex_);
  void Watch() EXCLUDES(mutex_);
  // Returns whether anything runs.
  bool ReplaceLong() REQUIRES(mutex_);
  void JoinEnded() EXCLUDES(mutex_);

  const std::string name_;
  const size_t thread_count_;
  const size_t queue_max_;
  const ThreadPriority priority_;
  const size_t stand_ins_max_;
  mutable Mutex mutex_;
  CondVar wakeup_;
  CondVar watch_wakeup_;
  std::deque<Task> queue_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;
  bool watch_asleep_ GUARDED_BY(mutex_) = false;
  size_t replaced_ GUARDED_BY(mutex_) = 0;
  size_t made_ GUARDED_BY(mutex_) = 0;  // for names
  std::list<Worker> workers_ GUARDED_BY(mutex_);
  std::thread watch_;  // only with stand-ins; last: it uses all of the above
};

}  // namespace orrery
