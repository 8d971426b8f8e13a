#include "storage/log/log_repair.h"

#include <fmt/core.h>
#include <rocksdb/file_system.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <vector>

#include "base/log.h"
#include "storage/engine/engine_directory.h"
#include "storage/error_map.h"
#include "storage/log/log_scan.h"
#include "storage/log/manifest_edit.h"
#include "storage/slice_rep.h"

namespace orrery::storage {
namespace {

struct Cut {
  std::string path;
  uint64_t size;
};

// By a copy and a rename: cutting a file in place is more than every file system can.
rocksdb::IOStatus CutFile(rocksdb::FileSystem& file_system, const std::string& directory,
                          const Cut& cut) {
  const rocksdb::IOOptions io;
  const std::string copy = directory + "/000000.dbtmp";  // RocksDB clears such leavings
  std::unique_ptr<rocksdb::FSWritableFile> file;
  rocksdb::IOStatus status =
      file_system.NewWritableFile(copy, rocksdb::FileOptions(), &file, nullptr);
  if (!status.ok()) return status;
  status = ReadBlocks(file_system, cut.path, cut.size, [&](std::string_view block) {
    return file->Append(ToSlice(block), io, nullptr);
  });
  if (status.ok()) status = file->Sync(io, nullptr);
  if (status.ok()) status = file->Close(io, nullptr);
  if (status.ok()) status = file_system.RenameFile(copy, cut.path, io, nullptr);
  std::unique_ptr<rocksdb::FSDirectory> entries;
  if (status.ok()) status = file_system.NewDirectory(directory, io, &entries, nullptr);
  if (status.ok()) status = entries->Fsync(io, nullptr);
  return status;
}

// Older logs are in table files: RocksDB has yet to delete them, or a power cut brought them back.
Result<uint64_t> FirstLogIn(rocksdb::FileSystem& file_system, const std::string& directory) {
  uint64_t first = 0;
  ORRERY_ASSIGN(const std::string manifest, CurrentManifest(file_system, directory));
  if (manifest.empty()) return first;  // RocksDB says what is wrong with it
  ORRERY_TRY(ScanLog(file_system, directory + "/" + manifest, [&first](std::string_view edit) {
    if (const auto number = FirstLogNeeded(edit)) first = std::max(first, *number);
  }));
  return first;
}

// The sound parts of an engine's logs, oldest first.
Result<std::map<uint64_t, std::pair<std::string, LogCheck>>> ScanLogs(
    rocksdb::FileSystem& file_system, const std::string& directory) {
  ORRERY_ASSIGN(const std::vector<std::string> names, NamesIn(file_system, directory));
  std::map<uint64_t, std::pair<std::string, LogCheck>> logs;
  for (const std::string& name : names) {
    const std::optional<uint64_t> number = LogNumber(name);
    if (!number.has_value()) continue;
    std::string path = directory + "/" + name;
    Result<LogCheck> check = ScanLog(file_system, path);
    if (check.has_value()) {
      logs.try_emplace(*number, std::move(path), *std::move(check));
    } else if (check.error().code() != Code::kNotFound) {
      return Fail(std::move(check).error());
    }  // Gone: another process has the engine open, as RocksDB's lock will tell.
  }
  return logs;
}

// Returns whether the note is of this log: it has the lower bits of its number.
bool IsOf(const LogNote& note, uint64_t number) {
  return LogNoteWord({.number = number}) == LogNoteWord({.number = note.number});
}

Result<std::vector<Cut>> PlanCuts(rocksdb::FileSystem& file_system, const std::string& directory,
                                  LogPromise promise, const std::optional<LogNote>& note) {
  ORRERY_ASSIGN(auto logs, ScanLogs(file_system, directory));
  if (promise == LogPromise::kUnsynced) {
    ORRERY_ASSIGN(const uint64_t first, FirstLogIn(file_system, directory));
    logs.erase(logs.begin(), logs.lower_bound(first));
  }
  std::vector<Cut> cuts;
  std::optional<uint64_t> expected;
  bool ended = false;  // what follows was written after something that is lost
  for (const auto& [number, log] : logs) {
    const auto& [path, check] = log;
    if (promise == LogPromise::kSynced) {
      if (check.damage().has_value()) {
        return Fail(
            Code::kCorruption,
            fmt::format("the log '{}' is damaged at byte {} and holds whole writes after it: "
                        "restore it from a copy, or acknowledged writes are lost; to go on "
                        "without all from there on start with --accept-lost-writes",
                        path, *check.damage()));
      }
      if (note.has_value() && IsOf(*note, number) && check.sound_end() < note->bytes) {
        return Fail(Code::kCorruption,
                    fmt::format("the log '{}' was cut or damaged: it ends at byte {}, and {} bytes "
                                "were on the disk: "
                                "acknowledged writes are missing. Restore it or a backup; to go on "
                                "without these writes start with --accept-lost-writes",
                                path, check.sound_end(), note->bytes));
      }
      if (check.torn().has_value()) cuts.push_back({path, *check.torn()});
      continue;
    }
    if (expected.has_value() && check.first_sequence().has_value())
      ended = ended || check.first_sequence() != expected;
    if (ended) {
      if (check.torn().has_value() || check.first_sequence().has_value()) cuts.push_back({path, 0});
      continue;
    }
    if (check.torn().has_value()) cuts.push_back({path, *check.torn()});
    // A log was followed by another when something was written to it: an empty one has lost that.
    ended = check.torn().has_value() || !check.next_sequence().has_value();
    expected = check.next_sequence();
  }
  return cuts;
}

// Runs `plan`, and again under the engine's lock when it has cuts to make: by then no other process
// can be in the middle of a write. Without the lock nothing is done.
template <typename Plan>
Status CutUnderLock(rocksdb::FileSystem& file_system, const std::string& directory, Plan&& plan) {
  Result<std::vector<Cut>> cuts = plan();
  if (!cuts.has_value()) return Fail(std::move(cuts).error());
  if (cuts->empty()) return {};
  const rocksdb::IOOptions io;
  rocksdb::FileLock* lock = nullptr;
  if (!file_system.LockFile(directory + "/LOCK", io, &lock, nullptr).ok()) return {};
  cuts = plan();
  rocksdb::IOStatus status;
  if (cuts.has_value()) {
    // The newest first: as long as the oldest cut is not made, the others are found again.
    for (const Cut& cut : *cuts | std::views::reverse) {
      if (!status.ok()) break;
      LogWarn("cutting '{}' to {} bytes: a power cut left it torn", cut.path, cut.size);
      status = CutFile(file_system, directory, cut);
    }
  }
  const rocksdb::IOStatus unlocked = file_system.UnlockFile(lock, io, nullptr);
  if (!cuts.has_value()) return Fail(std::move(cuts).error());
  return MapStatus(status.ok() ? unlocked : status, "repairing the logs of", directory);
}

}  // namespace

Status RepairWriteAheadLogs(rocksdb::FileSystem& file_system, const std::string& directory,
                            LogPromise promise, std::optional<LogNote> note) {
  return CutUnderLock(file_system, directory,
                      [&] { return PlanCuts(file_system, directory, promise, note); });
}

Status RepairManifest(rocksdb::FileSystem& file_system, const std::string& directory) {
  return CutUnderLock(file_system, directory, [&]() -> Result<std::vector<Cut>> {
    ORRERY_ASSIGN(const std::string name, CurrentManifest(file_system, directory));
    if (name.empty()) return std::vector<Cut>();  // RocksDB says what is wrong with it
    const std::string path = directory + "/" + name;
    const Result<LogCheck> check = ScanLog(file_system, path);
    if (!check.has_value() && check.error().code() != Code::kNotFound) return Fail(check.error());
    if (!check.has_value() || !check->torn().has_value() || check->damage().has_value())
      return std::vector<Cut>();
    return std::vector<Cut>{{path, *check->torn()}};
  });
}

}  // namespace orrery::storage
