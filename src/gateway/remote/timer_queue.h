// Runs things after a while, so that nobody has to hold a thread or a lock while waiting: what
// retries of requests to other nodes wait with.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <thread>

#include "base/mutex.h"

namespace orrery::gateway {

class TimerQueue {
 public:
  using Task = std::move_only_function<void()>;

  virtual ~TimerQueue() = default;
  // Calls `task` once, after about `delay` or when everything ends, on any thread; it must not
  // block. False when too many wait or the end has come: then it is not called.
  [[nodiscard]] virtual bool Run(std::chrono::milliseconds delay, Task task) = 0;
};

// By the machine's clock, on one thread. Thread-safe; the destructor calls Stop().
class TimerThread final : public TimerQueue {
 public:
  static constexpr size_t kWaitingMax = 65'536;

  TimerThread();
  ~TimerThread() override;

  bool Run(std::chrono::milliseconds delay, Task task) override EXCLUDES(mutex_);
  // Calls what waits at once, then joins. Idempotent.
  void Stop() EXCLUDES(mutex_);

 private:
  using Time = std::chrono::steady_clock::time_point;

  void Work() EXCLUDES(mutex_);
  // The next task, when its time has come; else waits for a while and returns none.
  Task TakeDue() EXCLUDES(mutex_);
  bool finished() const EXCLUDES(mutex_);

  mutable Mutex mutex_;
  CondVar changed_;
  std::multimap<Time, Task> waiting_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace orrery::gateway
