#include "base/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <exception>

#include "base/charge_trace.h"
#include "base/log.h"

namespace orrery {

namespace {

// A tenth of the share that a thread of normal priority gets.
constexpr int kLowNiceness = 10;

// Of this thread alone, on Linux. One that stays as it is does its work as well.
void Adopt(ThreadPriority priority) {
  if (priority == ThreadPriority::kLow) static_cast<void>(nice(kLowNiceness));
  if (priority == ThreadPriority::kPatient) {
    constexpr sched_param kNoPriority{};
    pthread_setschedparam(pthread_self(), SCHED_BATCH, &kNoPriority);
  }
}

}  // namespace

ThreadPool::ThreadPool(std::string name, size_t threads, size_t queue_max, ThreadPriority priority)
    : thread_count_(threads), queue_max_(queue_max) {
  name.resize(std::min<size_t>(name.size(), 12));
  for (size_t i = 0; i < threads; ++i) {
    threads_.emplace_back([this, priority, thread_name = name + std::to_string(i)] {
      pthread_setname_np(pthread_self(), thread_name.c_str());
      Adopt(priority);
      Run();
    });
  }
}

ThreadPool::~ThreadPool() { Stop(); }

bool ThreadPool::Submit(Task task) {
  if (const auto& trace = ChargeTrace::Current(); trace != nullptr) {
    task = [kept = std::shared_ptr(trace), work = std::move(task)]() mutable {
      const ChargeTrace::Scope scope(std::move(kept));
      work();
    };
  }
  {
    MutexLock lock(mutex_);
    if (stopping_ || queue_.size() >= queue_max_) return false;
    queue_.push_back(std::move(task));
  }
  wakeup_.NotifyOne();
  return true;
}

void ThreadPool::Stop() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
  }
  wakeup_.NotifyAll();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

size_t ThreadPool::queued() const {
  MutexLock lock(mutex_);
  return queue_.size();
}

void ThreadPool::Run() {
  while (true) {
    Task task;
    {
      MutexLock lock(mutex_);
      while (queue_.empty() && !stopping_) wakeup_.Wait(mutex_);
      if (queue_.empty()) return;
      task = std::move(queue_.front());
      queue_.pop_front();
    }
    try {
      task();
    } catch (const std::exception& e) {
      LogError("a background task threw: {}", e.what());
    } catch (...) {
      LogError("a background task threw something that is no exception");
    }
  }
}

}  // namespace orrery
