// A WriteFuse blows when a write to an engine's log has failed, and stays so until it is reopened.
//
// After a failed log write RocksDB's file writer must not be used again: its own attempts to
// resume, and any later flush or write, run into an assertion that Debian's build keeps on. And the
// bytes of the failed write may or may not be on the disk, so that nothing may be acknowledged
// after it. Reading goes on. Internal to storage/.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "base/mutex.h"
#include "base/status.h"

namespace rocksdb {
class EventListener;
}

namespace orrery::storage {

class WriteFuse {
 public:
  // OK while whole; else the error that blew it. One load in the usual case.
  Status Check() const EXCLUDES(mutex_) {
    if (!blown_.load(std::memory_order_acquire)) return {};
    MutexLock lock(mutex_);
    return Fail(*why_);
  }

  void Blow(const Error& why) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (why_.has_value()) return;
    why_ = Error(why.code(),
                 why.message() + "; this partition takes no writes until the server is restarted");
    blown_.store(true, std::memory_order_release);
  }

 private:
  std::atomic<bool> blown_{false};
  mutable Mutex mutex_;
  std::optional<Error> why_ GUARDED_BY(mutex_);
};

// Keeps RocksDB from resuming by itself after a failed log write; other errors (a full disk under a
// flush) it may mend as it does.
std::shared_ptr<rocksdb::EventListener> MakeResumeGuard();

}  // namespace orrery::storage
