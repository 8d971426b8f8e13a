#include "storage/log/log_mark.h"

#include <fmt/core.h>
#include <rocksdb/file_system.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "storage/error_map.h"
#include "storage/log/log_scan.h"

namespace orrery::storage {
namespace {

// Digits of a number and the line end, with some to spare.
constexpr size_t kMarkBytesMax = 64;

std::string LogMarkPath(const std::string& directory) {
  return directory + "/" + std::string(kLogMark);
}

// Nothing without a mark, or when it cannot be read.
std::optional<uint64_t> ReadMark(rocksdb::FileSystem& file_system, const std::string& directory) {
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  const rocksdb::IOOptions io;
  if (!file_system.NewSequentialFile(LogMarkPath(directory), rocksdb::FileOptions(), &file, nullptr)
           .ok())
    return std::nullopt;
  char buffer[kMarkBytesMax];
  rocksdb::Slice text;
  if (!file->Read(kMarkBytesMax, io, &text, buffer, nullptr).ok()) return std::nullopt;
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  // A mark that was cut short would name another log.
  if (read.ec != std::errc() || read.ptr == end || *read.ptr != '\n') return std::nullopt;
  return number;
}

// 0 when there is none.
Result<uint64_t> NewestLog(rocksdb::FileSystem& file_system, const std::string& directory) {
  std::vector<std::string> names;
  const rocksdb::IOStatus listed =
      file_system.GetChildren(directory, rocksdb::IOOptions(), &names, nullptr);
  ORRERY_TRY(MapStatus(listed, "reading directory", directory));
  uint64_t newest = 0;
  for (const std::string& name : names) newest = std::max(newest, LogNumber(name).value_or(0));
  return newest;
}

}  // namespace

Status CheckLogMark(rocksdb::FileSystem& file_system, const std::string& directory) {
  const std::optional<uint64_t> mark = ReadMark(file_system, directory);
  if (!mark.has_value()) return {};
  ORRERY_ASSIGN(const uint64_t newest, NewestLog(file_system, directory));
  if (newest >= *mark) return {};
  return Fail(
      Code::kCorruption,
      fmt::format("the write-ahead log of '{0}' is missing: {1:06}.log, or a later one, was "
                  "there when it was opened last, and acknowledged writes are lost with it. "
                  "Restore the file or a backup; to go on without these writes remove "
                  "'{0}/{2}'",
                  directory, *mark, kLogMark));
}

void SetLogMark(rocksdb::FileSystem& file_system, const std::string& directory) {
  const auto newest = NewestLog(file_system, directory);
  if (!newest.has_value() || *newest == 0) return;
  std::unique_ptr<rocksdb::FSWritableFile> file;
  const rocksdb::IOOptions io;
  const std::string fresh = LogMarkPath(directory) + ".dbtmp";
  rocksdb::IOStatus status =
      file_system.NewWritableFile(fresh, rocksdb::FileOptions(), &file, nullptr);
  if (status.ok()) status = file->Append(fmt::format("{}\n", *newest), io, nullptr);
  if (status.ok()) status = file->Close(io, nullptr);
  if (status.ok()) status = file_system.RenameFile(fresh, LogMarkPath(directory), io, nullptr);
  status.PermitUncheckedError();
}

void ClearLogMark(rocksdb::FileSystem& file_system, const std::string& directory) {
  file_system.DeleteFile(LogMarkPath(directory), rocksdb::IOOptions(), nullptr)
      .PermitUncheckedError();
}

}  // namespace orrery::storage
