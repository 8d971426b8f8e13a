#include "storage/log/log_scan.h"

#include <fmt/core.h>
#include <rocksdb/file_system.h>

#include <algorithm>
#include <vector>

#include "base/log.h"
#include "storage/engine/engine_directory.h"
#include "storage/error_map.h"
#include "storage/slice_rep.h"

namespace orrery::storage {
namespace {

// Reads the first `limit` bytes and hands them to `take` in blocks, the last one maybe shorter.
template <typename Take>
rocksdb::IOStatus ReadBlocks(rocksdb::FileSystem& file_system, const std::string& path,
                             uint64_t limit, Take&& take) {
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  rocksdb::IOStatus status =
      file_system.NewSequentialFile(path, rocksdb::FileOptions(), &file, nullptr);
  std::string buffer(LogCheck::kBlockBytes, '\0');
  while (status.ok() && limit > 0) {
    const size_t wanted = std::min<uint64_t>(limit, buffer.size());
    rocksdb::Slice block;
    status = file->Read(wanted, rocksdb::IOOptions(), &block, buffer.data(), nullptr);
    if (status.ok()) status = take(ToView(block));
    if (block.size() < wanted) break;
    limit -= wanted;
  }
  return status;
}

// The path of the MANIFEST that CURRENT names; empty when it names none.
Result<std::string> CurrentManifest(rocksdb::FileSystem& file_system,
                                    const std::string& directory) {
  constexpr uint64_t kNameBytesMax = 64;
  std::string name;
  const rocksdb::IOStatus status =
      ReadBlocks(file_system, directory + "/CURRENT", kNameBytesMax, [&](std::string_view block) {
        name += block;
        return rocksdb::IOStatus::OK();
      });
  ORRERY_TRY(MapStatus(status, "reading CURRENT of", directory));
  if (!name.starts_with("MANIFEST-") || !name.ends_with('\n')) return std::string();
  return directory + "/" + name.substr(0, name.size() - 1);
}

// By a copy and a rename: cutting a file in place is more than every file system can.
rocksdb::IOStatus CutFile(rocksdb::FileSystem& file_system, const std::string& directory,
                          const std::string& path, uint64_t size) {
  const rocksdb::IOOptions io;
  const std::string copy = path + ".dbtmp";  // RocksDB clears such leavings
  std::unique_ptr<rocksdb::FSWritableFile> file;
  rocksdb::IOStatus status =
      file_system.NewWritableFile(copy, rocksdb::FileOptions(), &file, nullptr);
  if (!status.ok()) return status;
  status = ReadBlocks(file_system, path, size, [&](std::string_view block) {
    return file->Append(ToSlice(block), io, nullptr);
  });
  if (status.ok()) status = file->Sync(io, nullptr);
  if (status.ok()) status = file->Close(io, nullptr);
  if (status.ok()) status = file_system.RenameFile(copy, path, io, nullptr);
  std::unique_ptr<rocksdb::FSDirectory> entries;
  if (status.ok()) status = file_system.NewDirectory(directory, io, &entries, nullptr);
  if (status.ok()) status = entries->Fsync(io, nullptr);
  return status;
}

bool EndsTorn(const LogCheck& check) {
  return check.torn().has_value() && !check.damage().has_value();
}

}  // namespace

Result<LogCheck> ScanLog(rocksdb::FileSystem& file_system, const std::string& path) {
  LogCheck check;
  const rocksdb::IOStatus status =
      ReadBlocks(file_system, path, UINT64_MAX, [&check](std::string_view block) {
        check.Feed(block);
        return rocksdb::IOStatus::OK();
      });
  if (!status.ok()) return Fail(MapError(status, fmt::format("reading '{}'", path)));
  return check;
}

Status CheckWriteAheadLogs(rocksdb::FileSystem& file_system, const std::string& directory) {
  ORRERY_ASSIGN(const std::vector<std::string> names, NamesIn(file_system, directory));
  for (const std::string& name : names) {
    if (!name.ends_with(".log")) continue;
    const std::string path = directory + "/" + name;
    const Result<LogCheck> check = ScanLog(file_system, path);
    if (!check.has_value()) {
      // Gone: another process has the engine open, as RocksDB's lock will tell.
      if (check.error().code() == Code::kNotFound) continue;
      return Fail(check.error());
    }
    if (check->damage().has_value()) {
      return Fail(Code::kCorruption,
                  fmt::format("the log '{}' is damaged at byte {} and holds whole writes after it: "
                              "restore it from a copy, or acknowledged writes are lost",
                              path, *check->damage()));
    }
  }
  return {};
}

Status MendManifest(rocksdb::FileSystem& file_system, const std::string& directory) {
  ORRERY_ASSIGN(const std::string path, CurrentManifest(file_system, directory));
  if (path.empty()) return {};  // RocksDB says what is wrong with it
  Result<LogCheck> check = ScanLog(file_system, path);
  if (!check.has_value() || !EndsTorn(*check)) return {};

  const rocksdb::IOOptions io;
  rocksdb::FileLock* lock = nullptr;
  if (!file_system.LockFile(directory + "/LOCK", io, &lock, nullptr).ok()) return {};
  // Again, now that no other process can be in the middle of a write.
  check = ScanLog(file_system, path);
  rocksdb::IOStatus status;
  if (check.has_value() && EndsTorn(*check)) {
    LogWarn("cutting '{}' to {} bytes: its end was torn by a power cut", path, *check->torn());
    status = CutFile(file_system, directory, path, *check->torn());
  }
  const rocksdb::IOStatus unlocked = file_system.UnlockFile(lock, io, nullptr);
  return MapStatus(status.ok() ? unlocked : status, "mending the MANIFEST of", directory);
}

}  // namespace orrery::storage
