// The state that decides about each call of a FaultFileSystem. Internal to storage/.
#pragma once

#include <rocksdb/io_status.h>

#include <array>

#include "base/mutex.h"
#include "storage/fault/fault_file_system.h"

namespace orrery::storage {

struct PlannedFault {
  Fault fault = Fault::kIoError;
  uint64_t skip = 0;
  uint64_t times = 0;
};

struct FaultFileSystem::Core {
 public:
  using Hook = std::function<void(const std::string&)>;

  Core(std::string scratch, PowerCutOptions options) : cut_(std::move(scratch), options) {}

  // Carries out `call`, unless it is to fail or the power is off.
  template <typename Call>
  rocksdb::IOStatus Run(FileCall kind, const std::string& path, Call&& call) EXCLUDES(mutex_) {
    try {
      if (const Hook hook = HookOf(kind)) hook(path);
      MutexLock lock(mutex_);
      rocksdb::IOStatus verdict = Admit(kind, path);
      return verdict.ok() ? call(cut_) : verdict;
    } catch (const std::exception& exception) {
      return rocksdb::IOStatus::IOError("exception in a fault-injecting file system",
                                        exception.what());
    }
  }

  uint64_t calls() const EXCLUDES(mutex_);
  uint64_t calls(FileCall kind) const EXCLUDES(mutex_);
  bool crashed() const EXCLUDES(mutex_);
  void CrashAfter(uint64_t calls) EXCLUDES(mutex_);
  void Crash() EXCLUDES(mutex_);
  void Restart() EXCLUDES(mutex_);
  void Fail(FileCall kind, PlannedFault fault) EXCLUDES(mutex_);
  void ClearFaults() EXCLUDES(mutex_);
  void Before(FileCall kind, Hook hook) EXCLUDES(mutex_);
  void SetFreeBytes(std::optional<uint64_t> bytes) EXCLUDES(mutex_);
  std::optional<uint64_t> free_bytes() const EXCLUDES(mutex_);

 private:
  Hook HookOf(FileCall kind) const EXCLUDES(mutex_);
  // Counts the call; says why it fails, or OK.
  rocksdb::IOStatus Admit(FileCall kind, const std::string& path) REQUIRES(mutex_);
  void CutPower() REQUIRES(mutex_);

  mutable Mutex mutex_;
  PowerCut cut_ GUARDED_BY(mutex_);
  bool crashed_ GUARDED_BY(mutex_) = false;
  uint64_t calls_ GUARDED_BY(mutex_) = 0;
  uint64_t crash_at_ GUARDED_BY(mutex_) = UINT64_MAX;
  std::array<uint64_t, kFileCallKinds> calls_by_kind_ GUARDED_BY(mutex_) = {};
  std::array<PlannedFault, kFileCallKinds> faults_ GUARDED_BY(mutex_);
  std::array<Hook, kFileCallKinds> hooks_ GUARDED_BY(mutex_);
  std::optional<uint64_t> free_bytes_ GUARDED_BY(mutex_);
};

}  // namespace orrery::storage
