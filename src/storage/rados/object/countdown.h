// A Countdown lets one thread wait for a number of answers. It may be destroyed as soon as Wait has
// returned, though the thread of the last answer is still on its way out of Arrive: so it can stand
// on the stack of whoever waits.
//
// Thread-safe.
#pragma once

#include <cstddef>

#include "base/mutex.h"

namespace orrery::storage::rados {

class Countdown {
 public:
  explicit Countdown(size_t answers) : missing_(answers) {}

  void Arrive() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    // With the lock held: whoever waits cannot go on, and destroy this, before it is given back.
    if (--missing_ == 0) all_.NotifyAll();
  }
  void Wait() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (missing_ > 0) all_.Wait(mutex_);
  }

 private:
  Mutex mutex_;
  CondVar all_;
  size_t missing_ GUARDED_BY(mutex_);
};

}  // namespace orrery::storage::rados
