#include "gateway/remote/timer_queue.h"

#include <utility>

namespace orrery::gateway {

TimerThread::TimerThread() : thread_([this] { Work(); }) {}

TimerThread::~TimerThread() { Stop(); }

bool TimerThread::Run(std::chrono::milliseconds delay, Task task) {
  MutexLock lock(mutex_);
  if (stopping_ || waiting_.size() >= kWaitingMax) return false;
  waiting_.emplace(std::chrono::steady_clock::now() + delay, std::move(task));
  changed_.NotifyOne();
  return true;
}

void TimerThread::Stop() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    changed_.NotifyOne();
  }
  if (thread_.joinable()) thread_.join();
}

void TimerThread::Work() {
  while (!finished()) {
    if (Task task = TakeDue(); task != nullptr) task();
  }
}

TimerThread::Task TimerThread::TakeDue() {
  MutexLock lock(mutex_);
  if (waiting_.empty()) {
    if (!stopping_) changed_.Wait(mutex_);
    return nullptr;
  }
  const Time now = std::chrono::steady_clock::now();
  const auto first = waiting_.begin();
  if (!stopping_ && first->first > now) {
    changed_.WaitFor(mutex_, first->first - now);
    return nullptr;
  }
  Task task = std::move(first->second);
  waiting_.erase(first);
  return task;
}

bool TimerThread::finished() const {
  MutexLock lock(mutex_);
  return stopping_ && waiting_.empty();
}

}  // namespace orrery::gateway
