// EngineResources is what all engines of a process share, so that a thousand partitions cost little
// more than one: block cache, memtable budget, I/O rate, background threads and the file system
// underneath.
//
// Created once by the server, must outlive every engine. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/status.h"

namespace rocksdb {
class FileSystem;
}

namespace orrery::storage {

// Says whose a directory is, where several processes can reach it. Engines take theirs before they
// look into it and give it back when they are closed. Thread-safe.
class DirectoryOwner {
 public:
  virtual ~DirectoryOwner() = default;
  // From the return on nobody else changes the directory. kNotFound when there is none.
  virtual Status Take(const std::string& path) = 0;
  virtual void Release(const std::string& path) = 0;
};

struct ResourceOptions {
  size_t block_cache_bytes = 256 << 20;
  // Over all engines, beside the block cache. Close to it the largest memtables are flushed;
  // beyond it writers wait.
  size_t memtable_bytes_max = 256 << 20;
  uint64_t background_bytes_per_second = 0;  // compaction and flush; 0 = no limit
  int background_threads = 2;                // for compaction; flushes have their own
  int open_files_max = 512;                  // table files kept open, per engine
  // Keeps the index and filter of every open table in the cache, even beyond its size: about 1 % of
  // the data in open tables. Cached point reads are a fifth faster with it, or more.
  bool pin_indexes = true;
  // A log this long that is done with is kept to be written over (log/recycled_logs.h).
  uint64_t recycled_log_bytes_min = 1 << 20;
  // The file system of all files; null = the operating system's. Any rocksdb::FileSystem: RADOS,
  // fault injection.
  std::shared_ptr<rocksdb::FileSystem> file_system = nullptr;
  // None where only this process can reach the files.
  std::shared_ptr<DirectoryOwner> directory_owner = nullptr;
};

class EngineResources {
 public:
  explicit EngineResources(ResourceOptions options = {});
  ~EngineResources();
  EngineResources(const EngineResources&) = delete;
  EngineResources& operator=(const EngineResources&) = delete;

  size_t block_cache_used() const;
  size_t block_cache_capacity() const;
  size_t memtable_used() const;

  // For storage/ only: resources_rep.h.
  struct Rep;
  Rep& rep() { return *rep_; }

 private:
  std::unique_ptr<Rep> rep_;
};

}  // namespace orrery::storage
