#include "storage/engine/engine_directory.h"

#include <fmt/core.h>
#include <rocksdb/file_system.h>

#include <algorithm>
#include <vector>

#include "storage/error_map.h"
#include "storage/log/log_mark.h"
#include "storage/log/recycled_logs.h"
#include "storage/log/unsynced_mark.h"

namespace orrery::storage {
namespace {

// Names that RocksDB gives to its own files, besides tables and logs.
bool IsBookkeeping(std::string_view name) {
  return name == "CURRENT" || name == "LOCK" || name == "IDENTITY" || name == "LOG" ||
         name == "archive" || name == kUnsyncedMark || name == kRecycledLog || name == kLogMark ||
         name.starts_with("LOG.old") || name.starts_with("MANIFEST-") ||
         name.starts_with("OPTIONS-") || name.ends_with(".dbtmp");
}

bool HoldsData(std::string_view name) {
  const size_t dot = name.find('.');
  if (dot == 0 || dot == name.npos) return false;
  const std::string_view stem = name.substr(0, dot);
  const std::string_view suffix = name.substr(dot);
  return std::ranges::all_of(stem, [](char c) { return c >= '0' && c <= '9'; }) &&
         (suffix == ".log" || suffix == ".sst" || suffix == ".blob");
}

}  // namespace

Result<std::vector<std::string>> NamesIn(rocksdb::FileSystem& file_system,
                                         const std::string& path) {
  std::vector<std::string> names;
  const rocksdb::IOStatus status =
      file_system.GetChildren(path, rocksdb::IOOptions(), &names, nullptr);
  if (!status.ok()) return Fail(MapError(status, fmt::format("reading directory '{}'", path)));
  std::erase_if(names, [](const std::string& name) { return name == "." || name == ".."; });
  return names;
}

Result<DirectoryContent> InspectDirectory(rocksdb::FileSystem& file_system,
                                          const std::string& path) {
  const rocksdb::IOStatus there = file_system.FileExists(path, rocksdb::IOOptions(), nullptr);
  if (there.IsNotFound()) return DirectoryContent::kMissing;
  if (!there.ok()) return Fail(MapError(there, fmt::format("looking for '{}'", path)));
  bool is_directory = false;
  const rocksdb::IOStatus kind =
      file_system.IsDirectory(path, rocksdb::IOOptions(), &is_directory, nullptr);
  if (!kind.ok()) return Fail(MapError(kind, fmt::format("looking at '{}'", path)));
  if (!is_directory) {
    return Fail(Code::kInvalidArgument, fmt::format("'{}' is a file, not a directory", path));
  }
  ORRERY_ASSIGN(const std::vector<std::string> names, NamesIn(file_system, path));
  if (std::ranges::find(names, "CURRENT") != names.end()) return DirectoryContent::kEngine;
  for (const std::string& name : names) {
    if (HoldsData(name)) {
      return Fail(Code::kCorruption,
                  fmt::format("'{}' holds '{}' but no file CURRENT: an engine that was partly "
                              "deleted or damaged; restore it or remove the directory",
                              path, name));
    }
    if (!IsBookkeeping(name)) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("'{}' is not an engine's directory: it holds '{}'; choose an empty "
                              "or new one",
                              path, name));
    }
  }
  return DirectoryContent::kNothing;
}

}  // namespace orrery::storage
