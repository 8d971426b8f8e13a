// The RocksDB objects behind EngineResources. Internal to storage/.
#pragma once

#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/rate_limiter.h>
#include <rocksdb/sst_file_manager.h>
#include <rocksdb/write_buffer_manager.h>

#include <set>
#include <string>

#include "base/mutex.h"
#include "base/status.h"
#include "storage/fault/slow_engines.h"
#include "storage/io_error_tracker.h"
#include "storage/log/recycled_logs.h"
#include "storage/log/synced_notes.h"
#include "storage/memtable_reclaimer.h"
#include "storage/resources.h"

namespace orrery::storage {

struct EngineResources::Rep {
  explicit Rep(ResourceOptions options);

  // Makes the names in the directory that holds `path` durable: RocksDB syncs the directories of
  // its files, never the one above.
  Status SyncParent(const std::string& path) const;

  const ResourceOptions options;
  const std::shared_ptr<IoErrorTracker> tracker;  // of `file_system`, which may outlive all this
  const std::shared_ptr<rocksdb::FileSystem> file_system;
  RecycledLogs recycled_logs;                          // on `file_system`
  SyncedNotes synced_notes;                            // on that of `recycled_logs`
  const std::unique_ptr<rocksdb::Env> destroying_env;  // on `file_system`
  const std::unique_ptr<rocksdb::Env> env;             // the same with what engines must not do
  const std::shared_ptr<rocksdb::Cache> block_cache;
  const std::shared_ptr<rocksdb::WriteBufferManager> memtable_budget;
  const std::shared_ptr<rocksdb::RateLimiter> rate_limiter;  // null without a limit
  const std::shared_ptr<rocksdb::SstFileManager> table_files;
  const std::shared_ptr<const rocksdb::FilterPolicy> filter;
  MemtableReclaimer reclaimer;
  SlowEngines slow;
  bool accept_lost_writes = false;  // constant once an engine is opened
  Mutex holds_mutex;
  std::set<std::string> holds GUARDED_BY(holds_mutex);  // directory_hold.h
};

}  // namespace orrery::storage
