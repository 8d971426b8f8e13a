#include "script/worker_pool.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "base/log.h"
#include "base/thread_pool.h"

namespace orrery::script {
namespace {

// The time between two looks at jobs, and the number of looks without any before looking ends.
constexpr std::chrono::milliseconds kKeeperTick = WorkerPool::kLongJob / 2;
constexpr int kKeeperIdleTicks = 40;

Failure TookTooLong() {
  return MakeFailure(Reason::kTime, "the script ran longer than it may, and did not end");
}

Failure WaitedTooLong() {
  Failure failure =
      MakeFailure(Reason::kCancelled,
                  "the script waited too long for a thread: other scripts hold all of them");
  failure.code = Code::kOverloaded;
  return failure;
}

Failure ServerStops() { return MakeFailure(Reason::kCancelled, "the server is stopping"); }

}  // namespace

WorkerPool::WorkerPool(Engine& engine, const Clock& clock, const WorkerPoolOptions& options)
    : engine_(engine), clock_(clock), options_(options) {
  MutexLock lock(mutex_);
  AddWorkers();
  keeper_ = std::thread([this] {
    pthread_setname_np(pthread_self(), "script-keep");
    Keep();
  });
}

WorkerPool::~WorkerPool() {
  Stop();
  // Alone now: the keeper has ended, and workers are only what could not be joined.
  std::vector<std::thread*> threads;
  {
    MutexLock lock(mutex_);
    for (Worker& worker : workers_) threads.push_back(&worker.thread);
  }
  for (std::thread* thread : threads) {
    if (thread->joinable()) thread->join();
  }
}

Status WorkerPool::Run(Job job) {
  const Micros expires = clock_.Monotonic() + options_.queue_time_max;
  {
    MutexLock lock(mutex_);
    if (stopping_) return Fail(Code::kCancelled, "the server is stopping");
    if (queue_.size() >= options_.queue_max) {
      return Fail(Code::kOverloaded, "too many scripts are waiting to run");
    }
    queue_.push_back({std::move(job), expires});
    if (keeper_asleep_) keeper_wakeup_.NotifyAll();
  }
  wakeup_.NotifyOne();
  return {};
}

void WorkerPool::Stop() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    for (Worker& worker : workers_) {
      if (worker.sandbox != nullptr) worker.sandbox->Cancel();
    }
  }
  wakeup_.NotifyAll();
  keeper_wakeup_.NotifyAll();
  // First the keeper: then nobody else adds or joins workers.
  if (keeper_.joinable()) keeper_.join();
  Given given;
  const auto end = std::chrono::steady_clock::now() + kStopTimeMax;
  {
    MutexLock lock(mutex_);
    while (true) {
      const auto left = end - std::chrono::steady_clock::now();
      const bool is_late = left <= left.zero();
      bool all_done = true;
      for (Worker& worker : workers_) {
        if (worker.ended || worker.lost) continue;
        // One that has claimed its job is heard out.
        if (!is_late || !worker.busy || !GiveUp(worker, ServerStops(), given)) all_done = false;
      }
      if (all_done) break;
      keeper_wakeup_.WaitFor(mutex_, is_late ? kKeeperTick : left);
    }
    // Jobs that no worker was left to begin.
    for (; !queue_.empty(); queue_.pop_front()) {
      if (queue_.front().job.give_up)
        given.emplace_back(std::move(queue_.front().job.give_up), ServerStops());
    }
  }
  for (auto& [give_up, failure] : given) give_up(std::move(failure));
  JoinEnded();
}

size_t WorkerPool::queued() const {
  MutexLock lock(mutex_);
  return queue_.size();
}

void WorkerPool::AddWorkers() {
  size_t serving = static_cast<size_t>(std::ranges::count_if(
      workers_, [](const Worker& worker) { return !worker.replaced && !worker.ended; }));
  while (serving < options_.threads &&
         workers_.size() < options_.threads + options_.stand_ins_max) {
    Worker& worker = workers_.emplace_back();
    const size_t number = made_++ % 100;
    worker.thread = std::thread([this, &worker, name = "script" + std::to_string(number)] {
      pthread_setname_np(pthread_self(), name.c_str());
      Work(worker);
    });
    ++serving;
  }
}

