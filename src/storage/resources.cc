#include "storage/resources.h"

#include <filesystem>

#include "storage/error_map.h"
#include "storage/log/archive_guard.h"
#include "storage/log/manifest_guard.h"
#include "storage/lost_writes.h"
#include "storage/resources_rep.h"

namespace orrery::storage {
namespace {

constexpr double kFilterBitsPerKey = 10;

// Index and filter blocks may take this part of the cache before data blocks push them out.
constexpr double kMetadataShareOfCache = 0.5;

// Flushes are short and free memory: they never wait behind a compaction, nor all behind the one
// whose flush just failed, after which RocksDB sleeps.
constexpr int kFlushThreads = 2;

std::shared_ptr<rocksdb::RateLimiter> MakeRateLimiter(uint64_t bytes_per_second) {
  if (bytes_per_second == 0) return nullptr;
  return std::shared_ptr<rocksdb::RateLimiter>(
      rocksdb::NewGenericRateLimiter(static_cast<int64_t>(bytes_per_second)));
}

}  // namespace

EngineResources::Rep::Rep(ResourceOptions given)
    : options(std::move(given)),
      tracker(std::make_shared<IoErrorTracker>()),
      file_system(WithoutArchives(WithErrorsTracked(
          options.file_system ? options.file_system : rocksdb::FileSystem::Default(), tracker))),
      recycled_logs(WithManifestsKept(file_system), options.recycled_log_bytes_min),
      synced_notes(recycled_logs.file_system()),
      destroying_env(rocksdb::NewCompositeEnv(file_system)),
      env(rocksdb::NewCompositeEnv(options.file_system ? recycled_logs.file_system()
                                                       : synced_notes.file_system())),
      block_cache(rocksdb::NewLRUCache(options.block_cache_bytes, /*num_shard_bits=*/-1,
                                       /*strict_capacity_limit=*/false, kMetadataShareOfCache)),
      memtable_budget(std::make_shared<rocksdb::WriteBufferManager>(
          options.memtable_bytes_max, /*cache=*/nullptr, /*allow_stall=*/true)),
      rate_limiter(MakeRateLimiter(options.background_bytes_per_second)),
      table_files(rocksdb::NewSstFileManager(env.get(), recycled_logs.file_system())),
      filter(rocksdb::NewBloomFilterPolicy(kFilterBitsPerKey)),
      reclaimer(*memtable_budget, options.memtable_bytes_max) {
  env->SetBackgroundThreads(options.background_threads, rocksdb::Env::Priority::LOW);
  env->SetBackgroundThreads(kFlushThreads, rocksdb::Env::Priority::HIGH);
}

Status EngineResources::Rep::SyncParent(const std::string& path) const {
  std::filesystem::path parent = std::filesystem::path(path).lexically_normal();
  if (!parent.has_filename()) parent = parent.parent_path();  // "a/b/" names b too
  parent = parent.parent_path();
  if (parent.empty()) parent = ".";
  std::unique_ptr<rocksdb::FSDirectory> directory;
  rocksdb::IOStatus status =
      file_system->NewDirectory(parent.string(), rocksdb::IOOptions(), &directory, nullptr);
  if (status.ok()) status = directory->Fsync(rocksdb::IOOptions(), nullptr);
  return MapStatus(status, "syncing the directory above", path);
}

void AcceptLostWrites(EngineResources& resources) { resources.rep().accept_lost_writes = true; }

EngineResources::EngineResources(ResourceOptions options)
    : rep_(std::make_unique<Rep>(std::move(options))) {}
EngineResources::~EngineResources() = default;

size_t EngineResources::block_cache_capacity() const { return rep_->block_cache->GetCapacity(); }

size_t EngineResources::block_cache_used() const { return rep_->block_cache->GetUsage(); }
size_t EngineResources::memtable_used() const { return rep_->memtable_budget->memory_usage(); }

}  // namespace orrery::storage
