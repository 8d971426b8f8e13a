// A copy of an engine by its files alone, without RocksDB's help: after a failed write that
// refuses.
#include <fmt/core.h>
#include <rocksdb/file_system.h>

#include "storage/engine/engine.h"
#include "storage/engine/engine_directory.h"
#include "storage/engine/engine_rep.h"
#include "storage/error_map.h"
#include "storage/log/log_scan.h"
#include "storage/slice_rep.h"

namespace orrery::storage {
namespace {

constexpr const char* kTableSuffix = ".sst";

// Writes what `fill` appends; synced on return.
template <typename Fill>
rocksdb::IOStatus WriteFile(rocksdb::FileSystem& files, const std::string& path, Fill&& fill) {
  const rocksdb::IOOptions io;
  std::unique_ptr<rocksdb::FSWritableFile> file;
  rocksdb::IOStatus status = files.NewWritableFile(path, rocksdb::FileOptions(), &file, nullptr);
  if (status.ok()) status = fill(*file);
  if (status.ok()) status = file->Sync(io, nullptr);
  if (status.ok()) status = file->Close(io, nullptr);
  return status;
}

rocksdb::IOStatus CopyFile(rocksdb::FileSystem& files, const std::string& from,
                           const std::string& to) {
  return WriteFile(files, to, [&](rocksdb::FSWritableFile& file) {
    return ReadBlocks(files, from, UINT64_MAX, [&file](std::string_view block) {
      return file.Append(ToSlice(block), rocksdb::IOOptions(), nullptr);
    });
  });
}

Status LinkData(rocksdb::FileSystem& files, const std::string& from, const std::string& to) {
  ORRERY_ASSIGN(const std::vector<std::string> names, NamesIn(files, from));
  for (const std::string& name : names) {
    if (!name.ends_with(kTableSuffix) && !LogNumber(name).has_value()) continue;
    const rocksdb::IOStatus linked =
        files.LinkFile(from + "/" + name, to + "/" + name, rocksdb::IOOptions(), nullptr);
    // Deletions decided on before the pin may still be carried out; such a file is not needed.
    if (linked.IsNotFound() || linked.IsPathNotFound()) continue;
    ORRERY_TRY(MapStatus(linked, "linking a file of", from));
  }
  return {};
}

}  // namespace

Status Engine::SalvageTo(const std::string& target) {
  rocksdb::FileSystem& files = *rep_->resources.file_system;
  const rocksdb::IOOptions io;
  const rocksdb::IOStatus there = files.FileExists(target, io, nullptr);
  if (there.ok()) return Fail(Code::kAlreadyExists, fmt::format("'{}' exists already", target));
  if (!there.IsNotFound()) return MapStatus(there, "looking for", target);

  // From here on no file goes. What the copied MANIFEST names is then there, also when background
  // work adds to the original meanwhile; what it does not name is cleared at the opening.
  const std::unique_ptr<LogPin> pin = PinLog();
  ORRERY_ASSIGN(const std::string manifest, CurrentManifest(files, path()));
  if (manifest.empty()) {
    return Fail(Code::kCorruption, fmt::format("CURRENT of '{}' names no MANIFEST", path()));
  }
  ORRERY_TRY(MapStatus(files.CreateDir(target, io, nullptr), "creating", target));
  ORRERY_TRY(MapStatus(CopyFile(files, path() + "/" + manifest, target + "/" + manifest),
                       "copying the MANIFEST of", path()));
  ORRERY_TRY(LinkData(files, path(), target));
  const rocksdb::IOStatus named = WriteFile(
      files, target + "/CURRENT",
      [&](rocksdb::FSWritableFile& file) { return file.Append(manifest + "\n", io, nullptr); });
  ORRERY_TRY(MapStatus(named, "writing CURRENT of", target));
  std::unique_ptr<rocksdb::FSDirectory> entries;
  rocksdb::IOStatus synced = files.NewDirectory(target, io, &entries, nullptr);
  if (synced.ok()) synced = entries->Fsync(io, nullptr);
  ORRERY_TRY(MapStatus(synced, "syncing the directory", target));
  return rep_->resources.SyncParent(target);
}

}  // namespace orrery::storage
