// An IoErrorTracker remembers which directories' files met an I/O error, and when.
//
// RocksDB does not always pass an I/O error on as one: a block that could not be read may come back
// as corruption, a failed look at a file as a wrong argument. Callers act on the difference (retry,
// or stop and restore), so the error of a call during which the disk failed is judged anew: see
// Attempt. Internal to storage/.
//
// Thread-safe. Without errors it costs one load per call.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "base/status.h"

namespace rocksdb {
class FileSystem;
class IOStatus;
}  // namespace rocksdb

namespace orrery::storage {

class IoErrorTracker {
 public:
  // Rises with each error.
  uint64_t serial() const { return serial_.load(std::memory_order_acquire); }
  // A call about `path` ended so. A file that is missing, or a call that a file system lacks, is no
  // error of the disk.
  void Note(const std::string& path, const rocksdb::IOStatus& status) EXCLUDES(mutex_);
  // The newest error after `serial` of a directory or a file in it.
  std::optional<Error> Since(uint64_t serial, const std::string& directory) const EXCLUDES(mutex_);

 private:
  struct Seen {
    uint64_t serial;
    Error error;
  };
  void NoteLocked(const std::string& directory, uint64_t serial, const Error& error)
      REQUIRES(mutex_);

  std::atomic<uint64_t> serial_{0};
  mutable Mutex mutex_;
  std::map<std::string, Seen> seen_ GUARDED_BY(mutex_);
};

// `target`, with every error told to `tracker`.
std::shared_ptr<rocksdb::FileSystem> WithErrorsTracked(std::shared_ptr<rocksdb::FileSystem> target,
                                                       std::shared_ptr<IoErrorTracker> tracker);

// One call into RocksDB about an engine, from before it begins.
class Attempt {
 public:
  // Both must outlive the attempt.
  Attempt(const IoErrorTracker& tracker, const std::string& directory)
      : tracker_(tracker), directory_(directory), since_(tracker.serial()) {}

  // The error as it was mapped, or, when it claims something worse and the disk failed meanwhile,
  // the disk's.
  Error Judge(Error error) const;
  template <typename T>
  Result<T> Judge(Result<T> result) const {
    if (result.has_value()) return result;
    return Fail(Judge(std::move(result).error()));
  }

 private:
  const IoErrorTracker& tracker_;
  const std::string& directory_;
  const uint64_t since_;
};

}  // namespace orrery::storage
