// Lets engines write their logs over files that are there already, instead of growing new ones.
// Internal to storage/.
//
// Syncing a file that has grown makes the file system write its own journal as well, and that waits
// for whatever else is in it: the tables of a flush beside it, for one. Syncing bytes that were
// written over waits for those bytes alone. So a log that is no longer needed is not deleted: it
// becomes the engine's spare, is filled with zeros in the background, and is the next log when it
// is ready by then. Zeros end a log for all who read one (log_check.h); a log that is closed is cut
// to what was written to it.
//
// An engine has one spare at most, in its directory under the name kSpareLog. It holds nothing: any
// error with it means that logs grow as before. Where files cannot be written over, and where logs
// are not synced (unsynced_mark.h), there are none.
//
// Thread-safe. Part of EngineResources, outlives every engine.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/thread_pool.h"

namespace rocksdb {
class FileSystem;
}

namespace orrery::storage {

inline constexpr std::string_view kSpareLog = "SPARE";

class SpareLogs {
 public:
  // `bytes_min`: shorter logs are deleted, as they are replaced too seldom to matter.
  SpareLogs(std::shared_ptr<rocksdb::FileSystem> files, uint64_t bytes_min);
  ~SpareLogs();

  // What engines use. Must not outlive this object.
  std::shared_ptr<rocksdb::FileSystem> file_system() const { return file_system_; }

  // Removes what a crash left. Before an engine is opened.
  void Discard(const std::string& path) EXCLUDES(mutex_);
  // Waits for the spare to be filled no further, and removes it. After the engine was closed.
  void Forget(const std::string& path) EXCLUDES(mutex_);
  // Returns when every spare is ready, or gone because of an error. For tests.
  void WaitUntilFilled() EXCLUDES(mutex_);

 private:
  class Files;

  enum class State { kFilling, kReady, kCancelled };

  // Whether the log at `path` is now the spare of its directory.
  bool Keep(const std::string& path) EXCLUDES(mutex_);
  // Takes the spare away to be the log at `path`: its size, or 0 when none is ready.
  uint64_t Take(const std::string& path) EXCLUDES(mutex_);

  void Fill(const std::string& directory, uint64_t bytes) EXCLUDES(mutex_);
  bool FillWithZeros(const std::string& directory, uint64_t bytes) EXCLUDES(mutex_);
  // Gives the disk to others for a while. False when the spare is no longer wanted.
  bool Rest(const std::string& directory, std::chrono::nanoseconds time) EXCLUDES(mutex_);
  void Remove(const std::string& directory) const;

  struct Spare {
    State state = State::kFilling;
    uint64_t bytes = 0;
  };

  const std::shared_ptr<rocksdb::FileSystem> files_;
  const std::shared_ptr<rocksdb::FileSystem> file_system_;
  const uint64_t bytes_min_;
  Mutex mutex_;
  CondVar changed_;
  std::map<std::string, Spare> spares_ GUARDED_BY(mutex_);  // by directory
  ThreadPool filler_;                                       // last: its thread uses the others
};

}  // namespace orrery::storage
