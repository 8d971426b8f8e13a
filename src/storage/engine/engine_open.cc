// Opening and destroying engines.
#include <fmt/core.h>
#include <rocksdb/db.h>

#include <optional>
#include <utility>

#include "base/log.h"
#include "storage/engine/engine.h"
#include "storage/engine/engine_directory.h"
#include "storage/engine/engine_rep.h"
#include "storage/error_map.h"
#include "storage/log/log_mark.h"
#include "storage/log/log_repair.h"
#include "storage/log/unsynced_mark.h"
#include "storage/rocks_log.h"
#include "storage/tuning.h"

namespace orrery::storage {
namespace {

// The suffix of the directory in which RocksDB makes a checkpoint before it renames it.
constexpr const char* kCheckpointSuffix = ".tmp";

Error OpenError(const rocksdb::Status& status, const std::string& path) {
  const std::string text = status.ToString();
  // RocksDB has no code of its own for a lock that is held.
  if (status.IsIOError() && text.find("/LOCK") != text.npos && !status.IsNoSpace()) {
    return {Code::kUnavailable,
            fmt::format("another process has '{}' open, or this one twice ({})", path, text)};
  }
  return MapEngineError(status, fmt::format("opening '{}'", path));
}

// Files on this machine's disk can be taken away one by one; objects of a store are not, and a call
// for each engine that is opened would cost more there.
bool MarksLogs(const EngineResources::Rep& shared) { return shared.options.file_system == nullptr; }

// Tells of the loss, and goes on where that is wanted.
Status Accept(const EngineResources::Rep& shared, Status lost) {
  if (!shared.accept_lost_writes || lost.error().code() != Code::kCorruption) return lost;
  LogWarn("accepted (--accept-lost-writes): {}", lost.error().message());
  return {};
}

Status RemoveFlatDirectory(rocksdb::FileSystem& file_system, const std::string& path) {
  const rocksdb::IOOptions io;
  std::vector<std::string> names;
  rocksdb::IOStatus status = file_system.GetChildren(path, io, &names, nullptr);
  if (status.IsNotFound() || status.IsPathNotFound()) return {};
  for (const std::string& name : names) {
    if (name == "." || name == ".." || !status.ok()) continue;
    status = file_system.DeleteFile(path + "/" + name, io, nullptr);
  }
  if (status.ok()) status = file_system.DeleteDir(path, io, nullptr);
  return MapStatus(status, "removing", path);
}

}  // namespace

Result<std::unique_ptr<Engine>> Engine::Open(EngineResources& resources, EngineOptions options) {
  EngineResources::Rep& shared = resources.rep();
  const std::string path = options.path;
  ORRERY_ASSIGN(DirectoryHold hold, DirectoryHold::Take(shared, path));
  ORRERY_ASSIGN(const DirectoryContent content, InspectDirectory(*shared.file_system, path));
  bool unsynced = false;
  if (content == DirectoryContent::kEngine) {
    if (options.error_if_exists) {
      return Fail(Code::kAlreadyExists, fmt::format("'{}' holds an engine already", path));
    }
    shared.recycled_logs.Discard(path);  // first, as the rest needs room on the disk
    ORRERY_ASSIGN(unsynced, HasUnsyncedMark(*shared.file_system, path));
    std::optional<LogNote> note;
    if (MarksLogs(shared) && !unsynced) {
      if (Status marked = CheckLogMark(*shared.file_system, path); !marked.has_value())
        ORRERY_TRY(Accept(shared, std::move(marked)));
      note = ReadLogNote(*shared.file_system, path);
    }
    Status repaired = RepairWriteAheadLogs(
        *shared.file_system, path, unsynced ? LogPromise::kUnsynced : LogPromise::kSynced, note);
    if (!repaired.has_value() && !unsynced) {
      ORRERY_TRY(Accept(shared, std::move(repaired)));
      repaired = RepairWriteAheadLogs(*shared.file_system, path, LogPromise::kUnsynced);
    }
    ORRERY_TRY(std::move(repaired));
    ORRERY_TRY(RepairManifest(*shared.file_system, path));
  } else if (!options.create_if_missing) {
    return Fail(Code::kNotFound, fmt::format("there is no engine in '{}'", path));
  } else if (content == DirectoryContent::kMissing) {
    const rocksdb::IOStatus made =
        shared.file_system->CreateDirIfMissing(path, rocksdb::IOOptions(), nullptr);
    if (!made.ok()) return Fail(MapError(made, fmt::format("creating directory '{}'", path)));
  }

  auto rep = std::make_unique<Rep>(shared, std::move(options), std::move(hold));
  const Attempt attempt = rep->Begin();
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(
      MakeOptions(shared, rep->options, rep->filter.get(), rep->breaker), path, &db);
  rep->db.reset(db);
  if (!status.ok()) return Fail(attempt.Judge(OpenError(status, path)));
  // Opening has written what was in the logs to tables.
  if (unsynced) ORRERY_TRY(ClearUnsyncedMark(*shared.file_system, path));
  if (MarksLogs(shared)) {
    SetLogMark(*shared.file_system, path);
    shared.synced_notes.Watch(path);
  }
  // Also when the engine was there: a killed process may have made it and not come this far.
  ORRERY_TRY(shared.SyncParent(path));
  return std::unique_ptr<Engine>(new Engine(std::move(rep)));
}

Status Engine::Destroy(EngineResources& resources, const std::string& path) {
  EngineResources::Rep& shared = resources.rep();
  rocksdb::FileSystem& file_system = *shared.file_system;
  const rocksdb::IOOptions io;
  {
    ORRERY_ASSIGN(const DirectoryHold hold, DirectoryHold::Take(shared, path + kCheckpointSuffix));
    ORRERY_TRY(RemoveFlatDirectory(file_system, path + kCheckpointSuffix));
  }
  ORRERY_ASSIGN(const DirectoryHold hold, DirectoryHold::Take(shared, path));
  const rocksdb::IOStatus there = file_system.FileExists(path, io, nullptr);
  if (there.IsNotFound()) return {};
  ORRERY_TRY(MapStatus(there, "looking for", path));

  rocksdb::Options options;
  options.env = shared.destroying_env.get();
  options.info_log = MakeRocksLog(path);
  options.sst_file_manager = shared.table_files;
  // RocksDB deletes logs through the file manager, which is the engines' own.
  const RecycledLogs::Ban no_recycling(shared.recycled_logs, path);
  const Attempt attempt(*shared.tracker, path);
  const rocksdb::Status destroyed = rocksdb::DestroyDB(path, options);
  if (!destroyed.ok())
    return Fail(attempt.Judge(OpenError(destroyed, path)).Annotate("destroying"));
  // RocksDB does not know this file, and leaves the directory because of it.
  ORRERY_ASSIGN(const bool marked, HasUnsyncedMark(file_system, path));
  if (marked) ORRERY_TRY(ClearUnsyncedMark(file_system, path));
  ClearLogMark(file_system, path);
  file_system.DeleteDir(path, io, nullptr).PermitUncheckedError();
  if (!file_system.FileExists(path, io, nullptr).IsNotFound()) {
    return Fail(Code::kInvalidArgument,
                fmt::format("'{}' holds files that are not an engine's; they are left", path));
  }
  return shared.SyncParent(path);
}

}  // namespace orrery::storage
