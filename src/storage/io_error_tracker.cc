#include "storage/io_error_tracker.h"

#include <fmt/core.h>
#include <rocksdb/io_status.h>

#include <string_view>

#include "storage/error_map.h"

namespace orrery::storage {
namespace {

// More failing directories than this are forgotten together: their errors may then be told as
// RocksDB tells them.
constexpr size_t kDirectoriesMax = 4'096;

std::string_view WithoutSlash(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}

std::string_view ParentOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == path.npos ? std::string_view(".") : WithoutSlash(path.substr(0, slash));
}

bool IsFault(const rocksdb::IOStatus& status) {
  return !status.ok() && !status.IsNotFound() && !status.IsPathNotFound() &&
         !status.IsNotSupported();
}

// Returns whether the code blames the stored bytes, the caller or this program: a failing disk
// cannot be the cause.
bool Accuses(Code code) {
  switch (code) {
    case Code::kCorruption:
    case Code::kInvalidArgument:
    case Code::kNotFound:
    case Code::kUnsupported:
    case Code::kInternal:
      return true;
    default:
      return false;
  }
}

}  // namespace

void IoErrorTracker::Note(const std::string& path, const rocksdb::IOStatus& status) {
  if (!IsFault(status)) return;
  // A file system may have no better word than corruption for bytes it cannot give: that stays.
  if (status.IsCorruption()) return;
  const std::string_view name = WithoutSlash(path);
  const Error error = MapError(status, fmt::format("using '{}'", name));
  MutexLock lock(mutex_);
  const uint64_t serial = serial_.load(std::memory_order_relaxed) + 1;
  NoteLocked(std::string(name), serial, error);
  NoteLocked(std::string(ParentOf(name)), serial, error);
  serial_.store(serial, std::memory_order_release);
}

void IoErrorTracker::NoteLocked(const std::string& directory, uint64_t serial, const Error& error) {
  if (seen_.size() >= kDirectoriesMax) seen_.clear();
  seen_.insert_or_assign(directory, Seen{serial, error});
}

std::optional<Error> IoErrorTracker::Since(uint64_t serial, const std::string& directory) const {
  if (this->serial() == serial) return std::nullopt;
  MutexLock lock(mutex_);
  const auto found = seen_.find(std::string(WithoutSlash(directory)));
  if (found == seen_.end() || found->second.serial <= serial) return std::nullopt;
  return found->second.error;
}

Error Attempt::Judge(Error error) const {
  if (!Accuses(error.code())) return error;
  const std::optional<Error> fault = tracker_.Since(since_, directory_);
  if (!fault.has_value()) return error;
  return {fault->code(), fmt::format("{} (after {})", error.message(), fault->message())};
}

}  // namespace orrery::storage
