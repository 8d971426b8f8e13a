// Notes how much of each engine's newest write-ahead log was synced, so that the next start notices
// a log that was cut: a power cut takes what was not synced, and nothing else. Internal to
// storage/.
//
// The note is a part of the file that names the newest log (log_mark.h). It follows the syncs by
// kNotePause and is not synced itself: what is acknowledged never waits for it, and an older one
// notices less. It speaks of a log from that one's second sync on, when the log's name is durable,
// too.
//
// Thread-safe. Part of EngineResources, outlives every engine.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "base/mutex.h"

namespace rocksdb {
class FileSystem;
}

namespace orrery::storage {

class SyncedNotes {
 public:
  static constexpr std::chrono::milliseconds kNotePause{50};

  explicit SyncedNotes(const std::shared_ptr<rocksdb::FileSystem>& files);
  ~SyncedNotes();

  // The file system for engines. Must not outlive this object.
  std::shared_ptr<rocksdb::FileSystem> file_system() const { return file_system_; }

  // From now on the logs in `directory`, which has a mark, are noted; until Forget, which notes
  // them once more.
  void Watch(const std::string& directory) EXCLUDES(mutex_);
  void Forget(const std::string& directory) EXCLUDES(mutex_);

 private:
  class Files;
  class Log;
  // The newest log of a directory that was synced twice, and how far.
  struct Progress {
    std::atomic<uint64_t> word{0};  // of the note; 0: nothing is to be noted
    // Guarded by mutex_.
    uint64_t noted = 0;
    bool is_watched = false;
  };

  std::shared_ptr<Progress> ProgressOf(const std::string& directory) EXCLUDES(mutex_);
  void Synced(Progress& progress, uint64_t number, uint64_t bytes) EXCLUDES(wake_mutex_);
  void Run() EXCLUDES(mutex_, wake_mutex_);

  const std::shared_ptr<rocksdb::FileSystem> file_system_;

  Mutex mutex_;  // held while notes are written
  // By directory, from the first log on: those are made before their engine is watched.
  std::map<std::string, std::shared_ptr<Progress>> progress_ GUARDED_BY(mutex_);

  std::atomic<bool> is_due_{false};
  Mutex wake_mutex_;
  CondVar changed_;
  bool stopping_ GUARDED_BY(wake_mutex_) = false;
  std::jthread noter_;  // last: it uses the others
};

}  // namespace orrery::storage
