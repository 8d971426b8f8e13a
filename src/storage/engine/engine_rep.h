// The representation of an Engine. Internal to storage/.
#pragma once

#include <rocksdb/db.h>

#include <atomic>
#include <memory>

#include "base/mutex.h"
#include "storage/engine/directory_hold.h"
#include "storage/engine/engine.h"
#include "storage/engine/flush_turn.h"
#include "storage/engine/write_tokens.h"
#include "storage/io_error_tracker.h"
#include "storage/log/write_circuit_breaker.h"
#include "storage/memtable_reclaimer.h"
#include "storage/resources_rep.h"
#include "storage/rules_rep.h"

namespace orrery::storage {

struct Engine::Rep final : MemtableHolder {
  Rep(EngineResources::Rep& shared, EngineOptions given, DirectoryHold held)
      : hold(std::move(held)), resources(shared), options(std::move(given)) {
    cached_read.read_tier = rocksdb::kBlockCacheTier;
    durable_write.sync = true;
    unlogged_write.disableWAL = true;
    if (options.keep_rule != nullptr) filter = std::make_unique<KeepRuleFilter>(*options.keep_rule);
  }

  ~Rep() {
    db.reset();
    resources.synced_notes.Forget(options.path);
    resources.recycled_logs.Forget(options.path);
  }

  const DirectoryHold hold;  // first, to go last

  // Constant once the engine is open.
  EngineResources::Rep& resources;  // must outlive the engine
  const EngineOptions options;
  // Made once: a ReadOptions is large enough to be seen in the cost of a cached read.
  rocksdb::ReadOptions cached_read;
  const rocksdb::ReadOptions blocking_read;
  rocksdb::WriteOptions durable_write;
  const rocksdb::WriteOptions os_write;
  rocksdb::WriteOptions unlogged_write;
  std::unique_ptr<KeepRuleFilter> filter;  // null without a KeepRule; used by `db`
  WriteCircuitBreaker breaker;
  WriteTokens tokens;
  std::unique_ptr<rocksdb::DB> db;

  // Set once the mark of unsynced_mark.h is set since the engine was opened; never reset.
  std::atomic<bool> marked{false};
  Mutex mark_mutex;  // one thread at a time sets it

  FlushTurn flush_turn;

  // Before a call into RocksDB; judges its error afterwards.
  Attempt Begin() const { return {*resources.tracker, options.path}; }
  // Waits as long as a slow engine's reads must. Returns true if the read may not wait, and would
  // have to.
  bool IsHeldUp(ReadMode mode) const {
    return resources.slow.any() && !resources.slow.HoldUp(options.path, mode);
  }
  Status Apply(Batch& batch, const rocksdb::WriteOptions& how);
  Status MarkUnsynced() EXCLUDES(mark_mutex);

  // Trips the breaker when it fails. REQUIRES: the turn to flush, which it gives back.
  Status FlushInTurn(bool wait);

  size_t MemtableBytes() override;
  size_t IdleBytes() const override;
  void StartFlush() override;
};

}  // namespace orrery::storage
