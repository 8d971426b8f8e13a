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

// Its filter, and the blocks that its arena begins with.
size_t IdleBytes(rocksdb::DB& db) {
  const rocksdb::Options options = db.GetOptions();
  const auto filter = static_cast<size_t>(options.memtable_prefix_bloom_size_ratio *
                                          static_cast<double>(options.write_buffer_size));
  return filter + 2 * options.arena_block_size;
}

}  // namespace

bool MemtableReclaimer::NearlyFull() const {
  return budget_.mutable_memtable_memory_usage() >
         budget_.buffer_size() / kReclaimDenominator * kReclaimNumerator;
}

void MemtableReclaimer::Add(rocksdb::DB& db) {
  const size_t idle_bytes = IdleBytes(db);
  MutexLock lock(mutex_);
  engines_.push_back(&db);
  idle_bytes_ += idle_bytes;
  FitBudgetLocked();
}

void MemtableReclaimer::Remove(rocksdb::DB& db) {
  MutexLock lock(mutex_);
  while (busy_) idle_.Wait(mutex_);
  if (std::erase(engines_, &db) == 0) return;
  idle_bytes_ -= IdleBytes(db);
  FitBudgetLocked();
}

void MemtableReclaimer::FitBudgetLocked() { budget_.SetBufferSize(bytes_max_ + idle_bytes_); }

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
