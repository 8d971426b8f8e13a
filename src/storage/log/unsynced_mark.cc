#include "storage/log/unsynced_mark.h"

#include <rocksdb/file_system.h>

#include "storage/error_map.h"

namespace orrery::storage {
namespace {

std::string PathIn(const std::string& directory) {
  return directory + "/" + std::string(kUnsyncedMark);
}

rocksdb::IOStatus SyncDirectory(rocksdb::FileSystem& file_system, const std::string& directory) {
  std::unique_ptr<rocksdb::FSDirectory> entries;
  rocksdb::IOStatus status =
      file_system.NewDirectory(directory, rocksdb::IOOptions(), &entries, nullptr);
  return status.ok() ? entries->Fsync(rocksdb::IOOptions(), nullptr) : status;
}

}  // namespace

Result<bool> HasUnsyncedMark(rocksdb::FileSystem& file_system, const std::string& directory) {
  const rocksdb::IOStatus there =
      file_system.FileExists(PathIn(directory), rocksdb::IOOptions(), nullptr);
  if (there.IsNotFound()) return false;
  ORRERY_TRY(MapStatus(there, "looking for", PathIn(directory)));
  return true;
}

Status SetUnsyncedMark(rocksdb::FileSystem& file_system, const std::string& directory) {
  const rocksdb::IOOptions io;
  std::unique_ptr<rocksdb::FSWritableFile> file;
  rocksdb::IOStatus status =
      file_system.NewWritableFile(PathIn(directory), rocksdb::FileOptions(), &file, nullptr);
  if (status.ok()) status = file->Close(io, nullptr);
  if (status.ok()) status = SyncDirectory(file_system, directory);
  return MapStatus(status, "marking unsynced writes in", directory);
}

Status ClearUnsyncedMark(rocksdb::FileSystem& file_system, const std::string& directory) {
  rocksdb::IOStatus status =
      file_system.DeleteFile(PathIn(directory), rocksdb::IOOptions(), nullptr);
  if (status.IsNotFound() || status.IsPathNotFound()) return {};
  if (status.ok()) status = SyncDirectory(file_system, directory);
  return MapStatus(status, "clearing the mark of unsynced writes in", directory);
}

}  // namespace orrery::storage
