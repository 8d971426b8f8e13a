// A WriteCircuitBreaker opens when a write to an engine's log has failed, and stays so until the
// engine is opened anew.
//
// After a failed log write RocksDB's file writer must not be used again: any later flush or write
// runs into an assertion that Debian's build keeps on. And the bytes of the failed write may or may
// not be on the disk, so that nothing may be acknowledged after it. Reading goes on. Internal to
// storage/.
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

class WriteCircuitBreaker {
 public:
  // Returns OK while closed, else the error that opened it. One load in the usual case.
  Status Check() const EXCLUDES(mutex_) {
    if (!open_.load(std::memory_order_acquire)) return {};
    MutexLock lock(mutex_);
    return Fail(*why_);
  }

  void Open(const Error& why) EXCLUDES(mutex_);

  // RocksDB refuses writes because background work failed.
  void NoteBackground(const Error& why) EXCLUDES(mutex_);
  // Why no writes are taken, by the breaker or by RocksDB; nothing while they are.
  std::optional<Error> Failure() const EXCLUDES(mutex_);

 private:
  std::atomic<bool> open_{false};
  mutable Mutex mutex_;
  std::optional<Error> why_ GUARDED_BY(mutex_);
  std::optional<Error> background_ GUARDED_BY(mutex_);
};

// Tells `breaker`, which must outlive the engine, of failed background work, and keeps RocksDB from
// resuming by itself when there is room again: that asserts that no edit of the manifest has failed
// meanwhile, which is not so. An engine is opened anew instead.
std::shared_ptr<rocksdb::EventListener> MakeResumeGuard(WriteCircuitBreaker& breaker);

}  // namespace orrery::storage
