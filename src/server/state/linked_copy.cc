#include "server/state/linked_copy.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace orrery::server {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> RefuseCopy(std::string_view doing, const std::error_code& error) {
  const bool is_full = error == std::errc::no_space_on_device;
  return Fail(is_full ? Code::kResourceExhausted : Code::kForbidden,
              fmt::format("{}: {}", doing, error.message()));
}

}  // namespace

Status CopyLinked(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::create_directories(to, error);
  fs::recursive_directory_iterator entries(from, error);
  for (; !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
    const fs::path target = fs::path(to) / entries->path().lexically_relative(from);
    if (entries->is_directory(error)) {
      fs::create_directories(target, error);
    } else if (entries->path().extension() == ".sst") {
      fs::create_hard_link(entries->path(), target, error);
      // Where there are none.
      if (error) fs::copy_file(entries->path(), target, error);
    } else {
      fs::copy_file(entries->path(), target, error);
    }
    if (error) break;
  }
  if (error) return RefuseCopy(fmt::format("copying {}", from), error);
  return {};
}

Status SyncPath(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool is_synced = file >= 0 && fsync(file) == 0;
  const int error = errno;
  if (file >= 0) close(file);
  if (is_synced) return {};
  return RefuseCopy("writing " + path, std::error_code(error, std::generic_category()));
}

Status SyncTree(const std::string& path) {
  std::error_code error;
  fs::recursive_directory_iterator entries(path, error);
  for (; !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
    if (entries->path().extension() != ".sst") ORRERY_TRY(SyncPath(entries->path().string()));
  }
  if (error) return RefuseCopy("writing " + path, error);
  return SyncPath(path);
}

}  // namespace orrery::server
