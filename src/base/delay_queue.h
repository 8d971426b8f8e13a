// Runs tasks later: one thread that sleeps until the next one is due.
//
// For short tasks that hand work on (a retry); none may block. Bounded. Thread-safe. The destructor
// calls Stop().
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include "base/mutex.h"

namespace orrery {

class DelayQueue {
 public:
  using Task = std::move_only_function<void()>;

  DelayQueue(std::string name, size_t tasks_max);
  ~DelayQueue();

  // False when it is full or stopping; the task was not taken.
  [[nodiscard]] bool RunAfter(std::chrono::milliseconds delay, Task task) EXCLUDES(mutex_);

  // Runs what is left at once, in order, then joins. Idempotent. Not from a task.
  void Stop() EXCLUDES(mutex_);

 private:
  using Time = std::chrono::steady_clock::time_point;

  void Run() EXCLUDES(mutex_);

  const size_t tasks_max_;
  Mutex mutex_;
  CondVar wakeup_;
  std::multimap<Time, Task> tasks_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace orrery
