// Lets engines write their logs over files that are there already, instead of growing new ones.
// Internal to storage/.
//
// Syncing a file that has grown makes the file system write its own journal as well, and that waits
// for whatever else is in it: the tables of a flush beside it, for one. Syncing bytes that were
// written over waits for those bytes alone. So a log that is no longer needed is not deleted: it
// becomes the engine's recycled log, is filled with zeros in the background, and is the next log
// when it is ready by then. Zeros end a log for all who read one (log_check.h); a log that is
// closed is cut to what was written to it.
//
// An engine has one recycled log at most, in its directory under the name kRecycledLog. It holds
// nothing: any error with it means that logs grow as before. Where files cannot be written over,
// and where logs are not synced (unsynced_mark.h), there are none.
//
// Thread-safe. Part of EngineResources, outlives every engine.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/thread_pool.h"

namespace rocksdb {
class FileSystem;
}

namespace orrery::storage {

inline constexpr std::string_view kRecycledLog = "SPARE";

class RecycledLogs {
 public:
  // `bytes_min`: shorter logs are deleted, as they are replaced too seldom to matter.
  RecycledLogs(std::shared_ptr<rocksdb::FileSystem> files, uint64_t bytes_min);
  ~RecycledLogs();

  // The file system for engines. Must not outlive this object.
  std::shared_ptr<rocksdb::FileSystem> file_system() const { return file_system_; }

  // Removes what a crash left. Before an engine is opened.
  void Discard(const std::string& path) EXCLUDES(mutex_);
  // Waits for the recycled log to be filled no further, and removes it. After the engine was
  // closed.
  void Forget(const std::string& path) EXCLUDES(mutex_);

  // A Ban keeps a directory without a recycled log while it lives: logs that are deleted in it are
  // deleted. For a directory that is being emptied, which would not be empty otherwise. Must not
  // outlive the RecycledLogs.
  class Ban {
   public:
    Ban(RecycledLogs& recycled_logs, const std::string& path);
    ~Ban();
    Ban(const Ban&) = delete;
    Ban& operator=(const Ban&) = delete;

   private:
    RecycledLogs& recycled_;
    const std::string directory_;
  };

  // Returns when every recycled log is ready, or gone because of an error. For tests.
  void WaitUntilFilled() EXCLUDES(mutex_);

 private:
  class Files;

  enum class State { kFilling, kReady, kCancelled };

  // Returns whether the log at `path` is now the recycled log of its directory.
  bool Keep(const std::string& path) EXCLUDES(mutex_);
  // Takes the recycled log away to be the log at `path`: its size, or 0 when none is ready.
  uint64_t Take(const std::string& path) EXCLUDES(mutex_);

  // The log was not kept after all.
  void Unkeep(const std::string& directory) EXCLUDES(mutex_);
  void Fill(const std::string& directory, uint64_t bytes) EXCLUDES(mutex_);
  bool FillWithZeros(const std::string& directory, uint64_t bytes) EXCLUDES(mutex_);
  // Gives the disk to others for a while. False when the recycled log is no longer wanted.
  bool Rest(const std::string& directory, std::chrono::nanoseconds time) EXCLUDES(mutex_);
  void Remove(const std::string& directory) const;

  struct RecycledLog {
    State state = State::kFilling;
    uint64_t bytes = 0;
  };

  const std::shared_ptr<rocksdb::FileSystem> files_;
  const std::shared_ptr<rocksdb::FileSystem> file_system_;
  const uint64_t bytes_min_;
  Mutex mutex_;
  CondVar changed_;
  std::map<std::string, RecycledLog> recycled_ GUARDED_BY(mutex_);  // by directory
  std::multiset<std::string> banned_ GUARDED_BY(mutex_);  // directories, once for each Ban
  ThreadPool filler_;                                     // last: its thread uses the others
};

}  // namespace orrery::storage
