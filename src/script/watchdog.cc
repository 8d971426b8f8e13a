#include "script/watchdog.h"

#include <pthread.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace orrery::script {

class Watchdog::Rep {
 public:
  Rep() {
    thread_ = std::thread([this] {
      pthread_setname_np(pthread_self(), "script-watch");
      Run();
    });
  }

  ~Rep() {
    {
      MutexLock lock(mutex_);
      stopping_ = true;
    }
    wakeup_.NotifyAll();
    thread_.join();
  }

  void Add(Subject& subject) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    subjects_.push_back(&subject);
  }

  void Remove(Subject& subject) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    std::erase(subjects_, &subject);
  }

  bool asleep() const { return asleep_.load(std::memory_order_seq_cst); }

  void Wake() EXCLUDES(mutex_) {
    {
      MutexLock lock(mutex_);
    }
    wakeup_.NotifyAll();
  }

 private:
  void Run() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    int idle_ticks = 0;
    while (!stopping_) {
      idle_ticks = PokeRunning() ? 0 : idle_ticks + 1;
      if (idle_ticks < kWatchdogIdleTicks) {
        wakeup_.WaitFor(mutex_, kWatchdogTick);
        continue;
      }
      asleep_.store(true, std::memory_order_seq_cst);
      if (!PokeRunning()) wakeup_.Wait(mutex_);
      asleep_.store(false, std::memory_order_seq_cst);
      idle_ticks = 0;
    }
  }

  // Returns whether anything runs; interrupts those whose time has come.
  bool PokeRunning() REQUIRES(mutex_) {
    bool any = false;
    for (Subject* subject : subjects_) {
      const uint64_t turn = subject->turns_.load(std::memory_order_seq_cst);
      if (turn % 2 == 0) continue;
      any = true;
      if (turn != subject->watched_turn_) {
        subject->watched_turn_ = turn;
        subject->interval_ = 1;
        subject->ticks_left_ = 1;
      }
      if (--subject->ticks_left_ > 0) continue;
      subject->Poke();
      subject->interval_ = std::min(subject->interval_ * 2, kWatchdogIntervalMax);
      subject->ticks_left_ = subject->interval_;
    }
    return any;
  }

  Mutex mutex_;
  CondVar wakeup_;
  std::vector<Subject*> subjects_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::atomic<bool> asleep_ = false;  // written under mutex_, read by Started without it
  std::thread thread_;
};

Watchdog::Watchdog() : rep_(std::make_unique<Rep>()) {}
Watchdog::~Watchdog() = default;

void Watchdog::Add(Subject& subject) { rep_->Add(subject); }
void Watchdog::Remove(Subject& subject) { rep_->Remove(subject); }

// The thread says that it sleeps and then looks at turns_ once more; here it is the other way
// round. Sequentially consistent, so at least one of the two sees the other.
void Watchdog::Started(Subject& subject) {
  subject.turns_.fetch_add(1, std::memory_order_seq_cst);
  if (rep_->asleep()) rep_->Wake();
}

}  // namespace orrery::script
