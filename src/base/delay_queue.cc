#include "base/delay_queue.h"

#include <pthread.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "base/log.h"

namespace orrery {

DelayQueue::DelayQueue(std::string name, size_t tasks_max)
    : tasks_max_(tasks_max), thread_([this, name = name.substr(0, 15)] {
        pthread_setname_np(pthread_self(), name.c_str());
        Run();
      }) {}

DelayQueue::~DelayQueue() { Stop(); }

bool DelayQueue::RunAfter(std::chrono::milliseconds delay, Task task) {
  {
    MutexLock lock(mutex_);
    if (stopping_ || tasks_.size() >= tasks_max_) return false;
    tasks_.emplace(std::chrono::steady_clock::now() + delay, std::move(task));
  }
  wakeup_.NotifyOne();
  return true;
}

void DelayQueue::Stop() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
  }
  wakeup_.NotifyAll();
  if (thread_.joinable()) thread_.join();
}

void DelayQueue::Run() {
  while (true) {
    Task task;
    {
      MutexLock lock(mutex_);
      while (true) {
        const Time now = std::chrono::steady_clock::now();
        if (!tasks_.empty() && (stopping_ || tasks_.begin()->first <= now)) break;
        if (stopping_) return;
        if (tasks_.empty()) {
          wakeup_.Wait(mutex_);
        } else {
          wakeup_.WaitFor(mutex_, tasks_.begin()->first - now);
        }
      }
      task = std::move(tasks_.extract(tasks_.begin()).mapped());
    }
    try {
      task();
    } catch (const std::exception& error) {
      LogError("a delayed task failed: {}", error.what());
    }
  }
}

}  // namespace orrery
