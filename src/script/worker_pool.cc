#include "script/worker_pool.h"

#include <pthread.h>

#include <exception>
#include <string>
#include <utility>

#include "base/log.h"

namespace orrery::script {

WorkerPool::WorkerPool(Engine& engine, const Clock& clock, const WorkerPoolOptions& options)
    : engine_(engine), clock_(clock), options_(options) {
  for (size_t i = 0; i < options_.threads; ++i) {
    Worker& worker = *workers_.emplace_back(std::make_unique<Worker>());
    worker.thread = std::thread([this, &worker, name = "script" + std::to_string(i)] {
      pthread_setname_np(pthread_self(), name.c_str());
      Work(worker);
    });
  }
}

WorkerPool::~WorkerPool() { Stop(); }

Status WorkerPool::Run(Job job) {
  {
    MutexLock lock(mutex_);
    if (stopping_) return Fail(Code::kCancelled, "the server is stopping");
    if (queue_.size() >= options_.queue_max) {
      return Fail(Code::kOverloaded, "too many scripts are waiting to run");
    }
    queue_.push_back(std::move(job));
  }
  wakeup_.NotifyOne();
  return {};
}

void WorkerPool::Stop() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    for (const auto& worker : workers_) {
      if (worker->sandbox != nullptr) worker->sandbox->Cancel();
    }
  }
  wakeup_.NotifyAll();
  for (const auto& worker : workers_) {
    if (worker->thread.joinable()) worker->thread.join();
  }
}

size_t WorkerPool::queued() const {
  MutexLock lock(mutex_);
  return queue_.size();
}

void WorkerPool::Work(Worker& worker) {
  Sandbox sandbox(engine_, clock_, watchdog_, options_.sandbox);
  {
    MutexLock lock(mutex_);
    worker.sandbox = &sandbox;
    if (stopping_) sandbox.Cancel();
  }
  while (true) {
    Job job;
    {
      MutexLock lock(mutex_);
      while (queue_.empty() && !stopping_) wakeup_.Wait(mutex_);
      if (queue_.empty()) break;
      job = std::move(queue_.front());
      queue_.pop_front();
    }
    try {
      job(sandbox);
    } catch (const std::exception& e) {
      LogError("a script job threw: {}", e.what());
    }
  }
  MutexLock lock(mutex_);
  worker.sandbox = nullptr;
}

}  // namespace orrery::script
