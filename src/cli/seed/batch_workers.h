// BatchWorkers send batches over several connections at once: one thread each, and a short queue in
// front of them, so that whoever makes batches waits while all are busy.
//
// Add and Finish from one thread.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"

namespace orrery::cli {

template <typename Batch>
class BatchWorkers {
 public:
  using Work = std::function<void(Batch)>;

  // Each thread has a `Work` of its own, made by `make` on that thread.
  BatchWorkers(size_t threads, const std::function<Work()>& make) {
    for (size_t i = 0; i < threads; ++i) {
      threads_.emplace_back([this, make] {
        const Work work = make();
        while (auto batch = Take()) work(std::move(*batch));
      });
    }
  }
  ~BatchWorkers() { Finish(); }
  BatchWorkers(const BatchWorkers&) = delete;
  BatchWorkers& operator=(const BatchWorkers&) = delete;

  void Add(Batch batch) EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    while (queue_.size() >= 2 * threads_.size()) changed_.Wait(mutex_);
    queue_.push_back(std::move(batch));
    changed_.NotifyAll();
  }

  // Returns when everything is done.
  void Finish() EXCLUDES(mutex_) {
    {
      const MutexLock lock(mutex_);
      ended_ = true;
      changed_.NotifyAll();
    }
    threads_.clear();
  }

 private:
  std::optional<Batch> Take() EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    while (queue_.empty() && !ended_) changed_.Wait(mutex_);
    if (queue_.empty()) return std::nullopt;
    std::optional<Batch> batch(std::move(queue_.front()));
    queue_.pop_front();
    changed_.NotifyAll();
    return batch;
  }

  Mutex mutex_;
  CondVar changed_;
  std::deque<Batch> queue_ GUARDED_BY(mutex_);
  bool ended_ GUARDED_BY(mutex_) = false;
  std::vector<std::jthread> threads_;  // last: they end first
};

}  // namespace orrery::cli
