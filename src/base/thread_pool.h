// A fixed number of threads that run tasks from one bounded queue.
//
// For work that may block (disk reads, commits, splits). Event loops never run such work
// themselves: they hand it over here, and a full queue is the signal to slow down.
//
// Thread-safe. The destructor calls Stop().
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace orrery {

// The scheduling of a pool's threads. kPatient has a full share, but does not preempt a running
// thread when there is work, so that the producer makes more of it meanwhile. kLow yields to all
// others, for work that nobody waits for.
enum class ThreadPriority { kNormal, kPatient, kLow };

class ThreadPool {
 public:
  using Task = std::move_only_function<void()>;

  // `name` is shown by ps and gdb (at most 12 characters are kept).
  ThreadPool(std::string name, size_t threads, size_t queue_max,
             ThreadPriority priority = ThreadPriority::kNormal);
  ~ThreadPool();

  // False when the queue is full or the pool is stopping; the task was not taken.
  [[nodiscard]] bool Submit(Task task) EXCLUDES(mutex_);

  // Lets the queued tasks finish, then joins. Idempotent. Not from a task of this pool.
  void Stop() EXCLUDES(mutex_);

  size_t queued() const EXCLUDES(mutex_);
  size_t threads() const { return thread_count_; }

 private:
  void Run();

  const size_t thread_count_;
  const size_t queue_max_;
  mutable Mutex mutex_;
  CondVar wakeup_;
  std::deque<Task> queue_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;  // written by the constructor and the first Stop() only
};

}  // namespace orrery
