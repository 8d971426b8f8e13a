#include "storage/log/write_fuse.h"

#include <rocksdb/listener.h>

#include "storage/error_map.h"

namespace orrery::storage {
namespace {

// Whether RocksDB takes no writes after such an error. One that may pass comes before it is graded.
bool StopsWrites(rocksdb::BackgroundErrorReason reason, const rocksdb::Status& error) {
  if (error.severity() == rocksdb::Status::Severity::kNoError)
    return reason != rocksdb::BackgroundErrorReason::kCompaction;
  return error.severity() >= rocksdb::Status::Severity::kHardError;
}

class ResumeGuard : public rocksdb::EventListener {
 public:
  explicit ResumeGuard(WriteFuse& fuse) : fuse_(fuse) {}

  void OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status* error) override {
    if (!StopsWrites(reason, *error)) return;
    try {
      fuse_.NoteBackground(MapError(*error, "background work"));
    } catch (...) {
      // Called from inside RocksDB: the next write will tell as well.
    }
  }
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason /*reason*/, rocksdb::Status /*error*/,
                            bool* auto_recovery) override {
    *auto_recovery = false;
  }

 private:
  WriteFuse& fuse_;
};

}  // namespace

void WriteFuse::Blow(const Error& why) {
  MutexLock lock(mutex_);
  if (why_.has_value()) return;
  why_ = Error(why.code(), why.message() + "; no writes are taken until the files were reopened");
  blown_.store(true, std::memory_order_release);
}

void WriteFuse::NoteBackground(const Error& why) {
  MutexLock lock(mutex_);
  background_ = why;
}

std::optional<Error> WriteFuse::Failure() const {
  MutexLock lock(mutex_);
  return why_.has_value() ? why_ : background_;
}

std::shared_ptr<rocksdb::EventListener> MakeResumeGuard(WriteFuse& fuse) {
  return std::make_shared<ResumeGuard>(fuse);
}

}  // namespace orrery::storage
