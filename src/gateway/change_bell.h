// A ChangeBell wakes those who wait for changes of containers: readers of the change feed that have
// read all there is.
//
// A listener names the containers that it waits for, and is called once. Ringing costs one load of
// an atomic while nobody listens, so that writers may do it for every change. Changes that other
// nodes make are not heard: who reads those looks again after a while.
//
// Thread-safe. Listeners are called without a lock held, on the thread that rings: they hand work
// on and do not block.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "base/mutex.h"

namespace orrery::gateway {

class ChangeBell {
 public:
  using Wake = std::function<void()>;

  // Calls `wake` when one of the containers is changed from now on, or the catalog is; once at
  // most. Returns a number for Forget.
  uint64_t Listen(const std::vector<ContainerId>& containers, Wake wake) EXCLUDES(mutex_);
  // After this returns, the listener is not called unless that has begun already.
  void Forget(uint64_t listener) EXCLUDES(mutex_);

  void Ring(ContainerId container) {
    if (listening_.load() > 0) RingNow(container);
  }
  // For all listeners: the catalog was changed.
  void RingAll() EXCLUDES(mutex_);

  size_t listening() const { return listening_.load(std::memory_order_relaxed); }

 private:
  struct Listener {
    std::vector<ContainerId> containers;
    Wake wake;
  };

  void RingNow(ContainerId container) EXCLUDES(mutex_);
  void Remove(uint64_t number) REQUIRES(mutex_);

  std::atomic<size_t> listening_{0};
  Mutex mutex_;
  uint64_t last_ GUARDED_BY(mutex_) = 0;
  std::unordered_map<uint64_t, Listener> listeners_ GUARDED_BY(mutex_);
  std::unordered_map<ContainerId, std::vector<uint64_t>> by_container_ GUARDED_BY(mutex_);
};

}  // namespace orrery::gateway
