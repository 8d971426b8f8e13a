// A FlushTurn is the right to flush an engine, which one thread has at a time: RocksDB is left half
// way by a flush that failed, and none may follow it. Internal to storage/.
//
// Thread-safe.
#pragma once

#include "base/mutex.h"

namespace orrery::storage {

class FlushTurn {
 public:
  // Waits until it is free.
  void Take() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (taken_) free_.Wait(mutex_);
    taken_ = true;
  }
  bool TryTake() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (taken_) return false;
    taken_ = true;
    return true;
  }
  // REQUIRES: taken by the caller.
  void GiveBack() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    taken_ = false;
    free_.NotifyOne();
  }

 private:
  Mutex mutex_;
  CondVar free_;
  bool taken_ GUARDED_BY(mutex_) = false;
};

}  // namespace orrery::storage
