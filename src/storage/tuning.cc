#include "storage/tuning.h"

#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <algorithm>

#include "storage/compaction_priority.h"
#include "storage/log/write_circuit_breaker.h"
#include "storage/memtable/memtable_rep.h"
#include "storage/resources_rep.h"
#include "storage/rocks_log.h"
#include "storage/rules_rep.h"

namespace orrery::storage {
namespace {

constexpr size_t kBlockBytes = 8 << 10;
// Entries that a search in a block may have to walk through, each a cache miss when they are large.
constexpr int kEntriesPerRestart = 4;
constexpr uint64_t kTableFileBytes = 64 << 20;  // a checkpoint of 4 GB links 64 of them
constexpr uint64_t kBaseLevelBytes = 256 << 20;
constexpr uint64_t kSyncEveryBytes = 1 << 20;
constexpr size_t kCompactionReadBytes = 2 << 20;
constexpr int kMemtablesMax = 3;
constexpr double kMemtableFilterShare =
    0.00125;  // of the write buffer: 10 bits a key for records of 1 KB
constexpr int kTableCacheShardBits = 2;
constexpr size_t kManifestPreallocateBytes = 64 << 10;
constexpr uint64_t kManifestBytesMax = 16 << 20;
constexpr uint64_t kCompactAgainSeconds = uint64_t{24} * 60 * 60;

// A memtable grows by this much at a time: it is what an engine with one write costs.
size_t ArenaBlockBytes(size_t write_buffer_bytes) {
  return std::clamp<size_t>(write_buffer_bytes / 256, 16 << 10, 64 << 10);
}

rocksdb::BlockBasedTableOptions MakeTableOptions(const EngineResources::Rep& resources) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = resources.block_cache;
  table.filter_policy = resources.filter;
  table.whole_key_filtering = true;
  table.block_size = kBlockBytes;
  table.block_restart_interval = kEntriesPerRestart;
  table.format_version = 5;
  // Otherwise the memory of indexes and filters grows with the number of open files, unseen.
  table.cache_index_and_filter_blocks = true;
  table.cache_index_and_filter_blocks_with_high_priority = true;
  table.metadata_cache_options.unpartitioned_pinning =
      resources.options.pin_indexes ? rocksdb::PinningTier::kAll
                                    : rocksdb::PinningTier::kFlushedAndSimilar;
  return table;
}

void SetOpening(rocksdb::Options& db, const EngineResources::Rep& resources,
                const EngineOptions& options) {
  db.create_if_missing = options.create_if_missing;
  db.error_if_exists = options.error_if_exists;
  db.paranoid_checks = true;
  // Opening must not read or stat each of hundreds of table files.
  db.max_open_files = resources.options.open_files_max;
  db.skip_stats_update_on_db_open = true;
  db.skip_checking_sst_file_sizes_on_db_open = true;
  db.max_file_opening_threads = 1;
  // A torn tail is what a power cut leaves and is dropped. Damage before the tail was found by
  // log_check before RocksDB came here: this mode alone would drop acknowledged writes silently.
  db.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  // A closed log that lost its end or vanished is damage too, not a tail.
  db.track_and_verify_wals_in_manifest = !resources.accept_lost_writes;
}

void SetMemory(rocksdb::Options& db, const EngineResources::Rep& resources,
               const EngineOptions& options) {
  db.write_buffer_manager = resources.memtable_budget;
  db.write_buffer_size = options.write_buffer_bytes;
  db.arena_block_size = ArenaBlockBytes(options.write_buffer_bytes);
  db.max_write_buffer_number = kMemtablesMax;
  db.table_cache_numshardbits = kTableCacheShardBits;
  // Most writes first look for a record that is not there: without a filter that is a walk down the
  // memtable's list.
  db.memtable_whole_key_filtering = true;
  db.memtable_prefix_bloom_size_ratio = kMemtableFilterShare;
  // RocksDB's own skip list asserts its order at every step, in the build that Debian has. Ours
  // knows the bytewise order only: set no comparator.
  db.memtable_factory = MakeMemtableFactory();
  // One sequencer writes; parallel insertion would only cost.
  db.allow_concurrent_memtable_write = false;
  db.enable_write_thread_adaptive_yield = false;
}

void SetFiles(rocksdb::Options& db, const EngineResources::Rep& resources) {
  db.use_fsync = false;
  db.bytes_per_sync = kSyncEveryBytes;
  db.compaction_readahead_size = kCompactionReadBytes;
  // Space for a whole log would be reserved on the first write of each engine.
  db.allow_fallocate = false;
  db.manifest_preallocation_size = kManifestPreallocateBytes;
  db.max_manifest_file_size = kManifestBytesMax;
  db.sst_file_manager = resources.table_files;
  db.rate_limiter = resources.rate_limiter;
  db.stats_dump_period_sec = 0;
  db.stats_persist_period_sec = 0;
}

void SetLevels(rocksdb::Options& db, const EngineResources::Rep& resources) {
  db.max_background_jobs = resources.options.background_threads + 1;
  db.target_file_size_base = kTableFileBytes;
  db.max_bytes_for_level_base = kBaseLevelBytes;
  db.level_compaction_dynamic_level_bytes = true;
  // Level 0 is rewritten soon: compressing it would only slow the flush.
  db.compression = rocksdb::kLZ4Compression;
  db.compression_per_level.assign(db.num_levels, rocksdb::kLZ4Compression);
  db.compression_per_level[0] = rocksdb::kNoCompression;
}

}  // namespace

rocksdb::Options MakeOptions(const EngineResources::Rep& resources, const EngineOptions& options,
                             const rocksdb::CompactionFilter* filter,
                             WriteCircuitBreaker& breaker) {
  rocksdb::Options db;
  db.env = resources.env.get();
  db.info_log = MakeRocksLog(options.path);
  db.info_log_level = rocksdb::InfoLogLevel::WARN_LEVEL;
  db.listeners.push_back(MakeResumeGuard(breaker));
  db.listeners.push_back(MakeCompactionPriority());
  db.max_bgerror_resume_count = 0;
  SetOpening(db, resources, options);
  SetMemory(db, resources, options);
  SetFiles(db, resources);
  SetLevels(db, resources);
  db.table_factory.reset(rocksdb::NewBlockBasedTableFactory(MakeTableOptions(resources)));
  if (filter != nullptr) {
    db.compaction_filter = filter;
    // Expired entries must go even when nothing is written any more.
    db.periodic_compaction_seconds = kCompactAgainSeconds;
  }
  if (options.merge_rule != nullptr) {
    db.merge_operator = std::make_shared<MergeRuleOperator>(*options.merge_rule);
  }
  return db;
}

}  // namespace orrery::storage
