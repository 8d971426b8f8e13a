#include "storage/fault/fault_core_rep.h"

namespace orrery::storage {
namespace {

size_t Index(FileCall kind) { return static_cast<size_t>(kind); }

rocksdb::IOStatus ToStatus(Fault fault, const std::string& path) {
  switch (fault) {
    case Fault::kNoSpace:
      return rocksdb::IOStatus::NoSpace("injected: No space left on device", path);
    case Fault::kDenied:
      return rocksdb::IOStatus::IOError("injected: Permission denied", path);
    case Fault::kIoError:
      break;
  }
  return rocksdb::IOStatus::IOError("injected: Input/output error", path);
}

}  // namespace

using Core = FaultFileSystem::Core;

rocksdb::IOStatus Core::Admit(FileCall kind, const std::string& path) {
  if (!crashed_ && calls_ == crash_at_) CutPower();
  if (crashed_) return rocksdb::IOStatus::IOError("the power is off", path);
  ++calls_;
  ++calls_by_kind_[Index(kind)];
  PlannedFault& planned = faults_[Index(kind)];
  if (planned.times == 0) return rocksdb::IOStatus::OK();
  if (planned.skip > 0) {
    --planned.skip;
    return rocksdb::IOStatus::OK();
  }
  if (planned.times != kForever) --planned.times;
  return ToStatus(planned.fault, path);
}

void Core::CutPower() {
  crashed_ = true;
  cut_.Cut();
}

Core::Hook Core::HookOf(FileCall kind) const {
  MutexLock lock(mutex_);
  return hooks_[Index(kind)];
}

uint64_t Core::calls() const {
  MutexLock lock(mutex_);
  return calls_;
}

uint64_t Core::calls(FileCall kind) const {
  MutexLock lock(mutex_);
  return calls_by_kind_[Index(kind)];
}

bool Core::crashed() const {
  MutexLock lock(mutex_);
  return crashed_;
}

void Core::CrashAfter(uint64_t calls) {
  MutexLock lock(mutex_);
  crash_at_ = calls_ + calls;
}

void Core::Crash() {
  MutexLock lock(mutex_);
  if (!crashed_) CutPower();
}

void Core::Restart() {
  MutexLock lock(mutex_);
  crashed_ = false;
  crash_at_ = UINT64_MAX;
  faults_ = {};
}

void Core::Fail(FileCall kind, PlannedFault fault) {
  MutexLock lock(mutex_);
  faults_[Index(kind)] = fault;
}

void Core::ClearFaults() {
  MutexLock lock(mutex_);
  faults_ = {};
}

void Core::Before(FileCall kind, Hook hook) {
  MutexLock lock(mutex_);
  hooks_[Index(kind)] = std::move(hook);
}

void Core::SetFreeBytes(std::optional<uint64_t> bytes) {
  MutexLock lock(mutex_);
  free_bytes_ = bytes;
}

std::optional<uint64_t> Core::free_bytes() const {
  MutexLock lock(mutex_);
  return free_bytes_;
}

}  // namespace orrery::storage