void WorkerPool::Work(Worker& worker) {
  {
    Sandbox sandbox(engine_, clock_, watchdog_, options_.sandbox);
    {
      MutexLock lock(mutex_);
      worker.tid = gettid();
      worker.sandbox = &sandbox;
      if (stopping_) sandbox.Cancel();
    }
    while (true) {
      std::move_only_function<void(Sandbox&)> work;
      {
        MutexLock lock(mutex_);
        worker.busy = false;
        worker.give_up = nullptr;
        if (worker.replaced) break;
        while (queue_.empty() && !stopping_) wakeup_.Wait(mutex_);
        if (queue_.empty()) break;
        Job job = std::move(queue_.front().job);
        queue_.pop_front();
        sandbox.BeginJob();
        work = std::move(job.work);
        worker.give_up = std::move(job.give_up);
        const Micros now = clock_.Monotonic();
        worker.long_from = now + kLongJob;
        worker.lost_from = now + job.time_max + kLostAfter;
        worker.busy = true;
        if (keeper_asleep_) keeper_wakeup_.NotifyAll();
      }
      try {
        work(sandbox);
      } catch (const std::exception& e) {
        LogError("a script job threw: {}", e.what());
      }
    }
    MutexLock lock(mutex_);
    worker.sandbox = nullptr;
  }
  MutexLock lock(mutex_);
  if (worker.lost) engine_.counts().lost_now.fetch_sub(1, std::memory_order_relaxed);
  worker.ended = true;
  keeper_wakeup_.NotifyAll();
}

void WorkerPool::Keep() {
  int idle_ticks = 0;
  while (true) {
    Given given;
    {
      MutexLock lock(mutex_);
      if (stopping_) return;
      idle_ticks = LookAtJobs(given) ? 0 : idle_ticks + 1;
      if (given.empty()) {
        if (idle_ticks < kKeeperIdleTicks) {
          keeper_wakeup_.WaitFor(mutex_, kKeeperTick);
        } else {
          keeper_asleep_ = true;
          keeper_wakeup_.Wait(mutex_);
          keeper_asleep_ = false;
          idle_ticks = 0;
        }
      }
    }
    for (auto& [give_up, failure] : given) give_up(std::move(failure));
    JoinEnded();
  }
}

bool WorkerPool::LookAtJobs(Given& given) {
  const Micros now = clock_.Monotonic();
  bool any = !queue_.empty();
  for (Worker& worker : workers_) {
    if (worker.ended) any = true;
    if (!worker.busy) continue;
    any = true;
    if (!worker.replaced && now >= worker.long_from) {
      worker.replaced = true;
      LowerPriority(worker.tid);
    }
    if (!worker.lost && now >= worker.lost_from) GiveUp(worker, TookTooLong(), given);
  }
  AddWorkers();
  while (!queue_.empty() && now >= queue_.front().expires) {
    if (queue_.front().job.give_up)
      given.emplace_back(std::move(queue_.front().job.give_up), WaitedTooLong());
    queue_.pop_front();
  }
  return any;
}

bool WorkerPool::GiveUp(Worker& worker, Failure failure, Given& given) {
  if (worker.sandbox == nullptr || !worker.sandbox->GiveUp()) return false;
  worker.lost = true;
  worker.replaced = true;
  engine_.counts().lost_now.fetch_add(1, std::memory_order_relaxed);
  engine_.counts().lost_total.fetch_add(1, std::memory_order_relaxed);
  LogWarn("a script did not end at its limit of time: its thread is lost until it does");
  if (worker.give_up) given.emplace_back(std::move(worker.give_up), std::move(failure));
  return true;
}

void WorkerPool::JoinEnded() {
  std::list<Worker> ended;
  {
    MutexLock lock(mutex_);
    for (auto worker = workers_.begin(); worker != workers_.end();) {
      const auto next = std::next(worker);
      if (worker->ended) ended.splice(ended.end(), workers_, worker);
      worker = next;
    }
  }
  for (Worker& worker : ended) {
    if (worker.thread.joinable()) worker.thread.join();
  }
}

}  // namespace orrery::script
