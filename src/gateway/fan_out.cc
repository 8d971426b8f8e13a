#include "gateway/fan_out.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include "base/mutex.h"

namespace orrery::gateway {
namespace {

// Shared with the helpers, of which some may start after all work is done: those find nothing left
// and never touch `work`, which has ended by then.
class Crew {
 public:
  Crew(size_t count, const std::function<void(size_t)>& work) : count_(count), work_(work) {}

  void Work() {
    for (size_t i = next_.fetch_add(1); i < count_; i = next_.fetch_add(1)) {
      work_(i);
      MutexLock lock(mutex_);
      if (++finished_ == count_) all_finished_.NotifyAll();
    }
  }

  void Wait() {
    MutexLock lock(mutex_);
    while (finished_ < count_) all_finished_.Wait(mutex_);
  }

 private:
  const size_t count_;
  const std::function<void(size_t)>& work_;
  std::atomic<size_t> next_{0};
  Mutex mutex_;
  CondVar all_finished_;
  size_t finished_ GUARDED_BY(mutex_) = 0;
};

}  // namespace

void FanOut(ThreadPool& pool, size_t count, size_t parallel_max,
            const std::function<void(size_t)>& work) {
  if (count == 0) return;
  if (count == 1 || parallel_max <= 1) {
    for (size_t i = 0; i < count; ++i) work(i);
    return;
  }
  const auto crew = std::make_shared<Crew>(count, work);
  const size_t helpers = std::min(count, parallel_max) - 1;
  for (size_t i = 0; i < helpers; ++i) {
    if (!pool.Submit([crew] { crew->Work(); })) break;
  }
  crew->Work();
  crew->Wait();
}

}  // namespace orrery::gateway
