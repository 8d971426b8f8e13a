// An Engine is one ordered, crash-safe map from byte strings to byte strings: one RocksDB instance
// in one directory. Each physical partition has its own; the system store is one more.
//
// It knows nothing of items, partitions or prices. What all engines of a process share (block
// cache, memtable budget, I/O rate, background threads, the file system) is in EngineResources.
//
// Thread-safe, except where a returned object says otherwise. Snapshots, iterators and pinned
// values must be destroyed before the engine.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "storage/batch.h"
#include "storage/iterator.h"
#include "storage/pinned_value.h"
#include "storage/rules.h"

namespace orrery::storage {

class EngineResources;

// kDurable returns after fdatasync; kOs after the operating system has the bytes (they survive a
// crash of the process; after one of the machine the last of them are gone, from some moment on).
enum class Durability { kDurable, kOs };

struct EngineOptions {
  std::string path = {};
  bool create_if_missing = true;
  bool error_if_exists = false;
  size_t write_buffer_bytes = 64 << 20;
  const KeepRule* keep_rule = nullptr;    // must outlive the engine
  const MergeRule* merge_rule = nullptr;  // must outlive the engine
};

struct EngineStats {
  uint64_t live_bytes = 0;  // of live table files, estimated
  uint64_t disk_bytes = 0;  // of all table files, with what compaction has yet to drop
  uint64_t memtable_bytes = 0;
  uint64_t key_count = 0;  // estimated
  uint64_t table_files = 0;
  bool write_stopped = false;  // the engine refuses writes until background work catches up
};

class Engine {
 public:
  // The directory above `path` must exist. An unfinished creation is finished; the unacknowledged
  // end of the log that a power cut leaves is dropped, and with it whatever kOs writes were lost.
  //
  // kUnavailable when the directory is open already (here or in another process) or cannot be used,
  // kCorruption when the files are not a sound database (also when the log is damaged before its
  // end), kInvalidArgument when the directory holds files that are not an engine's, kNotFound when
  // missing and !create_if_missing, kAlreadyExists with error_if_exists, kResourceExhausted when
  // the disk is full. A refused open loses nothing that was stored.
  static Result<std::unique_ptr<Engine>> Open(EngineResources& resources, EngineOptions options);
  // Removes the database files in `path`, and the directory, with what an interrupted CheckpointTo
  // to `path` or Destroy left. OK when there is none. kUnavailable when the engine is open,
  // kInvalidArgument when other files keep the directory from going.
  static Status Destroy(EngineResources& resources, const std::string& path);

  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Applies all of `batch` or nothing. After an error other than kInvalidArgument the outcome is
  // unknown, and the engine takes no further writes, until it is reopened; reads go on.
  Status Write(Batch& batch, Durability durability);
  // The same without the log: the next Flush makes it durable, a crash before loses it. For filling
  // an engine that nothing relies on yet; not to be mixed with writes that are to be read back
  // from the log.
  Status WriteUnlogged(Batch& batch);
  // Makes all that was written with kOs durable; nothing to do where there is none. Errors as in
  // Write.
  Status SyncWrites();
  // Why the engine takes no writes, after a failed write or failed background work; nothing while
  // it does. The latter may mend by itself.
  std::optional<Error> WriteFailure() const;
  // From here on writes that have not begun are refused with `why`.
  void StopWriting(const Error& why);

  // False when there is no such key.
  Result<bool> Get(std::string_view key, PinnedValue& value, ReadMode mode = ReadMode::kMayBlock,
                   const Snapshot* snapshot = nullptr) const;

  std::unique_ptr<Iterator> NewIterator(ScanOptions options) const;
  std::unique_ptr<Snapshot> TakeSnapshot() const;

  // Writes the memtable to a table file; returns when that is durable.
  Status Flush();

  // A second database at `path` (kAlreadyExists when there is one) with the same content, sharing
  // table files by hard link. Copies no data; writes small metadata files only. The content is
  // durable on return. REQUIRES: no concurrent Write (the caller has paused its sequencer), or the
  // caller accepts any point between the start and the end of the call.
  Status CheckpointTo(const std::string& path);
  // The same, after a failed write too, where CheckpointTo is refused: the second database has
  // every acknowledged write, and each whose outcome is unknown or not. Its table and log files are
  // linked; opening it reads the log. On an error leavings may stay in `path`: Destroy it.
  // REQUIRES: nothing writes to this engine any more.
  Status SalvageTo(const std::string& path);

  // Removes [begin, end) and gives whole files back to the disk at once; the rest goes as
  // compaction meets it. Not atomic with respect to readers: only for ranges already hidden.
  Status DropRange(std::string_view begin, std::string_view end);
  // Rewrites the files that overlap [begin, end); empty strings mean the ends.
  Status Compact(std::string_view begin, std::string_view end);

  // While a hold lives no compaction starts by itself. Returns when the running ones have ended, or
  // after `patience`: before a pause that must not wait for a busy disk.
  class CompactionHold {
   public:
    virtual ~CompactionHold() = default;
  };
  std::unique_ptr<CompactionHold> HoldCompactions(std::chrono::milliseconds patience);

  // Estimated bytes of the keys in [begin, end), table files and memtable.
  uint64_t ApproximateBytes(std::string_view begin, std::string_view end) const;

  // The write order's last position.
  uint64_t LatestSequence() const;
  // While a pin lives, the log since it was taken is kept for ReadUpdatesSince, and with it every
  // file that compaction replaces: keep it for seconds. Destroy before the engine.
  class LogPin {
   public:
    virtual ~LogPin() = default;
  };
  std::unique_ptr<LogPin> PinLog();
  // Calls `apply` with each batch written after `sequence` and before the call, in order, and
  // returns the last position seen; stops at the first error of `apply` and returns it. Writes that
  // ran concurrently may come as one batch. kNotFound when the log no longer reaches back that far.
  // kInvalidArgument when `sequence` lies in the future or inside a batch.
  Result<uint64_t> ReadUpdatesSince(uint64_t sequence,
                                    const std::function<Status(Batch&)>& apply) const;

  EngineStats Stats() const;
  const std::string& path() const;
  // Null when it has none.
  const MergeRule* merge_rule() const;

 private:
  struct Rep;
  explicit Engine(std::unique_ptr<Rep> rep);
  std::unique_ptr<Rep> rep_;
};

}  // namespace orrery::storage
