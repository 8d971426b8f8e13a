#include "base/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <exception>

#include "base/charge_trace.h"
#include "base/visit_tally.h"
#include "base/log.h"

namespace orrery {

namespace {

// A tenth of the share that a thread of normal priority gets.
constexpr int kLowNiceness = 10;
// The pause between looks at tasks, and the number of looks without any before looking ends.
constexpr std::chrono::milliseconds kWatchTick = ThreadPool::kLongTask / 2;
constexpr int kWatchIdleTicks = 40;

// Of this thread alone, on Linux. One that stays as it is does its work as well.
void Adopt(ThreadPriority priority) {
  if (priority == ThreadPriority::kLow) static_cast<void>(nice(kLowNiceness));
  if (priority == ThreadPriority::kPatient) {
    constexpr sched_param kNoPriority{};
    pthread_setschedparam(pthread_self(), SCHED_BATCH, &kNoPriority);
  }
}

}  // namespace

void LowerPriority(int tid) { setpriority(PRIO_PROCESS, static_cast<id_t>(tid), kLowNiceness); }

ThreadPool::ThreadPool(std::string name, size_t threads, size_t queue_max, ThreadPriority priority,
                       size_t stand_ins_max)
    : name_(name.substr(0, 12)),
      thread_count_(threads),
      queue_max_(queue_max),
      priority_(priority),
      stand_ins_max_(stand_ins_max) {
  MutexLock lock(mutex_);
  for (size_t i = 0; i < threads; ++i) AddWorker();
  if (stand_ins_max_ == 0) return;
  watch_ = std::thread([this] {
    pthread_setname_np(pthread_self(), (name_ + "-w").c_str());
    Watch();
  });
}

ThreadPool::~ThreadPool() { Stop(); }

bool ThreadPool::Submit(Task task) {
  if (const auto& trace = ChargeTrace::Current(); trace != nullptr) {
    task = [kept = std::shared_ptr(trace), work = std::move(task)]() mutable {
      const ChargeTrace::Scope scope(std::move(kept));
      work();
    };
  }
  if (const auto& tally = VisitTally::Current(); tally != nullptr) {
    task = [kept = std::shared_ptr(tally), work = std::move(task)]() mutable {
      const VisitTally::Scope scope(std::move(kept));
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
  watch_wakeup_.NotifyAll();
  // First the watch: then nobody else adds or joins workers.
  if (watch_.joinable()) watch_.join();
  std::list<Worker*> workers;
  {
    MutexLock lock(mutex_);
    for (Worker& worker : workers_) workers.push_back(&worker);
  }
  for (Worker* worker : workers) {
    if (worker->thread.joinable()) worker->thread.join();
  }
}

size_t ThreadPool::queued() const {
  MutexLock lock(mutex_);
  return queue_.size();
}

size_t ThreadPool::long_tasks() const {
  MutexLock lock(mutex_);
  return replaced_;
}

void ThreadPool::AddWorker() {
  Worker& worker = workers_.emplace_back();
  // Names stay short: a stand-in has the number of one that is long gone.
  const size_t number = made_++ % std::max<size_t>(100, thread_count_);
  worker.thread = std::thread([this, &worker, thread_name = name_ + std::to_string(number)] {
    pthread_setname_np(pthread_self(), thread_name.c_str());
    Adopt(priority_);
    Run(worker);
  });
}

void ThreadPool::Run(Worker& worker) {
  const bool is_watched = stand_ins_max_ > 0;
  while (true) {
    Task task;
    {
      MutexLock lock(mutex_);
      worker.busy = false;
      worker.tid = gettid();
      if (worker.replaced) {
        --replaced_;
        worker.ended = true;
        return;
      }
      while (queue_.empty() && !stopping_) wakeup_.Wait(mutex_);
      if (queue_.empty()) return;
      task = std::move(queue_.front());
      queue_.pop_front();
      if (is_watched) {
        worker.busy = true;
        worker.started = std::chrono::steady_clock::now();
        if (watch_asleep_) watch_wakeup_.NotifyOne();
      }
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

void ThreadPool::Watch() {
  int idle_ticks = 0;
  while (true) {
    {
      MutexLock lock(mutex_);
      if (stopping_) return;
      idle_ticks = ReplaceLong() ? 0 : idle_ticks + 1;
      if (idle_ticks < kWatchIdleTicks) {
        watch_wakeup_.WaitFor(mutex_, kWatchTick);
      } else {
        watch_asleep_ = true;
        watch_wakeup_.Wait(mutex_);
        watch_asleep_ = false;
        idle_ticks = 0;
      }
    }
    JoinEnded();
  }
}

bool ThreadPool::ReplaceLong() {
  const Time now = std::chrono::steady_clock::now();
  bool any = false;
  size_t added = 0;
  for (Worker& worker : workers_) {
    if (!worker.busy) continue;
    any = true;
    if (worker.replaced || now - worker.started < kLongTask || replaced_ >= stand_ins_max_)
      continue;
    worker.replaced = true;
    ++replaced_;
    ++added;
    LowerPriority(worker.tid);
  }
  for (; added > 0; --added) AddWorker();
  return any;
}

void ThreadPool::JoinEnded() {
  std::list<Worker> ended;
  {
    MutexLock lock(mutex_);
    for (auto worker = workers_.begin(); worker != workers_.end();) {
      const auto next = std::next(worker);
      if (worker->ended) ended.splice(ended.end(), workers_, worker);
      worker = next;
    }
  }
  for (Worker& worker : ended) worker.thread.join();
}

}  // namespace orrery
