#include "storage/memtable_reclaimer.h"

#include <rocksdb/db.h>
#include <rocksdb/write_buffer_manager.h>

#include <algorithm>
#include <utility>

namespace orrery::storage {
namespace {

// Below the 7/8 at which RocksDB's own rule starts.
constexpr size_t kReclaimNumerator = 3;
constexpr size_t kReclaimDenominator = 4;

constexpr size_t kFlushesPerPassMax = 4;

uint64_t MemtableBytes(rocksdb::DB& db) {
  uint64_t bytes = 0;
  db.GetIntProperty(rocksdb::DB::Properties::kCurSizeActiveMemTable, &bytes);
  return bytes;
}

}  // namespace

bool MemtableReclaimer::NearlyFull() const {
  return budget_.mutable_memtable_memory_usage() >
         budget_.buffer_size() / kReclaimDenominator * kReclaimNumerator;
}

void MemtableReclaimer::Add(rocksdb::DB& db) {
  MutexLock lock(mutex_);
  engines_.push_back(&db);
}

void MemtableReclaimer::Remove(rocksdb::DB& db) {
  MutexLock lock(mutex_);
  while (busy_) idle_.Wait(mutex_);
  std::erase(engines_, &db);
}

void MemtableReclaimer::Reclaim() {
  if (!NearlyFull()) return;
  std::vector<rocksdb::DB*> engines;
  {
    MutexLock lock(mutex_);
    if (busy_) return;
    busy_ = true;
    engines = engines_;
  }
  std::vector<std::pair<uint64_t, rocksdb::DB*>> by_size;
  by_size.reserve(engines.size());
  for (rocksdb::DB* db : engines) by_size.emplace_back(MemtableBytes(*db), db);
  const size_t count = std::min(kFlushesPerPassMax, by_size.size());
  std::partial_sort(by_size.begin(), by_size.begin() + static_cast<ptrdiff_t>(count), by_size.end(),
                    std::greater<>());
  rocksdb::FlushOptions flush;
  flush.wait = false;
  flush.allow_write_stall = true;
  for (size_t i = 0; i < count && NearlyFull(); ++i) {
    // A failed flush is that engine's own background error: its next write reports it.
    by_size[i].second->Flush(flush).PermitUncheckedError();
  }
  MutexLock lock(mutex_);
  busy_ = false;
  idle_.NotifyAll();
}

}  // namespace orrery::storage
