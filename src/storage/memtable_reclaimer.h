// Keeps the memtables of all engines together under one budget by flushing the largest.
//
// RocksDB's own WriteBufferManager makes each engine flush *itself* when the sum is too high: a
// busy engine then flushes again and again, while idle ones hold the memory, up to a standstill.
// Here a writer that finds the budget nearly used flushes whichever engines hold most.
// Internal to storage/.
//
// Thread-safe. Part of EngineResources, outlives every engine.
#pragma once

#include <vector>

#include "base/mutex.h"

namespace rocksdb {
class DB;
class WriteBufferManager;
}  // namespace rocksdb

namespace orrery::storage {

class MemtableReclaimer {
 public:
  // `budget` must outlive the reclaimer.
  explicit MemtableReclaimer(const rocksdb::WriteBufferManager& budget) : budget_(budget) {}

  void Add(rocksdb::DB& db) EXCLUDES(mutex_);
  // Waits until no flush is being started. Nothing touches `db` afterwards.
  void Remove(rocksdb::DB& db) EXCLUDES(mutex_);

  // Before each write; two loads when there is nothing to do. Starts flushes, waits for none.
  void Reclaim() EXCLUDES(mutex_);

 private:
  bool NearlyFull() const;

  const rocksdb::WriteBufferManager& budget_;

  Mutex mutex_;
  CondVar idle_;
  bool busy_ GUARDED_BY(mutex_) = false;  // one thread at a time looks and starts flushes
  std::vector<rocksdb::DB*> engines_ GUARDED_BY(mutex_);
};

}  // namespace orrery::storage
