// Keeps the memtables of all engines together under one budget by flushing the largest.
//
// RocksDB's own WriteBufferManager makes each engine flush *itself* when the sum is too high: a
// busy engine then flushes again and again, while idle ones hold the memory, up to a standstill.
// Here a writer that finds the budget nearly used flushes whichever engines hold most. What an
// empty memtable takes anyway comes on top of the budget: no flush could give it back, and a
// thousand idle engines would use it up.
// Internal to storage/.
//
// Thread-safe. Part of EngineResources, outlives every engine.
#pragma once

#include <cstddef>
#include <vector>

#include "base/mutex.h"

namespace rocksdb {
class WriteBufferManager;
}  // namespace rocksdb

namespace orrery::storage {

// The reclaimer's view of an engine. Thread-safe.
class MemtableHolder {
 public:
  // Of the memtable that is being written to.
  virtual size_t MemtableBytes() = 0;
  // Of the same, were it empty. Always the same.
  virtual size_t IdleBytes() const = 0;
  // Begins to flush it, unless that is going on or the engine takes no writes. Waits for nothing; a
  // failure is the engine's own, its next write tells.
  virtual void StartFlush() = 0;

 protected:
  ~MemtableHolder() = default;
};

class MemtableReclaimer {
 public:
  // Sets the size of `budget`, which must outlive the reclaimer: `bytes_max` beyond idle memtables.
  MemtableReclaimer(rocksdb::WriteBufferManager& budget, size_t bytes_max)
      : bytes_max_(bytes_max), budget_(budget) {}

  void Add(MemtableHolder& engine) EXCLUDES(mutex_);
  // Waits until no flush is being started. Nothing touches `engine` afterwards. Harmless when
  // repeated.
  void Remove(MemtableHolder& engine) EXCLUDES(mutex_);

  // Before each write; two loads when there is nothing to do. Starts flushes, waits for none.
  void Reclaim() EXCLUDES(mutex_);

 private:
  bool NearlyFull() const;
  void FitBudgetLocked() REQUIRES(mutex_);

  const size_t bytes_max_;
  rocksdb::WriteBufferManager& budget_;

  Mutex mutex_;
  CondVar idle_;
  bool busy_ GUARDED_BY(mutex_) = false;  // one thread at a time looks and starts flushes
  std::vector<MemtableHolder*> engines_ GUARDED_BY(mutex_);
  size_t idle_bytes_ GUARDED_BY(mutex_) = 0;  // of all engines, were their memtables empty
};

}  // namespace orrery::storage
