#include "storage/log/log_mark.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <rocksdb/file_system.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "base/crc32c.h"
#include "storage/error_map.h"
#include "storage/log/log_scan.h"

namespace orrery::storage {
namespace {

// Digits of a number and the line end, with some to spare.
constexpr size_t kMarkBytesMax = 64;
constexpr size_t kNoteOffset = kMarkBytesMax;
constexpr size_t kNoteBytes = 12;
constexpr unsigned kNoteSizeBits = 40;
constexpr uint64_t kNoteSizeMask = (uint64_t{1} << kNoteSizeBits) - 1;

std::string LogMarkPath(const std::string& directory) {
  return directory + "/" + std::string(kLogMark);
}

// All of the file; empty without a mark, or when it cannot be read.
std::string ReadMarkFile(rocksdb::FileSystem& file_system, const std::string& directory) {
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  const rocksdb::IOOptions io;
  if (!file_system.NewSequentialFile(LogMarkPath(directory), rocksdb::FileOptions(), &file, nullptr)
           .ok())
    return {};
  char buffer[kNoteOffset + kNoteBytes];
  rocksdb::Slice text;
  if (!file->Read(sizeof(buffer), io, &text, buffer, nullptr).ok()) return {};
  return text.ToString();
}

// Nothing without a mark.
std::optional<uint64_t> ReadMark(rocksdb::FileSystem& file_system, const std::string& directory) {
  const std::string text = ReadMarkFile(file_system, directory);
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

uint64_t LogNoteWord(const LogNote& note) {
  return note.number << kNoteSizeBits | std::min(note.bytes, kNoteSizeMask);
}

void WriteLogNote(const std::string& directory, uint64_t word) {
  std::string note;
  AppendBigEndian(note, word);
  AppendBigEndian(note, Crc32c(0, note));
  const int file = open(LogMarkPath(directory).c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  // One that is written in part has another sum.
  static_cast<void>(pwrite(file, note.data(), note.size(), kNoteOffset) == 0);
  close(file);
}

std::optional<LogNote> ReadLogNote(rocksdb::FileSystem& file_system, const std::string& directory) {
  const std::string text = ReadMarkFile(file_system, directory);
  if (text.size() < kNoteOffset + kNoteBytes) return std::nullopt;
  ByteReader reader(std::string_view(text).substr(kNoteOffset));
  uint64_t word = 0;
  uint32_t crc = 0;
  if (!reader.ReadBigEndian(word) || !reader.ReadBigEndian(crc) ||
      crc != Crc32c(0, std::string_view(text).substr(kNoteOffset, sizeof(word))))
    return std::nullopt;
  return LogNote{.number = word >> kNoteSizeBits, .bytes = word & kNoteSizeMask};
}

Status CheckLogMark(rocksdb::FileSystem& file_system, const std::string& directory) {
  const std::optional<uint64_t> mark = ReadMark(file_system, directory);
  if (!mark.has_value()) return {};
  ORRERY_ASSIGN(const uint64_t newest, NewestLog(file_system, directory));
  // The note's log may be newer than the mark's. Its number has lost its upper bits.
  constexpr uint64_t kNumberMask = UINT64_MAX >> kNoteSizeBits;
  const std::optional<LogNote> note = ReadLogNote(file_system, directory);
  uint64_t needed = *mark;
  if (note.has_value()) needed += (note->number - *mark) & kNumberMask;
  if (newest >= needed) return {};
  return Fail(
      Code::kCorruption,
      fmt::format("the write-ahead log of '{0}' is missing: {1:06}.log, or a later one, was "
                  "there when it was used last, and acknowledged writes are lost with it. "
                  "Restore the file or a backup; to go on without these writes start with "
                  "--accept-lost-writes",
                  directory, needed));
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
