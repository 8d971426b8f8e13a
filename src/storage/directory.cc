#include "storage/directory.h"

#include <fmt/core.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include "storage/engine/directory_hold.h"
#include "storage/engine/engine_directory.h"
#include "storage/error_map.h"
#include "storage/resources_rep.h"

namespace orrery::storage {
namespace {

constexpr const char* kProbe = "ROOM";  // no name that an engine gives

Status RemoveBelow(rocksdb::FileSystem& files, const std::string& path, int depth_left) {
  const rocksdb::IOOptions io;
  bool is_directory = false;
  const rocksdb::IOStatus kind = files.IsDirectory(path, io, &is_directory, nullptr);
  if (kind.IsNotFound() || kind.IsPathNotFound()) return {};
  ORRERY_TRY(MapStatus(kind, "looking at", path));
  if (!is_directory) return MapStatus(files.DeleteFile(path, io, nullptr), "removing", path);
  if (depth_left == 0) {
    return Fail(Code::kInvalidArgument, fmt::format("'{}' lies too deep to be removed", path));
  }
  ORRERY_ASSIGN(const std::vector<std::string> names, NamesIn(files, path));
  for (const std::string& name : names)
    ORRERY_TRY(RemoveBelow(files, path + "/" + name, depth_left - 1));
  return MapStatus(files.DeleteDir(path, io, nullptr), "removing", path);
}

}  // namespace

Status MakeDirectory(EngineResources& resources, const std::string& path) {
  EngineResources::Rep& rep = resources.rep();
  const rocksdb::IOStatus made =
      rep.file_system->CreateDirIfMissing(path, rocksdb::IOOptions(), nullptr);
  if (!made.ok()) return Fail(MapError(made, fmt::format("creating directory '{}'", path)));
  // Also when it was there: a killed process may have made it and not come this far.
  return rep.SyncParent(path);
}

Result<bool> Exists(EngineResources& resources, const std::string& path) {
  const rocksdb::IOStatus there =
      resources.rep().file_system->FileExists(path, rocksdb::IOOptions(), nullptr);
  if (there.IsNotFound() || there.IsPathNotFound()) return false;
  ORRERY_TRY(MapStatus(there, "looking for", path));
  return true;
}

Result<std::vector<std::string>> ListDirectory(EngineResources& resources,
                                               const std::string& path) {
  return NamesIn(*resources.rep().file_system, path);
}

Status RemoveAll(EngineResources& resources, const std::string& path) {
  ORRERY_ASSIGN(const DirectoryHold hold, DirectoryHold::Take(resources.rep(), path));
  return RemoveBelow(*resources.rep().file_system, path, kRemovedDepthMax);
}

std::optional<uint64_t> FreeBytes(EngineResources& resources, const std::string& path) {
  uint64_t bytes = 0;
  const rocksdb::IOStatus asked =
      resources.rep().file_system->GetFreeSpace(path, rocksdb::IOOptions(), &bytes, nullptr);
  if (!asked.ok()) return std::nullopt;
  return bytes;
}

bool HasRoom(EngineResources& resources, const std::string& path) {
  rocksdb::FileSystem& files = *resources.rep().file_system;
  const std::string probe = path + "/" + kProbe;
  const rocksdb::IOStatus written =
      rocksdb::WriteStringToFile(&files, "room", probe, /*should_sync=*/true);
  // One that stays is written over the next time, and goes with the directory.
  static_cast<void>(files.DeleteFile(probe, rocksdb::IOOptions(), nullptr));
  return !written.IsNoSpace();
}

}  // namespace orrery::storage
