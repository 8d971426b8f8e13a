#include "storage/log/write_circuit_breaker.h"

#include <rocksdb/listener.h>

#include "storage/error_map.h"

namespace orrery::storage {
namespace {

// Returns whether RocksDB takes no writes after such an error. A transient error arrives here
// before it is graded.
bool StopsWrites(rocksdb::BackgroundErrorReason reason, const rocksdb::Status& error) {
  if (error.severity() == rocksdb::Status::Severity::kNoError)
    return reason != rocksdb::BackgroundErrorReason::kCompaction;
  return error.severity() >= rocksdb::Status::Severity::kHardError;
}

class ResumeGuard : public rocksdb::EventListener {
 public:
  explicit ResumeGuard(WriteCircuitBreaker& breaker) : breaker_(breaker) {}

  void OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status* error) override {
    if (!StopsWrites(reason, *error)) return;
    try {
      breaker_.NoteBackground(MapError(*error, "background work"));
    } catch (...) {
      // Called from inside RocksDB: the next write will tell as well.
    }
  }
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason /*reason*/, rocksdb::Status /*error*/,
                            bool* auto_recovery) override {
    *auto_recovery = false;
  }

 private:
  WriteCircuitBreaker& breaker_;
};

}  // namespace

void WriteCircuitBreaker::Open(const Error& why) {
  MutexLock lock(mutex_);
  if (why_.has_value()) return;
  why_ = Error(why.code(), why.message() + "; no writes are taken until the files were reopened");
  open_.store(true, std::memory_order_release);
}

void WriteCircuitBreaker::NoteBackground(const Error& why) {
  MutexLock lock(mutex_);
  background_ = why;
}

std::optional<Error> WriteCircuitBreaker::Failure() const {
  MutexLock lock(mutex_);
  return why_.has_value() ? why_ : background_;
}

std::shared_ptr<rocksdb::EventListener> MakeResumeGuard(WriteCircuitBreaker& breaker) {
  return std::make_shared<ResumeGuard>(breaker);
}

}  // namespace orrery::storage
