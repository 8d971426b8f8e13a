#include "storage/memtable_reclaimer.h"

#include <rocksdb/write_buffer_manager.h>

#include <algorithm>
#include <utility>

namespace orrery::storage {
namespace {

// Below the 7/8 at which RocksDB's own rule starts.
constexpr size_t kReclaimNumerator = 3;
constexpr size_t kReclaimDenominator = 4;

constexpr size_t kFlushesPerPassMax = 4;

}  // namespace

bool MemtableReclaimer::NearlyFull() const {
  return budget_.mutable_memtable_memory_usage() >
         budget_.buffer_size() / kReclaimDenominator * kReclaimNumerator;
}

void MemtableReclaimer::Add(MemtableHolder& engine) {
  const size_t idle_bytes = engine.IdleBytes();
  MutexLock lock(mutex_);
  engines_.push_back(&engine);
  idle_bytes_ += idle_bytes;
  FitBudgetLocked();
}

void MemtableReclaimer::Remove(MemtableHolder& engine) {
  const size_t idle_bytes = engine.IdleBytes();
  MutexLock lock(mutex_);
  while (busy_) idle_.Wait(mutex_);
  if (std::erase(engines_, &engine) == 0) return;
  idle_bytes_ -= idle_bytes;
  FitBudgetLocked();
}

void MemtableReclaimer::FitBudgetLocked() { budget_.SetBufferSize(bytes_max_ + idle_bytes_); }

void MemtableReclaimer::Reclaim() {
  if (!NearlyFull()) return;
  std::vector<MemtableHolder*> engines;
  {
    MutexLock lock(mutex_);
    if (busy_) return;
    busy_ = true;
    engines = engines_;
  }
  std::vector<std::pair<size_t, MemtableHolder*>> by_size;
  by_size.reserve(engines.size());
  for (MemtableHolder* engine : engines) by_size.emplace_back(engine->MemtableBytes(), engine);
  const size_t count = std::min(kFlushesPerPassMax, by_size.size());
  std::partial_sort(by_size.begin(), by_size.begin() + static_cast<ptrdiff_t>(count), by_size.end(),
                    std::greater<>());
  for (size_t i = 0; i < count && NearlyFull(); ++i) by_size[i].second->StartFlush();
  MutexLock lock(mutex_);
  busy_ = false;
  idle_.NotifyAll();
}

}  // namespace orrery::storage
